"""loop - what a turn costs beyond the model's own time.

A turn asks twice: the model first calls two tools side by side, then answers. It
is timed from the start of sophia-loop to its `done` record. The provider answers
at once; its own time, and that of starting as many bare programs, are measured in
the same run and set beside it. Figures are medians of TURNS, turns and rivals
taking turns, so that a busy machine is busy for all of them.
"""
import http.client
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
TURNS = int(os.environ.get("TURNS", "40"))
PRELOAD = str(TOP / "build/peers/slowsync.so")
CALLS = {"calls": [{"name": "evaluate_math", "arguments": {"expression": "6*7"}},
                   {"name": "evaluate_math", "arguments": {"expression": "2^64"}}]}
STEPS = [CALLS, {"text": "42, and 18446744073709551616."}]
PROCESSES = 4  # the loop, the model, and a tool for each call
HELD = """#!/bin/sh
# Say how much memory the loop and its model had at most, while they live.
read -r call
for pid in $PPID $(cat "/proc/$PPID/task/$PPID/children"); do
	name=$(cat "/proc/$pid/comm")
	kib=$(sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' "/proc/$pid/status")
	echo "$name $kib" >>"$SOPHIA_HOME/peaks"
done
echo '{"type":"result","ok":true,"summary":"seen"}'
"""


class Provider:
    def __init__(self):
        self.process = subprocess.Popen([TOP / "tests/peers/provider"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())

    def post(self, path, body):
        link = http.client.HTTPConnection("127.0.0.1", self.port)
        link.request("POST", path, json.dumps(body),
                     {"Content-Type": "application/json"})
        answer = link.getresponse().read()
        link.close()
        return answer

    def says(self, steps):
        self.post("/control/reset", {})
        self.post("/control/steps", steps)

    def requests(self):
        link = http.client.HTTPConnection("127.0.0.1", self.port)
        link.request("GET", "/control/log")
        return [x["body"] for x in json.loads(link.getresponse().read())]

    def own_time(self, bodies):
        """The same two requests, on one connection, with nothing between."""
        self.says(STEPS)
        link = http.client.HTTPConnection("127.0.0.1", self.port)
        spent = 0
        texts = [json.dumps(b) for b in bodies]
        link.connect()
        for text in texts:
            began = time.perf_counter()
            link.request("POST", "/v1/chat/completions", text,
                         {"Content-Type": "application/json"})
            link.getresponse().read()
            spent += time.perf_counter() - began
        link.close()
        return spent


def environment(**more):
    return dict(os.environ, SOPHIA_HOME=str(home), SOPHIA_SHARE=str(TOP / "share"),
                PATH=f"{TOP}/bin:{os.environ['PATH']}", **more)


def turn_line(number):
    return json.dumps({"type": "turn", "id": f"0{number:019d}", "actor":
                       {"id": "local", "name": "bench"}, "location":
                       {"kind": "local"}, "visibility": "private", "text":
                       "How much?", "attachments": [], "approval": "ask",
                       "profile": "fake"}) + "\n"


def turn(steps=STEPS, **more):
    """Seconds from the start to the verdict."""
    global turns
    turns += 1
    provider.says(steps)
    line = turn_line(turns)
    began = time.perf_counter()
    loop = subprocess.Popen([TOP / "bin/sophia-loop"], text=True,
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                            env=environment(**more))
    loop.stdin.write(line)
    loop.stdin.flush()
    for record in loop.stdout:
        if '"type":"done"' in record:
            break
    spent = time.perf_counter() - began
    assert '"answered"' in record, record
    loop.stdin.close()
    loop.stdout.read()
    loop.wait()
    return spent


def bare():
    """As many programs that do nothing, one after the other."""
    began = time.perf_counter()
    for _ in range(PROCESSES):
        subprocess.run(["/bin/true"], check=True)
    return time.perf_counter() - began


def ask():
    began = time.perf_counter()
    subprocess.run([TOP / "bin/sophia", "ask", "--text", "-p", "extractive",
                    "Why did the Grey Singer 66 skip stitches on denim?"],
                   check=True, env=environment(), stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def start(program):
    began = time.perf_counter()
    subprocess.run([TOP / "bin" / program, "--version"], check=True,
                   env=environment(), stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def worked():
    """Seconds of processor time of all children so far, and theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def syncs(log):
    return log.read_text().count("sync")


def say(name, value, unit, goal=""):
    print(f"  {name:<48}{value:>14} {unit:<3}{goal}")


def ms(seconds):
    """Median, and the best, which is what a machine with nothing else to do gives."""
    return f"{statistics.median(seconds) * 1000:.1f} ({min(seconds) * 1000:.1f})"


def main():
    (home / "models").mkdir(parents=True)
    (home / "tools").mkdir()
    (home / "models/fake.json").write_text(json.dumps({
        "id": "fake", "protocol": "chat", "model": "m", "context": 32768,
        "reserve": 1024, "base_url": f"http://127.0.0.1:{provider.port}/v1"}))
    turn()
    bodies = provider.requests()
    log = home / "syncs"
    log.touch()
    turn(LD_PRELOAD=PRELOAD, SLOWSYNC_LOG=str(log))
    count = syncs(log)
    whole, work, alone, forks, slow = [], [], [], [], []
    for _ in range(TURNS):
        before = worked()
        whole.append(turn())
        work.append(worked() - before)
        alone.append(provider.own_time(bodies))
        forks.append(bare())
        slow.append(turn(LD_PRELOAD=PRELOAD, SLOWSYNC_MS="4"))
    (home / "tools/held.sh").write_text(HELD)
    (home / "tools/held.sh").chmod(0o755)
    (home / "tools/held.json").write_text(json.dumps({
        "name": "held", "description": "Look.", "tier": "read", "parameters":
        {"type": "object", "properties": {}, "required": []}, "needs": [],
        "command": ["./held.sh"], "serve": False, "time_limit_s": 10,
        "visible": True}))
    turn([CALLS, {"calls": [{"name": "held", "arguments": {}}]}, STEPS[1]])
    peaks = dict(x.split() for x in (home / "peaks").read_text().splitlines())
    subprocess.run([TOP / "bin/sophia-index", "import", TOP / "share/samples"],
                   check=True, env=environment(), stdout=subprocess.DEVNULL)
    asks, thought = [], []
    for _ in range(TURNS):
        before = worked()
        asks.append(ask())
        thought.append(worked() - before)
    starts = [start("sophia") for _ in range(TURNS)]

    print(f"A turn with two tool calls, median (and best) of {TURNS}")
    say("whole turn, to its verdict", ms(whole), "ms")
    say("  the provider alone, same requests", ms(alone), "ms")
    say("  what Sophia adds",
        ms([w - a for w, a in zip(whole, alone)]), "ms", "goal: 25")
    say("  processor time of all its programs", ms(work), "ms")
    say(f"  {PROCESSES} bare programs started and ended, in a row", ms(forks), "ms")
    say("syncs of the disk, all programs", count, "")
    say("whole turn, each sync 4 ms longer", ms(slow), "ms")
    say("most memory of sophia-loop", f"{int(peaks['sophia-loop']) / 1024:.1f}",
        "MB", "goal: 8")
    say("most memory of sophia-model", f"{int(peaks['sophia-model']) / 1024:.1f}",
        "MB", "goal: 18")
    print(f"sophia ask without a model, the samples indexed, median (and best) of {TURNS}")
    say("whole process, to its exit", ms(asks), "ms", "goal: 60")
    say("  processor time of all its programs", ms(thought), "ms")
    say("  sophia --version, the least a process costs", ms(starts), "ms")


turns = 0
with tempfile.TemporaryDirectory() as folder:
    home = pathlib.Path(folder) / "home"
    provider = Provider()
    try:
        main()
    finally:
        provider.process.kill()
        provider.process.wait()
