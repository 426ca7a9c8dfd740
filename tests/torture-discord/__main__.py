"""torture-discord - a whole Sophia, a fake Discord, and everything goes wrong.

usage: python3 tests/torture-discord [--seconds N] [--seed N] [--rounds N]
                                     [--acts N] [--keep FOLDER]
                                     [--programs gateway,index,converse]

Round after round, each with a seed of its own that is printed: people ask while
connections break, requests fail, the model fails and programs are killed. Then
it lets everything settle and looks at what Discord and the people have seen:

  - each question is answered exactly once, or its author is told once that the
    task is paused or failed and how to go on; nobody else is answered;
  - what the index says that it covers is all there;
  - no nonce makes two messages; no rule of Discord's is broken; few requests
    are invalid; nobody identifies who could resume.

The first round that fails ends it: its folder (logs, state, what the fakes saw)
stays, and `--seed N --rounds 1` runs it again. PATH finds the programs:
sophia-up, or, if it is not there or --programs names some, those by themselves.
$TORTURE_S, if set, is the default for --seconds.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import time

import acts
import memory
import verdict
from stage import Broken, Stage

SETTLE_S, CALM_S, READY_S = 120, 3, 20


class Round:
    def __init__(self, seed, folder, programs):
        self.seed = seed
        folder.mkdir(parents=True)
        self.stage = Stage(folder, seed, programs)
        self.asked = []
        self.killed = collections.Counter()
        self.log = open(folder / "acts.log", "w", encoding="utf-8")
        self.began = time.monotonic()

    def note(self, text):
        self.log.write(f"{time.monotonic() - self.began:8.3f} {text}\n")
        self.log.flush()

    def ask(self, word, kind, user, channel=None, **more):
        text = word + " what is the tide doing?"
        if kind == "mention":
            text = "<@sophia> " + text
        if channel:
            more["channel"] = channel
        said = self.stage.do("say", user=user, text=text, **more)
        self.asked.append({"id": said["id"], "word": word, "kind": kind})
        self.note(f"  {kind} {word} is {said['id']}")

    def command(self, word, user, channel):
        names = [c["name"] for commands in self.stage.state()["commands"]
                 .values() for c in commands]
        if "talk" not in names:
            return False
        made = self.stage.do("command", user=user, channel=channel,
                             name="talk", options={"message": word + " now?"})
        self.asked.append({"id": made["id"], "word": word, "kind": "command"})
        self.note(f"  command {word} is {made['id']}")
        return True

    def wait(self, until, seconds):
        """Tend the programs until a state satisfies; the last state."""
        end = time.monotonic() + seconds
        while True:
            self.stage.tend()
            state = self.stage.state()
            if until(state) or time.monotonic() > end:
                return state
            time.sleep(0.2)

    def warm_up(self):
        """Everybody has spoken with Sophia before: nobody can find out who
        wrote the first direct message while it was away."""
        for user in acts.PEOPLE:
            self.ask(f"q{len(self.asked) + 1}hello", "direct", user)
        if verdict.open_questions(self, self.wait(
                lambda s: not verdict.open_questions(self, s), READY_S)):
            raise Broken("no answer, though nothing is wrong yet")

    def play(self, number):
        """So many acts, by the seed."""
        choose = random.Random(self.seed)
        weights = [weight for weight, _ in acts.ACTS]
        for step in range(number):
            self.stage.tend()
            act = choose.choices(acts.ACTS, weights)[0][1]
            gap = choose.expovariate(4)
            self.note(act(self, random.Random(f"{self.seed}/{step}")))
            time.sleep(min(gap, 2))

    def settle(self):
        """No more faults; until everybody is answered, and a little longer."""
        self.note("settle")
        self.stage.do("clear")
        self.wait(lambda s: not verdict.open_questions(self, s), SETTLE_S)
        calm = time.monotonic() + CALM_S
        self.wait(lambda s: time.monotonic() > calm, CALM_S + 1)

    def run(self, number):
        """What is wrong; nothing, if all is well."""
        try:
            self.stage.start()
            state = self.wait(lambda s: s["sessions"], READY_S)
            if not state["sessions"]:
                return ["the gateway does not identify"]
            self.warm_up()
            self.play(number)
            self.settle()
            late = self.stage.stop()
            return verdict.judge(self, self.stage.state(), late) + \
                list(memory.missing(self.stage))
        except Broken as e:
            return [str(e)]
        finally:
            self.note(f"ended: {self.stage.ended}")
            self.stage.close()
            self.log.close()


def summary(round_, folder):
    state = json.loads((folder / "discord.json").read_text())
    count = state["count"]
    faults = sum(n for name, n in count.items() if name.startswith("faults."))
    return (f"{len(round_.asked)} questions, {faults} faults, "
            f"{round_.killed.total()} kills, "
            f"{count.get('identifies', 0)} identifies, "
            f"{count.get('sessions_ended', 0)} invalidations, "
            f"{count.get('resumes', 0)} resumes, "
            f"{count.get('nonce_repeats', 0)} repeats, "
            f"{count.get('invalid_requests', 0)} invalid, "
            f"{time.monotonic() - round_.began:.0f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float,
                        default=float(os.environ.get("TORTURE_S", 1800)))
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10 ** 9)
    parser.add_argument("--rounds", type=int, default=10 ** 9)
    parser.add_argument("--acts", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--programs", type=lambda text: text.split(","))
    options = parser.parse_args()
    # Whoever ends this ends what it started, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    keep = options.keep or pathlib.Path(tempfile.mkdtemp(
        prefix="torture-discord."))
    end = time.monotonic() + options.seconds
    done = 0
    while done < options.rounds and time.monotonic() < end:
        seed = options.seed + done
        folder = keep / str(seed)
        print(f"seed {seed}: ", end="", flush=True)
        round_ = Round(seed, folder, options.programs)
        wrong = round_.run(options.acts)
        print(summary(round_, folder), flush=True)
        if wrong:
            for line in wrong:
                print(f"  {line}")
            print(f"FAILED: seed {seed}; its logs are in {folder}\n"
                  f"again: tests/torture-discord --seed {seed} --rounds 1")
            return 1
        shutil.rmtree(folder)
        done += 1
    if not options.keep:
        shutil.rmtree(keep)
    print(f"{done} rounds, nothing lost and nothing doubled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
