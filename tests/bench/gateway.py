"""gateway - sophia-gateway beside a discord.js 14 client.

Both connect to the same fake Discord at the same time, with one guild and with
500 guilds of 100 channels, plain and over TLS: memory, processor and wake-ups
while nothing happens (IDLE_S seconds of it), and the time from start to READY
beyond that of the same exchange by bare sockets. How fast events go from the
socket to the spool, or to a listener, and a GUILD_CREATE of 5 MB, are measured
with blaster.py, which has its frames ready. Clients that are timed run alone, in
turns. Times of a login are medians; of the rest the best of ROUNDS counts, since
whatever else runs on the machine can only make them worse. Beside the events a
second there are those for a second of processor, of all threads: that figure
hardly minds what else runs.

Environment: IDLE_S (60), EVENTS (40000), TURNS (5), ROUNDS (3).
"""
import json
import os
import pathlib
import socket
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import blaster

TOP = pathlib.Path(__file__).resolve().parents[2]
IDLE_S = float(os.environ.get("IDLE_S", "60"))
EVENTS = int(os.environ.get("EVENTS", "40000"))
TURNS = int(os.environ.get("TURNS", "5"))
ROUNDS = int(os.environ.get("ROUNDS", "3"))
MARKER = "the last of them"
TEXT = "On the quay, where the lanterns are, we talk of tides and of what they bring. " * 3
BIG = 5 << 20


def world(path, guilds):
    """A world file: so many guilds, of 100 channels each."""
    base = json.loads((TOP / "tests/peers/discord/world.json").read_text())
    role = base["guilds"][0]["roles"][:1]
    base["messages"] = []
    base["guilds"] = [
        {"id": str(1300000000000000000 + g * 1000), "name": f"Guild {g}", "owner": "ada",
         "roles": role, "members": [{"user": "sophia"}, {"user": "ada"}],
         "channels": [{"id": str(1300000000000000001 + g * 1000 + c), "name": f"channel-{c}",
                       "type": 0, "topic": "What belongs here is talked of here."}
                      for c in range(100)]} for g in range(guilds)]
    path.write_text(json.dumps(base))
    return path


class Fake:
    def __init__(self, world_file, cert):
        tls = ["--tls", *cert] if cert else []
        self.process = subprocess.Popen(
            [sys.executable, TOP / "tests/peers/discord", "--world", world_file, *tls],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.at = json.loads(self.process.stdout.readline())

    def do(self, order):
        subprocess.run(["curl", "-ksS", "-o", "/dev/null", "-d", json.dumps(order),
                        self.at["control"]], check=True)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def lines_of(process):
    """Its lines with the time at which each came, as a list that grows."""
    came = []

    def read():
        for line in process.stdout:
            came.append((time.perf_counter(), line))

    threading.Thread(target=read, daemon=True).start()
    return came


def wait_for(condition, what, timeout_s=60):
    end = time.perf_counter() + timeout_s
    while not (found := condition()):
        if time.perf_counter() > end:
            raise SystemExit(f"gateway bench: {what} never came")
        time.sleep(0.0005)
    return found


class Client:
    """A process that connects, and the lines it says."""

    def __init__(self, command, **environment):
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=dict(os.environ, SOPHIA_SHARE=str(TOP / "share"), **environment))
        self.came = lines_of(self.process)

    def said(self, words):
        """When it said that."""
        return wait_for(lambda: next((at for at, line in list(self.came) if words in line), 0),
                        words.decode())

    def ready_s(self):
        return self.said(self.READY) - self.began

    def close(self):
        self.process.stdin.close()
        self.process.terminate()
        self.process.wait()


class Sophia(Client):
    name, READY = "sophia-gateway", b'"state":"up"'

    def __init__(self, at, cert, zlib=False):
        self.home = tempfile.TemporaryDirectory()
        super().__init__(["sophia-gateway", "--spool", *([] if zlib else ["--no-zlib"])],
                         SOPHIA_HOME=self.home.name, SOPHIA_DISCORD_API=at["api"],
                         DISCORD_TOKEN=at["token"], SSL_CERT_FILE=cert or "",
                         CURL_CA_BUNDLE=cert or "")
        self.spool = pathlib.Path(self.home.name) / "spool/0"

    def size(self):
        return sum(f.stat().st_size for f in self.spool.glob("*.ndjson"))

    def reached(self, before, least):
        """When the spool had grown by that much."""
        wait_for(lambda: self.size() - before >= least, "the spool's growth")
        return time.perf_counter()

    def close(self):
        super().close()
        self.home.cleanup()


class DiscordJs(Client):
    name, READY = "discord.js", b"ready_ms"

    def __init__(self, at, cert):
        super().__init__(["node", DISCORDJS / "bench.mjs", at["api"], at["token"], MARKER],
                         NODE_EXTRA_CA_CERTS=cert or "", NODE_NO_WARNINGS="1")


def counters(pid):
    """KiB of memory; ns of processor and wake-ups, of all threads."""
    proc = pathlib.Path(f"/proc/{pid}")
    status = (proc / "status").read_text()
    rss = int(status.split("VmRSS:")[1].split()[0])
    spent = woken = 0
    for task in (proc / "task").iterdir():
        spent += int((task / "schedstat").read_text().split()[0])
        woken += int((task / "status").read_text().split("\nvoluntary_ctxt_switches:")[1].split()[0])
    return rss, spent, woken


def idle(world_file, cert):
    """[(rss KiB, ms of processor a minute, wake-ups a minute)] of both."""
    fake = Fake(world_file, cert)
    fake.do({"do": "starts", "concurrency": 1})
    clients = [Sophia(fake.at, cert and cert[0])]
    clients[0].ready_s()
    time.sleep(6)  # Discord lets one begin every 5 s
    clients.append(DiscordJs(fake.at, cert and cert[0]))
    clients[1].said(b"guilds_ms")
    time.sleep(5)
    before = [counters(c.process.pid) for c in clients]
    time.sleep(IDLE_S)
    after = [counters(c.process.pid) for c in clients]
    for c in clients:
        c.close()
    fake.close()
    minute = 60 / IDLE_S
    return [(a[0], (a[1] - b[1]) / 1e6 * minute, (a[2] - b[2]) * minute)
            for b, a in zip(before, after)]


def bare_s(server, cert):
    """The exchange of a login by sockets alone: what is the network's."""
    began = time.perf_counter()
    host = urllib.parse.urlparse(server.api)

    def connect():
        sock = socket.create_connection((host.hostname, host.port), timeout=10)
        if cert:
            context = ssl.create_default_context(cafile=cert[0])
            sock = context.wrap_socket(sock, server_hostname="localhost")
        return sock, sock.makefile("rb")

    sock, stream = connect()
    sock.sendall(b"GET /api/v10/gateway/bot HTTP/1.1\r\nHost: x\r\n\r\n")
    while stream.readline().strip():
        pass
    sock, stream = connect()
    sock.sendall(b"GET /?v=10 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                 b"Sec-WebSocket-Key: eA==\r\n\r\n")
    while stream.readline().strip():
        pass
    stream.read(stream.read(2)[1])  # HELLO is short
    text = b'{"op":2,"d":{}}'
    sock.sendall(bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text)
    stream.read(4)
    server.client()
    return time.perf_counter() - began


def login(server, at, cert):
    """Seconds from start to READY, of both, and of the bare exchange."""
    times = {"bare": [], "sophia": [], "js": []}
    for _ in range(TURNS):
        times["bare"].append(bare_s(server, cert))
        for key, kind in (("sophia", Sophia), ("js", DiscordJs)):
            client = kind(at, cert and cert[0])
            times[key].append(client.ready_s())
            server.client()
            client.close()
    return {k: statistics.median(v) for k, v in times.items()}


def frames_of(link, events):
    out = [link.frame_event("MESSAGE_CREATE", blaster.message(i, TEXT)) for i in range(events)]
    out.append(link.frame_event("MESSAGE_CREATE", blaster.message(events, MARKER)))
    return b"".join(out)


class Took:
    """What a round took: seconds, seconds of processor, KiB."""

    def __init__(self, pid):
        self.pid = pid
        self.before = counters(pid)
        self.began = time.perf_counter()

    def until(self, end):
        self.seconds = end - self.began
        rss, spent, _ = counters(self.pid)
        self.rss, self.cpu = rss, (spent - self.before[1]) / 1e9
        return self


def sophia_s(server, at, cert, frames, least, zlib=False):
    """Until what frames() makes is in the spool."""
    client = Sophia(at, cert and cert[0], zlib)
    link = server.client()
    client.ready_s()
    time.sleep(0.5)
    data, before = frames(link), client.size()
    took = Took(client.process.pid)
    threading.Thread(target=link.send, args=(data,), daemon=True).start()
    took.until(client.reached(before, least(data)))
    client.close()
    return took


def js_s(server, at, cert, frames):
    """Until a listener has heard what frames() makes."""
    client = DiscordJs(at, cert and cert[0])
    link = server.client()
    client.said(b"guilds_ms")
    time.sleep(0.5)
    data = frames(link)
    took = Took(client.process.pid)
    threading.Thread(target=link.send, args=(data,), daemon=True).start()
    took.until(client.said(b"per_second"))
    client.close()
    return took


def big(link):
    topic = "x" * 900
    data = blaster.guild("1600000000000000000", 1, topic)
    count = BIG // len(json.dumps(data["channels"][0]))
    data = blaster.guild("1600000000000000000", count, topic)
    return (link.frame_event("GUILD_CREATE", json.dumps(data)) +
            link.frame_event("MESSAGE_CREATE", blaster.message(1, MARKER)))


def best_of(*measures):
    """The best round of each; they take turns."""
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS)]
    return [(min(t.seconds for t in each), min(t.cpu for t in each), max(t.rss for t in each))
            for each in zip(*rounds)]


def row(what, ours, theirs, unit, goal, better):
    """better: +1 if more is better, -1 if less."""
    less, more = (theirs, ours) if better > 0 else (ours, theirs)
    ratio = f"{more / less:.1f}x" if less > 0 else "-"
    met = "" if goal is None else "met" if more >= less * goal else "NOT MET"
    aim = "" if goal is None else f"{goal:g}x"
    print(f"{what:<50} {ours:>11,.1f} {theirs:>11,.1f} {unit:<7} {ratio:>7} {aim:>4} {met}",
          flush=True)


def measure_idle(scratch, name, cert):
    for guilds in (1, 500):
        s, j = idle(world(scratch / f"world-{guilds}.json", guilds), cert)
        what = f"{name}, {guilds} guild{'s' if guilds > 1 else ''}, idle: "
        row(what + "RSS", s[0] / 1024, j[0] / 1024, "MiB", 6, -1)
        row(what + "processor", s[1], j[1], "ms/min", None, -1)
        row(what + "wake-ups", s[2], j[2], "/min", None, -1)


def measure_speed(name, cert):
    server = blaster.Blaster(*(cert or ()))
    at = {"api": server.api, "token": "loopback.not-a-real-token"}
    t = login(server, at, cert)
    row(f"{name}, start to READY beyond the network", (t["sophia"] - t["bare"]) * 1000,
        (t["js"] - t["bare"]) * 1000, "ms", 3, -1)

    def many(link):
        return frames_of(link, EVENTS)

    def most(data):
        return len(data) * 0.9999

    own, bare, js = best_of(
        lambda: sophia_s(server, at, cert, many,
                         lambda _: EVENTS * len(blaster.message(1, TEXT)), True),
        lambda: sophia_s(server, at, cert, many, most),
        lambda: js_s(server, at, cert, many))
    row(f"{name}, events a second", EVENTS / own[0], EVENTS / js[0], "/s", 3, 1)
    row(f"{name}, the same for a second of processor", EVENTS / own[1], EVENTS / js[1], "/s",
        None, 1)
    row(f"{name}, events a second, ours without zlib", EVENTS / bare[0], EVENTS / js[0], "/s",
        None, 1)
    row(f"{name}, RSS after them", own[2] / 1024, js[2] / 1024, "MiB", 6, -1)
    own, js = best_of(lambda: sophia_s(server, at, cert, big, most),
                      lambda: js_s(server, at, cert, big))
    row(f"{name}, GUILD_CREATE of 5 MB", own[0] * 1000, js[0] * 1000, "ms", None, -1)
    row(f"{name}, RSS after it", own[2] / 1024, js[2] / 1024, "MiB", 6, -1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        cert = (str(scratch / "cert"), str(scratch / "key"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", cert[1],
                        "-out", cert[0]], check=True, capture_output=True)
        print(f"{'':<50} {'sophia':>11} {'discord.js':>11} {'':<7} {'better':>7} goal")
        for name, pair in (("plain", None), ("TLS", cert)):
            measure_speed(name, pair)
            measure_idle(scratch, name, pair)


DISCORDJS = pathlib.Path(sys.argv[1])
main()
