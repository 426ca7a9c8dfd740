#!/bin/sh
# sophia-gateway beside a discord.js client: see gateway.py. Without Node and npm
# it says so, and measures nothing.
set -eu
cd "$(dirname "$0")/../.."
folder=$(tests/peers/discordjs/install build) || exit 0
exec /usr/bin/python3 tests/bench/gateway.py "$folder"
