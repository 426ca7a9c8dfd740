#!/bin/sh
# sophia-gateway beside a discord.js client: see gateway.py. Needs Node and npm.
set -eu
cd "$(dirname "$0")/../.."
exec /usr/bin/python3 tests/bench/gateway.py "$(tests/peers/discordjs/install build)"
