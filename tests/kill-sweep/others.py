"""others - stories of what people do besides asking.

Commands at a shell, each given again until it is done, as their user would; and
a talk by slash command that is corrected, stopped, and cancelled.
"""
import shutil
import signal
import subprocess
import time

from rig import TOP
from story import Story, lines, manners, standing, story, whole

TRIES = 5
PATIENCE_S = 5  # until somebody stops what shows no progress


@story
class Commands(Story):
    """An archive, history, a setting, a grant, a task that is forgotten."""
    name = "commands"
    programs = ()

    def prepare(self):
        self.rig.do("fill", channel="general", count=120, text="tide %n")
        self.rig.do("fill", channel="random", count=5, text="wind %n")

    def rules(self):
        return [{"when": "slow", "delay_ms": 20000, "text": "never"},
                *super().rules()]

    def set_up(self):
        """There are stores that an older Sophia made."""
        old = self.rig.folder / "share"
        shutil.copytree(TOP / "share", old)
        for base in ("tasks", "messages"):
            newest = sorted((old / "schema" / base).glob("*.sql"))[-1]
            newest.unlink()
        sample = min((TOP / "share/samples").glob("*.json"))
        self.rig.command("env", f"SOPHIA_SHARE={old}", "sophia-index",
                         "import", str(sample))
        self.rig.command("env", f"SOPHIA_SHARE={old}", "sophia-ask", "-p",
                         "fake", "what is the tide doing?")

    def shell(self, *argv, fine=(0,)):
        for _ in range(TRIES):
            self.rig.forget_limits()
            done = subprocess.run(argv, env=self.rig.env, timeout=60,
                                  stdout=subprocess.PIPE, text=True,
                                  stderr=self.rig.log("commands"))
            if done.returncode in fine:
                return done.stdout
        self.failed.append(f"{' '.join(argv)}: {done.returncode}")
        return ""

    def begin(self):
        ada, self.failed = self.rig.person("ada"), []
        self.shell("sophia-settings", "set", "discord.recover_hours", "5")
        self.shell("sophia-access", "grant", "-u", ada, "-t", "write")
        samples = sorted((TOP / "share/samples").glob("*.json"))[:2]
        self.shell("sophia-index", "import", "-r", *map(str, samples),
                   fine=(0, 1))
        self.shell("sophia-backfill", "--all", fine=(0, 1))
        self.shell("sophia-ask", "-p", "fake", "what is the tide doing?",
                   fine=(0, 65, 69, 75))
        self.interrupt()
        for task, state in self.rig.sql("SELECT id, state FROM task"):
            self.shell("sophia-task", "recover", fine=(0, 1))
            self.shell("sophia-task", "stop", task, fine=(0, 1, 65, 69))
            self.keep_files(task)
            self.shell("sophia-task", "forget", task, fine=(0, 65))
        tides = self.rig.sql("SELECT id FROM message WHERE text = 'tide 7'",
                             "messages")
        for (number,) in tides:
            self.shell("sophia-index", "delete", "-y", str(number),
                       fine=(0, 1))
        self.shell("sophia-index", "purge")

    def keep_files(self, task):
        """A small one, and a large one that another takes the place of."""
        bytes_ = self.rig.folder / "bytes"
        for letter in b"abc":
            bytes_.write_bytes(bytes([letter]) * (70000 if letter > 97 else 7))
            self.shell("sophia-sandbox", "files", "put", task,
                       "small" if letter == 97 else "large", str(bytes_),
                       fine=(0, 65))
        held = self.shell("sophia-sandbox", "files", "get", task, "large",
                          fine=(0, 65))
        if held not in ("c" * 70000, ""):
            self.failed.append(f"a file of {task} holds {held[:20]}...")
        self.shell("sophia-sandbox", "files", "rm", task, "small",
                   fine=(0, 1, 65))
        self.shell("sophia-sandbox", "gc", fine=(0, 1))

    def interrupt(self):
        """Ask what takes long, and press ^C; once more, if that did nothing."""
        asking = subprocess.Popen(
            ["sophia-ask", "-p", "fake", "this is slow"], env=self.rig.env,
            stdout=subprocess.DEVNULL, stderr=self.rig.log("commands"))
        for _ in range(TRIES):
            end = time.monotonic() + 5
            while time.monotonic() < end and asking.poll() is None and \
                    not self.rig.one("SELECT count(*) FROM task WHERE"
                                     " state = 'running'"):
                time.sleep(0.05)
            asking.send_signal(signal.SIGINT)
            try:
                asking.wait(5)
                return
            except subprocess.TimeoutExpired:
                continue
        asking.kill()
        asking.wait()
        self.failed.append("^C does not end a question")

    def over(self, _state):
        return True

    def judge(self, state):
        yield from self.failed
        yield from manners(state)
        yield from whole(self.rig)
        hours = self.shell("sophia-settings", "get", "discord.recover_hours",
                           "--jq", ".value").strip()
        if hours != "5":
            yield f"the setting is {hours}"
        grants = self.shell("sophia-access", "list", "--json")
        if grants.count('"write"') != 1:
            yield f"not one grant: {grants}"
        for like, number in (("tide %", 119), ("wind %", 5)):
            there = self.rig.one("SELECT count(*) FROM message WHERE text"
                                 f" LIKE '{like}'", "messages")
            if there != number:
                yield f"{there} of {number} messages '{like}' are there"
        if self.rig.one("SELECT count(*) FROM task"):
            yield "the task is not forgotten"
        for left in (self.rig.home / "blob").glob("*/*"):
            yield f"{left.name} is left"


@story
class Talk(Story):
    """A private talk that is corrected while it runs; another is stopped."""
    name = "talk"

    def __init__(self, rig):
        super().__init__(rig)
        self.options = {}

    def rules(self):
        return [{"when": "wind", "unless": '"role": "tool"', "delay_ms": 2500,
                 "calls": [{"name": "evaluate_math",
                            "arguments": {"expression": "6*7"}}]},
                {"when": "wind", "delay_ms": 30000, "text": "never"},
                *super().rules()]

    def ask_again(self):
        """As somebody does who is told that it failed, or was interrupted."""
        for task, now in self.rig.sql(
                "SELECT k.id, k.state FROM task k WHERE objective LIKE"
                " '%tide%' AND state IN ('failed', 'paused') AND (SELECT"
                " count(*) FROM outbox WHERE task = k.id AND state ="
                " 'delivered') = (SELECT count(*) FROM turn WHERE task = k.id)"
                " AND NOT EXISTS (SELECT 1 FROM inbox WHERE task = k.id)"):
            if time.monotonic() > self.at["talk"] + PATIENCE_S:
                del self.made["talk"]
                self.options = {"task_id": task}

    def begin(self):
        """When its commands are registered."""

    def act(self, state):
        """Nobody resumes what was to be stopped; it is stopped once more."""
        self.state = state
        if not self.can_command():
            return
        if not self.command("talk", message="what is the tide doing?",
                            **self.options):
            return
        if not self.answered(state):
            self.ask_again()
            return
        if "wind" not in self.made:
            self.made["wind"] = self.rig.do(
                "say", user="ada", channel="general",
                text="<@sophia> what is the wind doing?")["id"]
        for task, now in self.rig.sql("SELECT id, state FROM task WHERE"
                                      " objective LIKE '%wind%'"):
            since = self.at.setdefault(task, time.monotonic())
            shown = any("Stop" in s["buttons"] for s in standing(state)) or \
                time.monotonic() > since + PATIENCE_S
            if now == "running" and shown and self.command(
                    "steer", text="only the west wind", task_id=task):
                self.command("stop", task_id=task)
            elif now == "paused" and self.command("stop", task_id=task):
                del self.made["stop"]

    def over(self, state):
        return self.answered(state) and self.quiet() and self.rig.one(
            "SELECT count(*) FROM task WHERE objective LIKE '%wind%'"
            " AND state IN ('cancelled', 'failed')") == 1

    def judge(self, state):
        said = [s["content"] for s in standing(state)
                if lines("tide", 1)[0] in s["content"]]
        if len(said) != 1:
            yield f"the talk is answered {len(said)} times"
        if any(s["content"] == "never" for s in standing(state)):
            yield "what was stopped is answered"
        for task, now in self.rig.sql("SELECT id, state FROM task"):
            told = self.rig.one(
                "SELECT count(*) FROM outbox WHERE kind = 'error'"
                f" AND state = 'delivered' AND task = '{task}'")
            if now not in ("completed", "cancelled") and \
                    not (now == "failed" and told):
                yield f"{task} is {now}"
        yield from manners(state)
