"""attach - what it costs code in a task to hand something over: each time it is
kept in tasks.sqlite, with one sync of the disk, before the code goes on. Beside
it stands that sync alone, in the same folder.
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import safety

CODE = """
import time
took = []
for i in range(100):
    start = time.perf_counter()
    attach(b'x' * 1000, f'{i}.txt')
    took.append(time.perf_counter() - start)
took.sort()
print(took[50] * 1000, took[95] * 1000)
"""


def main():
    with tempfile.TemporaryDirectory() as folder:
        home = pathlib.Path(folder)
        bench = safety.Bench(home)
        for name, value in (("enabled", "on"), ("image", sys.argv[1])):
            subprocess.run(["sophia-settings", "set", f"sandbox.{name}", value],
                           env=bench.env, check=True, stdout=subprocess.DEVNULL)
        medians, tails, raw = [], [], []
        for _ in range(int(os.environ.get("RUNS", "20")) // 2):
            bench.control("reset", {})
            bench.control("steps", [{"calls": [{
                "name": "sandbox_run",
                "arguments": {"language": "python", "code": CODE}}]},
                {"text": "Done."}])
            bench.turn("5")
            said = json.loads(bench.control("log")[1]["body"]["messages"][-1]
                              ["content"])["data"]["stdout"]["text"].split()
            medians.append(float(said[0]))
            tails.append(float(said[1]))
            raw += [bench.raw() * 1000 for _ in range(20)]
        bench.provider.kill()
        print("attach in a task, 100 times 1000 bytes, kept each: median "
              f"{statistics.median(medians):.2f} ms, 95th percentile "
              f"{statistics.median(tails):.2f} ms; one sync of the disk "
              f"{statistics.median(raw):.2f} ms")


if __name__ == "__main__":
    main()
