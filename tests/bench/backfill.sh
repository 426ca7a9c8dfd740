#!/bin/sh
# What a backfill makes of the rate that Discord permits: see backfill.py.
set -eu
cd "$(dirname "$0")/../.."
exec /usr/bin/python3 tests/bench/backfill.py
