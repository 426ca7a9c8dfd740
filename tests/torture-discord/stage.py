"""stage - a whole Sophia between a fake Discord and a fake model provider.

Everything is in one folder: home/ is Sophia's state, *.log what each program
said. Programs that end are started again, as a supervisor would; how they ended
is kept. Only processes that are descendants of this one are ever killed.
"""
import json
import os
import pathlib
import signal
import subprocess
import time
import urllib.error
import urllib.request

TESTS = pathlib.Path(__file__).resolve().parents[1]
PYTHON = "/usr/bin/python3"
WORD = "q[0-9]+[a-z]+"      # what the model repeats of a question
PROGRAMS = {"gateway": ["sophia-gateway", "--spool"],
            "index": ["sophia-index", "follow"],
            "converse": ["sophia-converse"]}
SUPERVISED = {"up": ["sophia-up"]}
RESTART_S = 0.5


class Broken(Exception):
    """Sophia, or the stage itself, cannot go on."""


def get(url, body=None, token=None):
    """JSON from one of the fakes."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data)
    if token:
        request.add_header("Authorization", f"Bot {token}")
        request.add_header("User-Agent", "DiscordBot (torture, 1)")
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as e:
        raise Broken(f"{url}: {e.read().decode()}") from None


def name_of(pid):
    """The program that a process runs."""
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return os.path.basename(words[0].decode())


def descendants(pid):
    found = []
    try:
        kids = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return found
    for kid in map(int, kids.split()):
        found.append(kid)
        found += descendants(kid)
    return found


class Stage:
    def __init__(self, folder, seed, programs=None):
        self.folder = pathlib.Path(folder)
        self.home = self.folder / "home"
        self.home.mkdir()
        self.seed = seed
        self.running = {}
        self.ended = []     # (program, exit code) in order
        self.again = {}     # program -> when to start it again
        self.fakes = []
        self.env = dict(os.environ, SOPHIA_HOME=str(self.home),
                        SOPHIA_SHARE=str(TESTS.parent / "share"))
        for name in ("SOPHIA_SECRETS", "SOPHIA_CLOCK", "SOPHIA_SEED"):
            self.env.pop(name, None)
        bins = self.env["PATH"].split(":")
        up = any(os.access(f"{b}/sophia-up", os.X_OK) for b in bins)
        every = SUPERVISED if up and not programs else PROGRAMS
        self.programs = {name: argv for name, argv in every.items()
                         if not programs or name in programs}

    # The fakes

    def fake(self, name, *argv):
        """Start one; answers the first line it prints."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen(
            [PYTHON, "-B", *argv], stdin=subprocess.PIPE, stderr=log,
            stdout=subprocess.PIPE)
        self.fakes.append(process)
        line = process.stdout.readline()
        if not line:
            raise Broken(f"the fake {name} does not start")
        return json.loads(line)

    def start(self):
        at = self.fake("discord", str(TESTS / "peers/discord"), "--seed",
                       str(self.seed), "--state",
                       str(self.folder / "discord.json"))
        self.control, self.bot = at["control"], at["bot"]
        self.api, self.guild = at["api"], at["guild"]
        port = self.fake("provider", str(TESTS / "peers/provider"), "--echo",
                         WORD, "--delay", "300")
        self.provider = f"http://127.0.0.1:{port}"
        self.env.update(SOPHIA_DISCORD_API=at["api"],
                        DISCORD_TOKEN=at["token"])
        (self.home / "models").mkdir()
        (self.home / "models/fake.json").write_text(json.dumps({
            "id": "fake", "protocol": "chat", "base_url":
            self.provider + "/v1", "model": "m", "context": 32768,
            "reserve": 1024}))
        self.do("heartbeat", interval_ms=2000)
        for setting in (("profile", "fake"), ("discord.dms", "on"),
                        ("discord.guilds", self.guild),
                        ("discord.users", ",".join(self.people()))):
            self.run("sophia-settings", "set", *setting)
        for name in self.programs:
            self.launch(name)

    def do(self, what, /, **order):
        return get(self.control, dict(order, do=what))

    def people(self):
        """Ids of all who may ask: direct messages are for those named."""
        members = get(self.api + f"/guilds/{self.guild}/members?limit=100",
                      token=self.env["DISCORD_TOKEN"])
        return [m["user"]["id"] for m in members
                if not m["user"].get("bot")]

    def state(self):
        return get(self.control + "/state")

    def provide(self, *steps):
        get(self.provider + "/control/steps", list(steps))

    # Sophia

    def run(self, *argv):
        done = subprocess.run(argv, env=self.env, capture_output=True,
                              text=True, timeout=60)
        if done.returncode not in (0, 1):
            raise Broken(f"{' '.join(argv)}: {done.returncode}: {done.stderr}")
        return done.stdout

    def launch(self, name):
        log = open(self.folder / f"{name}.log", "ab")
        self.running[name] = subprocess.Popen(
            self.programs[name], env=self.env, stdin=subprocess.DEVNULL,
            stdout=log, stderr=log, start_new_session=True)

    def tend(self):
        """Start again what has ended. Broken, if it says that it is no use."""
        for name, process in list(self.running.items()):
            code = process.poll()
            if code is None:
                continue
            del self.running[name]
            self.ended.append((name, code))
            self.again[name] = time.monotonic() + RESTART_S
            if code not in (0, 1, 75, -signal.SIGKILL, -signal.SIGTERM):
                raise Broken(f"{name} ended with {code}")
        for name, at in list(self.again.items()):
            if time.monotonic() >= at:
                del self.again[name]
                self.launch(name)

    def processes(self, program):
        """Pids of Sophia's processes of that name, oldest first."""
        return sorted(pid for process in self.running.values()
                      for pid in [process.pid] + descendants(process.pid)
                      if name_of(pid) == program)

    def kill(self, program, pick, number=signal.SIGKILL):
        """Kill one of them; False if there is none."""
        found = self.processes(program)
        if not found:
            return False
        try:
            os.kill(found[pick % len(found)], number)
        except ProcessLookupError:
            return False
        return True

    def stop(self):
        """End Sophia in order; answers the programs that didn't."""
        late = []
        for process in self.running.values():
            process.terminate()
        for name, process in self.running.items():
            try:
                process.wait(15)
                self.ended.append((name, process.returncode))
            except subprocess.TimeoutExpired:
                late.append(name)
        for process in self.running.values():
            for pid in descendants(process.pid) + [process.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            process.wait()
        self.running.clear()
        return late

    def close(self):
        """End everything, and keep what the fakes know."""
        self.stop()
        if len(self.fakes) == 2:
            log = get(self.control + "/log")
            with open(self.folder / "discord.ndjson", "w") as out:
                out.writelines(json.dumps(entry) + "\n" for entry in log)
            asked = get(self.provider + "/control/log")
            (self.folder / "provider.json").write_text(json.dumps(asked))
        for process in self.fakes:
            process.stdin.close()
            process.wait(10)
