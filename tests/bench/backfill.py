"""What a backfill makes of the rate that Discord permits.

CHANNELS channels (20) of PAGES pages (31) each, on the fake Discord, fetched by
`sophia-backfill --all` into an empty index; twice:
- with limits as documented: 5 pages in 5 s from each channel, so that 20 pages
  a second are permitted, after a first burst;
- with those of the channels out of the way: 50 requests a second, all told.

permitted_s   how long the pages would take if each request were sent the moment
              that the limits permit it, and answered at once
took_s        from the first page to the last
used          permitted_s / took_s
"""
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
CHANNELS = int(os.environ.get("CHANNELS", 20))
PAGES = int(os.environ.get("PAGES", 31))
ROUTE = "GET /channels/{channel_id}/messages"


class Fake:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, TOP / "tests/peers/discord"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.at = json.loads(self.process.stdout.readline())

    def do(self, **order):
        request = urllib.request.Request(
            self.at["control"], json.dumps(order).encode(),
            {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def state(self):
        with urllib.request.urlopen(self.at["control"] + "/state") as answer:
            return json.load(answer)

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def backfill(fake):
    """Run it; the times of its pages, and the CPU time that it took."""
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, SOPHIA_HOME=home,
                           SOPHIA_SHARE=str(TOP / "share"),
                           SOPHIA_DISCORD_API=fake.at["api"],
                           DISCORD_TOKEN=fake.at["token"])
        subprocess.run(["sophia-settings", "set", "discord.guilds",
                        fake.at["guild"]], env=environment, check=True,
                       stdout=subprocess.DEVNULL)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(["sophia-backfill", "--all"], text=True,
                                   env=environment, stdout=subprocess.PIPE)
        times, messages = [], 0
        for line in process.stdout:
            page = json.loads(line)
            if page["channel"]["name"].startswith("bench"):
                times.append(time.monotonic())
                messages += page["new"]
        assert process.wait() == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return times, messages, (after.ru_utime + after.ru_stime
                                 - before.ru_utime - before.ru_stime)


def measure(name, permitted_s, routes=None):
    fake = Fake()
    for n in range(CHANNELS):
        fake.do(do="channel", name=f"bench{n}", type=0)
        fake.do(do="fill", channel=f"bench{n}", count=100 * PAGES - 50)
    fake.do(do="limits", **({"routes": routes} if routes else {}))
    times, messages, cpu_s = backfill(fake)
    state = fake.state()
    fake.stop()
    assert messages == CHANNELS * (100 * PAGES - 50), messages
    assert len(times) == CHANNELS * PAGES
    took = times[-1] - times[0]
    print(f"{name:<22}{len(times):>6}{permitted_s:>13.1f}{took:>9.1f}"
          f"{100 * permitted_s / took:>7.1f}%{sum(state['limited'].values()):>6}"
          f"{messages / took:>12,.0f}{cpu_s:>7.1f}", flush=True)


def main():
    print(f"{CHANNELS} channels of {PAGES} pages")
    print(f"{'limits':<22}{'pages':>6}{'permitted_s':>13}{'took_s':>9}"
          f"{'used':>8}{'429':>6}{'messages/s':>12}{'cpu_s':>7}")
    measure("5 in 5 s a channel", max((PAGES - 1) // 5 * 5,
                                      CHANNELS * PAGES / 50))
    measure("50 a second in all", (CHANNELS * PAGES - 1) / 50,
            {ROUTE: [1000, 1]})


main()
