#!/bin/bash
# index - how fast an archive goes into the index, and how small it
# stays. Compared in the same run with a bare load: the same rows into the same
# tables and full-text index, tokens ready in memory, nothing else to do.
#
#	MESSAGES	how many to make up; 200,000 unless told (1 M: bytes each)
#	BIG=1		and then 1 GB of them, for the memory it takes
#	TMPDIR		where to work
set -eu
bench=${BENCH:-build/bench}
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SOPHIA_HOME=$work/home SOPHIA_SHARE=$here/share

# measured CMD... - run it; leaves seconds, CPU seconds and peak kB in $wall,
# $cpu and $peak, and what it printed in $work/out.
measured() {
	read -r wall cpu peak < <(/usr/bin/python3 - "$work/out" "$@" <<-'PY'
		import resource, subprocess, sys, time
		start = time.monotonic()
		with open(sys.argv[1], "w") as out:
		    subprocess.run(sys.argv[2:], stdout=out, check=True)
		r = resource.getrusage(resource.RUSAGE_CHILDREN)
		print(time.monotonic() - start, r.ru_utime + r.ru_stime, r.ru_maxrss)
	PY
	)
}

field() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/out"; }

calc() { awk "BEGIN { printf \"$1\", $2 }"; }

run() { # MESSAGES COLD
	local n=$1 cold=$2 json words db
	rm -rf "$SOPHIA_HOME" "$work/bare.sqlite"*
	[ "$cold" = warm ] || dd if="$work/chat.json" iflag=nocache count=0 status=none
	json=$(stat -c %s "$work/chat.json")
	measured sophia-index import "$work/chat.json"
	[ "$(field new)" = "$n" ]
	longest=$(field longest_ms)
	rate=$(calc %.0f "$n / $wall") crate=$(calc %.0f "$n / $cpu")
	echo "$cold: $rate messages/s ($crate a CPU second), $((peak / 1024)) MB at most," \
		"turns of $longest ms at most"
	sophia-index status >"$work/out"
	words=$(field tokens) db=$(field bytes)
	echo "  $(calc %.0f "$json / $n") bytes of JSON, $(calc %.1f "$words / $n") tokens," \
		"$(calc %.0f "$db / $n") bytes of database a message"
	read -r _ bwall bcpu < <("$bench/bare" "$SOPHIA_HOME/messages.sqlite" \
		"$here/share/schema/messages/0001.sql" "$work/bare.sqlite")
	echo "  bare load: $(calc %.0f "$n / $bwall") messages/s ($(calc %.0f "$n / $bcpu") a" \
		"CPU second); import is $(calc %.2f "$bwall / $wall") of it ($(calc %.2f "$bcpu / $cpu"))"
}

n=${MESSAGES:-200000}
"$bench/chat" "$n" >"$work/chat.json"
echo "import of $n messages, WAL, synchronous=NORMAL, $(nproc) cores"
run "$n" cold
run "$n" warm
measured sophia-index import "$work/chat.json"
[ "$(field unchanged)" = "$n" ]
echo "again, nothing new: $(calc %.0f "$n / $wall") messages/s"
if [ -n "${BIG:-}" ]; then
	n=1450000
	"$bench/chat" "$n" 2 >"$work/chat.json"
	rm -rf "$SOPHIA_HOME"
	measured sophia-index import "$work/chat.json"
	[ "$(field new)" = "$n" ]
	echo "$(stat -c %s "$work/chat.json") bytes: $(calc %.0f "$n / $wall") messages/s," \
		"$((peak / 1024)) MB at most"
fi
