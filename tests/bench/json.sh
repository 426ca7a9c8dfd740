#!/bin/sh
# json - the JSON parser we use beside others from Debian, on an archive's
# messages: the recorded archive where it is, else the sample.
set -eu
cd "$(dirname "$0")/../.."
data=${SOPHIA_FIXTURES:-../shared/fixtures}/chat
[ -d "$data" ] || data=share/samples
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
find "$data" -name '*.json' -exec jq -c '.messages[]' {} + >"$tmp/lines"
echo "JSON text to tree, one core, $data"
race() { # NAME DEFINE LIBS...
	name=$1 define=$2
	shift 2
	cc -std=c11 -D_POSIX_C_SOURCE=200809L -D"$define" -O2 -Ilib \
		-o "$tmp/json" tests/bench/json.c "$@"
	"$tmp/json" "$name" <"$tmp/lines"
}
race 'ext/json' WITH_OURS build/libsophia.a -lyajl
race 'yajl and its own tree' WITH_YAJL -lyajl
race cJSON WITH_CJSON -lcjson
race jansson WITH_JANSSON -ljansson
race json-c WITH_JSON_C -ljson-c
race libjq WITH_LIBJQ -ljq
