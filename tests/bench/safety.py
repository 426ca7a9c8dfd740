"""safety - what it costs that changes happen at most once, and how many tasks
one machine carries.

A change is timed from the request whose answer calls for it to the moment at
which its tool is told to act: checks, decision, intent and lock lie between, and
the network doesn't (the provider's own time is taken off). Beside it stands
what the disk alone asks for as many syncs, in the same folder; plain, and with
4 ms more in each. Then many small turns run side by side, and beside them what
the processes and the syncs of so many would take at best.
"""
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
TURNS = int(os.environ.get("TURNS", "40"))
SMALL = int(os.environ.get("SMALL", "200"))
SIDE = 4 * os.cpu_count()
PRELOAD = str(TOP / "build/peers/slowsync.so")
SLOW_MS = 4
TOOL = r"""#!/bin/bash
# Say yes to all, and when it was told to act.
while read -r call; do
	[[ $call =~ \"id\":\"([^\"]*)\" ]] && id=${BASH_REMATCH[1]}
	if [[ $call == *'"phase":"check"'* ]]; then
		echo "{\"type\":\"proposal\",\"id\":\"$id\",\"text\":\"ring\"," \
			"\"guild\":\"11\",\"targets\":[]}"
		continue
	fi
	at=$EPOCHREALTIME syncs=0
	[ ! -e "$SLOWSYNC_LOG" ] || syncs=$(grep -c sync "$SLOWSYNC_LOG")
	echo "$at $syncs" >>"$SOPHIA_HOME/acts"
	echo "{\"type\":\"result\",\"id\":\"$id\",\"ok\":true,\"summary\":\"rung\"}"
done
"""


class Bench:
    def __init__(self, home):
        self.home, self.number = home, 0
        self.provider = subprocess.Popen(
            [TOP / "tests/peers/provider"], text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE)
        self.port = int(self.provider.stdout.readline())
        self.env = dict(os.environ, SOPHIA_HOME=str(home),
                        SOPHIA_SHARE=str(TOP / "share"),
                        PATH=f"{TOP}/bin:{os.environ['PATH']}")
        self.make_home()

    def make_home(self):
        (self.home / "models").mkdir(parents=True)
        (self.home / "tools").mkdir()
        (self.home / "models/fake.json").write_text(json.dumps({
            "id": "fake", "protocol": "chat", "model": "m", "context": 32768,
            "reserve": 1024, "base_url": f"http://127.0.0.1:{self.port}/v1"}))
        (self.home / "tools/ring.sh").write_text(TOOL)
        (self.home / "tools/ring.sh").chmod(0o755)
        (self.home / "tools/ring.json").write_text(json.dumps({
            "name": "ring", "description": "Ring.", "tier": "write",
            "parameters": {"type": "object", "properties": {}, "required": []},
            "needs": [], "command": ["./ring.sh"], "serve": True,
            "check": True, "time_limit_s": 10, "visible": True}))
        for words in (("sophia-settings", "set", "discord.guilds", "11"),
                      ("sophia-settings", "set", "discord.users", "*"),
                      ("sophia-access", "grant", "-u", "5", "-g", "11", "-t",
                       "write", "-m", "auto")):
            subprocess.run(words, env=self.env, check=True,
                           stdout=subprocess.DEVNULL)

    def control(self, what, body=None):
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(
                f"http://127.0.0.1:{self.port}/control/{what}", data) as got:
            return json.loads(got.read())

    def turn(self, actor, **more):
        self.number += 1
        line = json.dumps({
            "type": "turn", "id": f"0{self.number:019d}", "actor":
            {"id": actor, "name": "bench"}, "location": {
                "kind": "guild", "guild": "11", "channel": "22"},
            "visibility": "public", "text": "Ring!", "attachments": [],
            "approval": "auto", "profile": "fake"}) + "\n"
        done = subprocess.run(
            [TOP / "bin/sophia-loop"], input=line, text=True,
            stdout=subprocess.PIPE, env=dict(self.env, **more))
        assert '"answered"' in done.stdout, done.stdout

    def change(self, delay_ms=0, **more):
        """Seconds from the model's request to the act, and the syncs then."""
        self.control("reset", {})
        self.control("steps", [
            {"calls": [{"name": "ring", "arguments": {}}],
             "delay_ms": delay_ms}, {"text": "Rung."}])
        self.turn("5", **more)
        asked = self.control("log")[0]["at"]
        acted, syncs = (self.home / "acts").read_text().split("\n")[-2].split()
        return float(acted) - asked, int(syncs)

    def count(self, log):
        """Syncs between the request and the act, and of the whole turn. While
        the model takes its time, those before the request are counted."""
        log.touch()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            self.control("reset", {})
            turn = pool.submit(self.change, 600, LD_PRELOAD=PRELOAD,
                               SLOWSYNC_LOG=str(log))
            while not self.control("log") and not turn.done():
                time.sleep(0.02)
            time.sleep(0.3)
            before = syncs(log)
            return turn.result()[1] - before, syncs(log)

    def alone(self):
        """Seconds that the provider takes for an answer."""
        self.control("reset", {})
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        began = time.perf_counter()
        with urllib.request.urlopen(urllib.request.Request(
                f"http://127.0.0.1:{self.port}/v1/chat/completions",
                json.dumps(body).encode(),
                {"Content-Type": "application/json"})) as got:
            got.read()
        return time.perf_counter() - began

    def raw(self):
        """Seconds of the disk for a page that is written and synced."""
        with open(self.home / "raw", "ab") as out:
            out.write(b"x" * 4096)
            out.flush()
            began = time.perf_counter()
            os.fdatasync(out.fileno())
            return time.perf_counter() - began

    def side_by_side(self, work, count):
        """How many a second."""
        began = time.perf_counter()
        with concurrent.futures.ThreadPoolExecutor(SIDE) as pool:
            list(pool.map(work, range(count)))
        return count / (time.perf_counter() - began)


def syncs(log):
    return log.read_text().splitlines().count("sync")


def say(name, value, unit):
    print(f"  {name:<54}{value:>12} {unit}")


def ms(seconds):
    return f"{statistics.median(seconds) * 1000:.1f}"


def cost(bench):
    before, whole = bench.count(bench.home / "syncs")
    plain, slow, alone, raw = [], [], [], []
    for _ in range(TURNS):
        plain.append(bench.change()[0])
        slow.append(bench.change(LD_PRELOAD=PRELOAD,
                                 SLOWSYNC_MS=str(SLOW_MS))[0])
        alone.append(bench.alone())
        raw += [bench.raw() for _ in range(5)]
    own, sync = statistics.median(alone), statistics.median(raw)
    print(f"A change that needs no approval, p50 of {TURNS}")
    say("the model's call to the dispatched effect, no network",
        ms([p - own for p in plain]), "ms")
    say(f"  its {before} syncs, by the disk alone",
        f"{before * sync * 1000:.1f}", "ms")
    say(f"the same, each sync {SLOW_MS} ms longer",
        ms([s - own for s in slow]), "ms")
    say("  its syncs, by such a disk alone",
        f"{before * (sync * 1000 + SLOW_MS):.1f}", "ms")
    say("syncs of the whole turn, all programs", whole, "")
    return sync


def load(bench, sync):
    bench.control("reset", {})
    log = bench.home / "syncs"
    log.write_text("")
    bench.turn("8", LD_PRELOAD=PRELOAD, SLOWSYNC_LOG=str(log))
    each = syncs(log)
    tasks = bench.side_by_side(lambda n: bench.turn(str(1000 + n)), SMALL)
    pairs = bench.side_by_side(
        lambda _: [subprocess.run(["/bin/true"], check=True) for _ in "ab"],
        SMALL)
    print(f"{SMALL} small turns, {SIDE} at a time, each of another person")
    say("tasks a second, each asked, answered and on the disk",
        f"{tasks:.0f}", "")
    say("  pairs of bare programs a second, started so", f"{pairs:.0f}", "")
    say(f"  the disk's syncs a second, by {each} a task",
        f"{1 / sync / each:.0f}", "")


def main():
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as top:
        bench = Bench(pathlib.Path(top) / "home")
        try:
            load(bench, cost(bench))
        finally:
            bench.provider.kill()
            bench.provider.wait()


if __name__ == "__main__":
    main()
