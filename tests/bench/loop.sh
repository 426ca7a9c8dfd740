#!/bin/sh
# What a turn costs beyond the model's own time: see loop.py; and what
# it costs that changes happen at most once: safety.py.
set -eu
cd "$(dirname "$0")/../.."
make -s build/peers/slowsync.so
/usr/bin/python3 tests/bench/loop.py
exec /usr/bin/python3 tests/bench/safety.py
