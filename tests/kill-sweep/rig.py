"""rig - one Sophia between the fakes, for one case, and how it is to be killed.

It is tests/torture-discord's stage with two differences: each case has a state
folder of its own, copied from one that is ready, and a program that ends is
started again at once. A Trap says who is killed, or which call fails, and when.
"""
import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "torture-discord"))

from stage import Broken, Stage, get  # noqa: E402

TOP = TESTS.parent
WRAPPER = """#!/bin/sh
n=1
until mkdir "$SWEEP_FOLDER/{name}.$n" 2>/dev/null; do n=$((n + 1)); done
case $SWEEP_WHO in
all | {name}.$n)
	exec strace -DD -qq -o "$SWEEP_FOLDER/{name}.$n/trace" $SWEEP_STRACE \\
	  {bin}/real-{name} "$@" ;;
esac
exec {bin}/real-{name} "$@"
"""


class Trap:
    """Nothing happens in this one: it only counts what could."""
    crashes = False     # the programs of build/crash/bin
    watches = ()        # system calls that are traced
    who, inject = "all", ()

    def environment(self, _folder):
        return {}

    def sprung(self, _folder):
        return False

    def first_sprung(self, folder):
        return self.sprung(folder)


class Point(Trap):
    """Killed at a named point, at its n-th pass; None only counts them. With
    one before it, somebody is killed there first, and then, of those who mend
    that, who comes by this one.
    """
    crashes = True

    def __init__(self, name=None, nth=1, before=None):
        self.name, self.nth, self.before = name, nth, before

    @classmethod
    def named(cls, text):
        point = None
        for step in text.split("+"):
            name, _, nth = step.partition(":")
            point = cls(name, int(nth), point)
        return point

    def kills(self):
        return 1 + (self.before.kills() if self.before else 0)

    def environment(self, folder):
        more = {"SOPHIA_CRASH_LOG": str(folder / "passes")}
        if self.name:
            more["SOPHIA_CRASH"] = str(self).replace("+", ",")
        return more

    def sprung(self, folder):
        kills = self.kills()
        return (folder / ("passes.killed" if kills == 1 else
                          f"passes.killed.{kills}")).exists()

    def first_sprung(self, folder):
        return (folder / "passes.killed").exists()

    def __str__(self):
        this = f"{self.name}:{self.nth}"
        return f"{self.before}+{this}" if self.before else this


class Call(Trap):
    """At the n-th such system call of a program's n-th instance."""

    def __init__(self, who, call, nth, how):
        self.who, self.call, self.nth, self.how = who, call, nth, how
        self.watches = (call,)
        what = "signal=SIGKILL" if how == "KILL" else f"error={how}"
        self.inject = ("-e", f"inject={call}:{what}:when={nth}")

    def sprung(self, folder):
        trace = folder / "trace" / self.who / "trace"
        try:
            said = trace.read_bytes()
        except OSError:
            return False
        return b"(INJECTED)" in said or b"killed by SIGKILL" in said

    def __str__(self):
        return f"{self.who}:{self.call}:{self.nth}:{self.how}"


class Rig(Stage):
    alive = set()

    def __init__(self, folder, trap, programs, hold=None):
        self.alive.add(self)
        self.trap = trap
        super().__init__(folder, 1, programs)
        bins = str(TOP / "build/crash/bin" if trap.crashes else TOP / "bin")
        self.env["PATH"] = f"{bins}:{self.env['PATH']}"
        self.env.update(trap.environment(self.folder))
        if hold and trap.crashes:
            self.env["SOPHIA_CRASH_HOLD"] = hold
        if trap.watches:
            self.wrap(bins)
        self.restarts = 0
        self.dealt = False      # with the trap's having sprung

    def wrap(self, bins):
        """A program finds the others beside its own file: so all are there."""
        folder, wrap = self.folder / "trace", self.folder / "bin"
        folder.mkdir()
        wrap.mkdir()
        for path in pathlib.Path(bins).glob("sophia-*"):
            real, script = wrap / f"real-{path.name}", wrap / path.name
            try:
                os.link(path, real)
            except OSError:
                shutil.copy(path, real)
            script.write_text(WRAPPER.format(name=path.name, bin=wrap))
            script.chmod(0o755)
        strace = ["-e", "trace=" + ",".join(self.trap.watches),
                  *self.trap.inject]
        self.env.update(SWEEP_FOLDER=str(folder), SWEEP_WHO=self.trap.who,
                        SWEEP_STRACE=" ".join(strace),
                        PATH=f"{wrap}:{self.env['PATH']}")

    def discord_starts(self):
        at = self.fake("discord", str(TESTS / "peers/discord"))
        self.control, self.bot = at["control"], at["bot"]
        self.api, self.guild = at["api"], at["guild"]
        self.token, self.channel = at["token"], at["channel"]
        self.env.update(SOPHIA_DISCORD_API=at["api"], DISCORD_TOKEN=at["token"])
        self.do("limits", mode="off")
        self.do("heartbeat", interval_ms=2000)

    def model_starts(self, rules):
        file = self.folder / "rules.json"
        file.write_text(json.dumps(rules))
        port = self.fake("provider", str(TESTS / "peers/provider"),
                         "--rules", str(file))
        self.provider = f"http://127.0.0.1:{port}"

    def home_make(self, settings):
        """Ready to be started: what a sweep is not about."""
        (self.home / "models").mkdir()
        (self.home / "models/fake.json").write_text(json.dumps({
            "id": "fake", "protocol": "chat", "model": "m", "context": 32768,
            "reserve": 1024, "base_url": self.provider + "/v1"}))
        for name, value in settings.items():
            self.command("sophia-settings", "set", name, value)

    def command(self, *argv):
        """One that nobody kills."""
        quiet = {k: v for k, v in self.env.items()
                 if not k.startswith(("SOPHIA_CRASH", "SWEEP_"))}
        quiet["PATH"] = f"{TOP}/bin:{os.environ['PATH']}"
        subprocess.run(argv, env=quiet, check=True, stdout=self.log("command"))

    def log(self, name):
        return open(self.folder / f"{name}.log", "ab")

    def person(self, name):
        return next(u["id"] for u in json.loads(
            (TESTS / "peers/discord/world.json").read_text())["users"]
            if u["username"] == name)

    # What happens

    def tend(self):
        """Start again what has ended; nothing is left of whoever is dead."""
        if not self.dealt and self.trap.first_sprung(self.folder):
            self.dealt = True
            self.forget_limits()
        for name, process in list(self.running.items()):
            code = process.poll()
            if code is None:
                continue
            self.ended.append((name, code))
            self.restarts += 1
            if self.restarts > 20:
                raise Broken(f"{name} ends again and again, with {code}")
            self.forget_limits()
            self.launch(name)

    def forget_limits(self):
        """A dead one's reservations last 30 s; that they are over is played."""
        (self.home / "run/limits").unlink(missing_ok=True)

    def sql(self, query, base="tasks"):
        """Rows, or none while there is no such store."""
        path = self.home / f"{base}.sqlite"
        if not path.exists():
            return []
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True,
                             timeout=5) as db:
            try:
                return db.execute(query).fetchall()
            except sqlite3.OperationalError:
                return []

    def change(self, statement):
        with sqlite3.connect(self.home / "tasks.sqlite", timeout=10) as db:
            db.execute(statement)

    def one(self, query, base="tasks"):
        rows = self.sql(query, base)
        return rows[0][0] if rows else None

    def message(self, channel, number):
        """As Discord has it now, or None."""
        try:
            return get(f"{self.api}/channels/{channel}/messages/{number}",
                       token=self.token)
        except Broken:
            return None

    def held(self):
        """The pid of who was stopped at the point where the story holds one."""
        note = self.folder / "passes.held"
        return int(note.read_text().split()[0]) if note.exists() else None

    def release(self):
        try:
            os.kill(self.held(), signal.SIGCONT)
        except ProcessLookupError:
            pass

    def passed(self):
        """The points that were passed, in order: (pid, name)."""
        log = self.folder / "passes"
        return [tuple(line.split()) for line in
                (log.read_text().splitlines() if log.exists() else ())]

    def passes(self):
        """The names that were passed: {pid: {name: times}}."""
        found = {}
        for pid, name in self.passed():
            counts = found.setdefault(pid, {})
            counts[name] = counts.get(name, 0) + 1
        return found

    def after_kill(self):
        """What was passed since the first kill, by whoever was not its victim."""
        note = self.folder / "passes.killed"
        if not note.exists():
            return set()
        victim = note.read_text().split()[0]
        passed = self.passed()
        last = max(i for i, (pid, _) in enumerate(passed) if pid == victim)
        return {name for _, name in passed[last + 1:]}

    def calls(self):
        """The traced system calls: {instance: {call: times}}."""
        found = {}
        for trace in (self.folder / "trace").glob("*/trace"):
            counts = found.setdefault(trace.parent.name, {})
            for line in trace.read_text(errors="replace").splitlines():
                call = line.split("(")[0]
                if call in self.trap.watches:
                    counts[call] = counts.get(call, 0) + 1
        return found

    def close(self):
        self.stop()
        for process in self.fakes:
            process.kill()
            process.wait()
        self.alive.discard(self)

    @classmethod
    def end(cls, number, _frame):
        """By a signal: whoever ends this ends what it started, too."""
        for rig in list(cls.alive):
            for process in list(rig.running.values()) + rig.fakes:
                process.kill()
        os._exit(128 + number)

    def remove(self):
        shutil.rmtree(self.folder)


def wait(rig, until, seconds, step=None):
    """Tend until a state satisfies; the last state, or None if it is late."""
    end = time.monotonic() + seconds
    while True:
        rig.tend()
        state = rig.state()
        if step:
            step(state)
        if until(state):
            return state
        if time.monotonic() > end:
            return None
        time.sleep(0.05)


for each in (signal.SIGTERM, signal.SIGINT):
    signal.signal(each, Rig.end)

__all__ = ["Broken", "Call", "Point", "Rig", "Trap", "get", "wait"]
