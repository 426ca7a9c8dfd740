#!/bin/sh
# What a turn costs beyond the model's own time: see loop.py.
set -eu
cd "$(dirname "$0")/../.."
make -s build/peers/slowsync.so
exec /usr/bin/python3 tests/bench/loop.py
