"""kill-sweep - Sophia is killed at every instant that matters, and goes on.

usage: tests/kill-sweep [--story NAME,...] [--points | --calls]
                        [--case STORY/CASE] [--every N] [--jobs N] [--keep DIR]
                        [--all] [--reached FILE]

Twice. In the programs of `make crash-build`, at each named point and each pass
of it: the points are read from the binaries, and it fails if a story never came
by one. What is only come by when such a kill is mended, it finds on the way,
and kills there, too, in a second generation: STORY/FIRST:N+POINT:N. And in the
shipped programs, by strace, at each sync, rename and send of each program:
killed as it enters the call, and with EIO and ENOSPC out of it. Whoever died is
started again, people do what they would in Discord, and then the effects at the
fake Discord are counted: each is there once, or its author was told that its
end is not known and how to find out.

--every N takes each N-th case, as CI does. A case that fails says how to repeat
it alone, and keeps its folder: state, logs, and what the fakes saw. --all keeps
all folders. With --reached FILE the points that were come by are kept there, so
that a sweep can be made in pieces, story by story. A story that needs a
container engine and its image is left out where they aren't, and it says so.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import rig as rigs
from rig import Broken, Call, Point, Rig, Trap, wait
import change  # noqa: F401  stories register themselves
import closed  # noqa: F401
import company  # noqa: F401
import odd  # noqa: F401
import others  # noqa: F401
import workspace  # noqa: F401
from story import STORIES

SYNCS = ("fsync", "fdatasync")
RENAMES = ("rename", "renameat", "renameat2")
SENDS = ("sendto", "sendmsg", "sendmmsg")
HOWS = ("KILL", "EIO", "ENOSPC")
CRASH_BIN = rigs.TOP / "build/crash/bin"


class Watch(Trap):
    """Only looks at which of the calls there are."""
    watches = SYNCS + RENAMES + SENDS


def run(story_name, trap, folder):
    """Tell a story; its rig, how long it took, and what was wrong."""
    cls = STORIES[story_name]
    folder.mkdir(parents=True)
    rig = Rig(folder, trap, cls.programs, cls.hold)
    tale = cls(rig)
    wrong = []
    began = time.monotonic()
    try:
        rig.discord_starts()
        tale.prepare()
        rig.model_starts(tale.rules())
        rig.home_make(dict(tale.settings, **{"discord.guilds": rig.guild}))
        tale.set_up()
        for name in rig.programs:
            rig.launch(name)
        if "gateway" in rig.programs and wait(
                rig, lambda s: s["sessions"], 45) is None:
            raise Broken("the gateway does not identify")
        tale.begin()
        state = wait(rig, tale.over, tale.seconds, tale.act)
        if state is None:
            wrong.append("it does not come to an end")
        for name in rig.stop():
            wrong.append(f"{name} does not end by SIGTERM")
        state = rig.state()
        (folder / "discord.json").write_text(json.dumps(state, indent=1))
        wrong += tale.judge(state)
    except Broken as e:
        wrong.append(str(e))
    finally:
        rig.close()
    return rig, tale, time.monotonic() - began, wrong


def names_in(binary):
    """The points of a program, from its section."""
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["objcopy", "-O", "binary", "--only-section",
                        "sophia_crash", binary, out.name], check=True)
        return {n.decode() for n in pathlib.Path(out.name).read_bytes()
                .split(b"\0") if n}


def all_points():
    found = set()
    for binary in CRASH_BIN.glob("sophia*"):
        found |= names_in(binary)
    return found


class Sweep:
    def __init__(self, options, keep):
        self.options, self.keep = options, keep
        self.table = collections.defaultdict(collections.Counter)
        self.failed = []
        self.reached = set()
        self.told = collections.defaultdict(set)    # story -> unkilled, by
        self.left_out = {name: why for name in options.story
                         if (why := STORIES[name].lacks())}
        self.mending = {}       # point -> (story, Point) that was killed first
        self.number = 0

    def case(self, story_name, trap):
        self.number += 1
        folder = self.keep / f"{story_name}.{trap}".replace(":", "-")
        rig, tale, took, wrong = run(story_name, trap, folder)
        for counts in rig.passes().values():
            self.reached |= {n for n in counts if tale.strikes(n)}
        if isinstance(trap, Point) and trap.name and not trap.before:
            for name in rig.after_kill() - self.told[story_name]:
                self.mending.setdefault(name, (story_name, trap))
        sprung = trap.sprung(folder)
        if isinstance(trap, Point) and sprung:
            self.reached.add(trap.name)
        ended = tale.outcome()
        if not wrong and not self.options.all:
            rig.remove()
        return story_name, trap, took, wrong, sprung, ended

    def dry(self, story_name, trap):
        """What there is in a story: nothing is killed in it."""
        folder = self.keep / f"{story_name}.{type(trap).__name__}"
        rig, _, took, wrong = run(story_name, trap, folder)
        if wrong:
            raise Broken(f"{story_name}, though nothing is killed: {wrong}; "
                         f"see {folder}")
        found = rig.passes() if trap.crashes else rig.calls()
        rig.remove()
        return found, took

    def points(self, story_name):
        only = STORIES[story_name].only
        if only and self.options.every > 1:     # need not be told for that
            yield from (Point(name, 1) for name in only)
            return
        passes, _ = self.dry(story_name, Point())
        most = collections.Counter()
        for counts in passes.values():
            self.told[story_name] |= set(counts)
            for name, times in counts.items():
                if STORIES[story_name].strikes(name):
                    most[name] = max(most[name], times)
        self.reached |= set(most)
        for name in sorted(most):
            for nth in range(1, most[name] + 1):
                yield Point(name, nth)

    def calls(self, story_name):
        found, _ = self.dry(story_name, Watch())
        traced = STORIES[story_name].traced
        for who in sorted(found):
            if traced and who.rpartition(".")[0] not in traced:
                continue
            for call in sorted(found[who]):
                for nth in range(1, found[who][call] + 1):
                    for how in HOWS:
                        yield Call(who, call, nth, how)

    def cases(self):
        """Every case; the stories are told once each, side by side, first."""
        told = []
        for name in self.options.story:
            if name in self.left_out or \
                    STORIES[name].slow and self.options.every > 1:
                continue
            if self.options.points:
                told.append((name, self.points))
            if self.options.calls and (STORIES[name].traced or
                                       not STORIES[name].only):
                told.append((name, self.calls))
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            found = pool.map(lambda t: list(t[1](t[0])), told)
            return [(name, trap) for (name, _), traps in zip(told, found)
                    for trap in traps]

    def note(self, story_name, trap, took, wrong, sprung, ended):
        if isinstance(trap, Point):
            row = (story_name, "after a kill, " * bool(trap.before) +
                   trap.name.removesuffix(".done"))
        else:
            row = (story_name, f"{trap.who} {trap.call} {trap.how}")
        self.table[row]["cases"] += 1
        self.table[row]["struck"] += sprung
        self.table[row][ended] += 1
        if wrong:
            self.failed.append((story_name, trap))
            print(f"FAILED {story_name}/{trap} ({took:.0f} s)")
            for line in wrong:
                print(f"  {line}")
            print(f"  again: tests/kill-sweep --case '{story_name}/{trap}'",
                  flush=True)

    def work(self, cases):
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = [pool.submit(self.case, *case) for case in cases]
            for done in concurrent.futures.as_completed(waiting):
                self.note(*done.result())
        return len(cases)

    def run(self):
        for name, why in self.left_out.items():
            print(f"left out: {name}, since {why}")
        cases = self.cases()[::self.options.every]
        print(f"{len(cases)} cases", flush=True)
        return self.work(cases) + self.mend()

    def mend(self):
        """Who only comes by after a kill is killed there, after that kill."""
        if self.options.every > 1:      # who knows what comes by without one
            return 0
        once = set().union(*self.told.values())
        only = {name: first for name, first in self.mending.items()
                if name not in once}
        for name in sorted(only):
            print(f"only after a kill: {name}, as in {'/'.join(map(str, only[name]))}")
        return self.work([(story_name, Point(name, 1, first))
                          for name, (story_name, first) in only.items()])

    def never(self):
        """Points that nobody came by, once all the stories are told."""
        options, kept = self.options, self.options.reached
        if kept:
            if kept.exists():
                self.reached |= set(kept.read_text().split())
            kept.write_text("\n".join(sorted(self.reached)) + "\n")
        whole = options.points and options.every == 1 and not options.case
        if not whole or not kept and options.story != list(STORIES):
            return set()
        untold = {point for name in self.left_out
                  for point in STORIES[name].only}
        return {point for point in all_points() - self.reached
                if point.removesuffix(".done") not in untold}

    def show(self):
        print(f"{'story':<12}{'where':<44}{'cases':>6}{'struck':>7}  ended")
        for (story_name, where), row in sorted(self.table.items()):
            ends = ", ".join(f"{n} {k}" for k, n in sorted(row.items())
                             if k not in ("cases", "struck"))
            print(f"{story_name:<12}{where:<44}{row['cases']:>6}"
                  f"{row['struck']:>7}  {ends}")


def case_of(text):
    story_name, _, trap = text.partition("/")
    words = trap.split(":")
    if len(words) == 2 or "+" in trap:
        return story_name, Point.named(trap)
    who, call, nth, how = words
    return story_name, Call(who, call, int(nth), how)


def options_of(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--story", type=lambda text: text.split(","),
                        default=list(STORIES))
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--calls", action="store_true")
    parser.add_argument("--case", type=case_of)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2 * os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--reached", type=pathlib.Path)
    options = parser.parse_args(argv)
    if not options.points and not options.calls:
        options.points = options.calls = True
    return options


def main():
    options = options_of(sys.argv[1:])
    keep = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="kill-sweep."))
    sweep = Sweep(options, keep)
    began = time.monotonic()
    if options.case:
        sweep.note(*sweep.case(*options.case))
        number = 1
    else:
        number = sweep.run()
    sweep.show()
    never = sweep.never()
    for name in sorted(never):
        print(f"no story comes by {name}")
    print(f"{number} cases, {len(sweep.failed)} failed, {len(never)} points "
          f"never reached, {time.monotonic() - began:.0f} s")
    if sweep.failed:
        print(f"their folders are in {keep}")
        return 1
    if not options.keep and not options.all:
        keep.rmdir()
    return 1 if never else 0


if __name__ == "__main__":
    sys.exit(main())
