load helper

# sophia-up beside programs of this test, which say in "log" what happens to
# them; and at the end beside the real ones.

setup() {
  state_folder
  bin=$BATS_TEST_TMPDIR/bin log=$BATS_TEST_TMPDIR/log up=
  export log
  mkdir "$bin"
  cp "$(command -v sophia-up)" "$bin"
  : >"$log"
  for name in gateway index backfill converse; do stub "$name"; done
}

teardown() {
  [ -z "$up" ] || kill "$up" 2>/dev/null || :
  wait
}

# stub NAME [COMMANDS] - a program that runs until it is told to end.
stub() {
  cat >"$bin/sophia-$1" <<STUB
#!/bin/bash
name=$1
echo "\$name starts \$*" >>"$log"
trap 'echo "\$name stops" >>"$log"; kill %1 2>/dev/null; exit 0' TERM
sleep 300 3>&- & ${2:-}
wait
STUB
  chmod +x "$bin/sophia-$1"
}

# up_start [COMMAND...] - in the background; its records go to "out".
up_start() {
  "$@" "$bin/sophia-up" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
  up=$!
}

# until_true COMMAND... - wait for it, 20 s at most.
until_true() {
  for ((i = 0; i < 1000; i++)); do
    ! "$@" || return 0
    read -rt 0.02 <> <(:) || :
  done
  echo "never came true: $*"
  cat "$log" "$BATS_TEST_TMPDIR"/{out,err} "$SOPHIA_HOME/run/up.json"
  false
}

logged() { grep -q "$1" "$log"; }
said() { grep -q "$1" "$BATS_TEST_TMPDIR/err"; }

# now JQ - is that so of the record that run/up.json has now?
now() { jq -e "$1" "$SOPHIA_HOME/run/up.json" >/dev/null 2>&1; }

# child NAME FIELD
child() { jq -r ".children[] | select(.name == \"$1\") | .$2 // \"\"" "$SOPHIA_HOME/run/up.json"; }

all_up() { now '[.children[] | select(.state == "up")] | length == 4'; }
gone() { [ ! -d "/proc/$1" ] || grep -q "^State:.Z" "/proc/$1/status"; } # a corpse is gone

@test "all are started, and stopped one after the other, the last one first" {
  up_start
  until_true all_up
  for name in gateway index backfill converse; do until_true logged "^$name starts"; done
  kill "$up"
  wait "$up"
  up=
  [ "$(grep stops "$log" | xargs)" = 'converse stops backfill stops index stops gateway stops' ]
  grep -q '^gateway starts --spool --json$' "$log"
  grep -q '^backfill starts --queue --wait$' "$log"
  run -0 jq -r .state "$SOPHIA_HOME/run/up.json"
  [ "$output" = stopped ]
  valid_records "$BATS_TEST_TMPDIR/out"
  valid_records "$SOPHIA_HOME/run/up.json"
}

@test "a second one ends with a clear message, having started nothing" {
  up_start
  until_true all_up
  : >"$log"
  ln -s "$SOPHIA_HOME" "$BATS_TEST_TMPDIR/link"
  SOPHIA_HOME=$BATS_TEST_TMPDIR/link run -75 --separate-stderr "$bin/sophia-up"
  [ "$stderr" = "sophia-up: another sophia up runs for $BATS_TEST_TMPDIR/link" ]
  [ -z "$output" ]
  [ ! -s "$log" ]
}

@test "whoever is killed is started again, and the rest are left alone" {
  up_start
  until_true all_up
  for name in gateway index backfill converse; do
    before=$(child "$name" pid)
    kill -9 "$before"
    until_true now ".children[] | select(.name == \"$name\") | .restarts == 1 and .state == \"up\""
    [ "$(child "$name" pid)" != "$before" ]
    [[ $(child "$name" error) == *'killed by signal 9'* ]]
  done
  [ "$(grep -c starts "$log")" = 8 ]
  ! grep stops "$log"
}

@test "it takes longer each time, by chance" {
  stub index 'kill %1; echo sophia-index: oh no >&2; exit 70'
  up_start
  until_true now '.children[] | select(.name == "index") | .restarts >= 2 and .state == "waiting"'
  run -0 child index error
  [ "$output" = 'sophia-index: exit code 70: sophia-index: oh no' ]
  run -0 cat "$BATS_TEST_TMPDIR/err"
  [[ $output == *'sophia-index: oh no'* ]]
  /usr/bin/python3 - "$BATS_TEST_TMPDIR/out" <<'PY'
import datetime, json, sys
waits = {}
for line in open(sys.argv[1]):
    for c in json.loads(line)["children"]:
        if c["name"] == "index" and c["state"] == "waiting":
            t = [datetime.datetime.fromisoformat(c[k][:-1]) for k in ("since", "next")]
            waits[c["restarts"]] = (t[1] - t[0]).total_seconds()
for n, low, high in (0, .5, 1), (1, 1, 2), (2, 2, 4):
    assert low - .01 <= waits[n] <= high + .01, waits
PY
}

@test "exit 78 of one without which the rest is of use is only said" {
  stub index 'kill %1; echo "sophia-index: rebuild it" >&2; exit 78'
  up_start
  until_true now '[.children[] | .state] == ["up", "failed", "up", "up"]'
  run -0 child index error
  [ "$output" = 'sophia-index: exit code 78: sophia-index: rebuild it' ]
  until_true said '^sophia-up: index is not started again: sophia-index: exit code 78'
  [ "$(grep -c 'index starts' "$log")" = 1 ]
}

@test "what only a person can mend is tried again when the settings were changed" {
  stub index "[ -e \"$BATS_TEST_TMPDIR/mended\" ] || { kill %1; exit 78; }"
  up_start
  until_true now '.children[] | select(.name == "index") | .state == "failed"'
  touch "$BATS_TEST_TMPDIR/mended" "$SOPHIA_HOME/unrelated"
  sophia-settings set voice formal >/dev/null
  until_true all_up
  [ "$(grep -c 'index starts' "$log")" = 2 ]
}

@test "exit 78 of the gateway ends all, with its reason" {
  stub gateway 'kill %1; echo "sophia-gateway: the token is wrong" >&2; exit 78'
  run -78 --separate-stderr timeout 60 "$bin/sophia-up"
  [[ ${stderr_lines[-1]} == 'sophia-up: sophia-gateway: exit code 78: sophia-gateway: the token is wrong' ]]
  [ "$(grep -c 'the token is wrong' <<<"$stderr")" = 2 ] # its own words, and the reason
  run -0 jq -r '.state, (.children[] | .state)' "$SOPHIA_HOME/run/up.json"
  [ "$(xargs <<<"$output")" = 'stopped failed ended ended ended' ]
}

@test "a program that isn't there is said" {
  rm "$bin/sophia-converse"
  PATH=/usr/bin:/bin run -78 --separate-stderr timeout 60 "$bin/sophia-up"
  [[ ${stderr_lines[-1]} == 'sophia-up: cannot run '*'sophia-converse: No such file or directory' ]]
}

@test "one that won't end is killed when its time is over; a second signal doesn't wait" {
  stub converse "trap 'echo \"converse stops\" >>\"$log\"' TERM; while :; do wait; done"
  up_start
  until_true all_up
  until_true logged '^converse starts'
  kill "$up"
  until_true logged '^converse stops'
  kill "$up"
  wait "$up"
  up=
  run ! grep -q 'gateway stops' "$log"
}

@test "if it is killed itself, its programs end, and the next one can begin" {
  up_start
  until_true all_up
  pids=$(jq '.children[].pid' "$SOPHIA_HOME/run/up.json")
  { kill -9 "$up" && wait "$up"; } 2>/dev/null || :
  for pid in $pids; do until_true gone "$pid"; done
  up_start
  until_true now ".pid == $up"
  until_true all_up
}

@test "each program has the secrets that it needs, and no others" {
  local keep='env | sort >>"$log.$name"'
  for name in gateway index backfill converse; do stub "$name" "$keep"; done
  up_start env DISCORD_TOKEN=t OPENROUTER_API_KEY=k SOPHIA_SEARCH_KEY=s OTHER_SECRET=o \
    NOTIFY_SOCKET=/nowhere WATCHDOG_USEC=1000000
  for name in gateway index backfill converse; do until_true [ -s "$log.$name" ]; done
  has() { grep -oE '^(DISCORD_TOKEN|OPENROUTER_API_KEY|SOPHIA_SEARCH_KEY|OTHER_SECRET|NOTIFY_SOCKET|WATCHDOG_USEC)' "$log.$1" | xargs; }
  [ "$(has gateway)" = DISCORD_TOKEN ]
  [ "$(has index)" = '' ]
  [ "$(has backfill)" = DISCORD_TOKEN ]
  [ "$(has converse)" = 'DISCORD_TOKEN OPENROUTER_API_KEY SOPHIA_SEARCH_KEY' ]
}

@test "when the gateway is connected, missed messages are swept up, once" {
  stub gateway "echo '{\"type\":\"gateway\",\"state\":\"connecting\"}'
    read -r <\"$BATS_TEST_TMPDIR/go\"
    echo '{\"type\":\"gateway\",\"state\":\"up\"}'; echo '{\"type\":\"gateway\",\"state\":\"waiting\",\"reason\":\"closed\"}'
    echo '{\"type\":\"gateway\",\"state\":\"up\"}'"
  stub backfill "[ \"\$1\" != --recent ] || { kill %1; exit 1; }"
  mkfifo "$BATS_TEST_TMPDIR/go"
  up_start
  until_true now '.children[] | select(.name == "gateway") | .detail == "connecting"'
  run ! logged 'backfill starts --recent'
  echo >"$BATS_TEST_TMPDIR/go"
  until_true now '.children[] | select(.name == "sweep") | .state == "ended"'
  [ "$(grep -c 'backfill starts --recent' "$log")" = 1 ]
  [ "$(child gateway detail)" = up ]
}

@test "a service manager is told" {
  cat >"$BATS_TEST_TMPDIR/manager.py" <<'PY'
import os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("listening", flush=True)
with open(sys.argv[2], "w", buffering=1) as out:
    while True:
        for line in s.recv(4096).decode().split("\n"):
            print(line, file=out)
PY
  /usr/bin/python3 "$BATS_TEST_TMPDIR/manager.py" "$BATS_TEST_TMPDIR/sock" \
    "$BATS_TEST_TMPDIR/told" >"$BATS_TEST_TMPDIR/ready" 3>&- &
  manager=$!
  until_true [ -s "$BATS_TEST_TMPDIR/ready" ]
  up_start env NOTIFY_SOCKET="$BATS_TEST_TMPDIR/sock" WATCHDOG_USEC=100000
  told() { grep -q "$1" "$BATS_TEST_TMPDIR/told"; }
  until_true told '^READY=1$'
  until_true told '^STATUS=gateway up, index up, backfill up, converse up$'
  until_true eval '[ "$(grep -c "^WATCHDOG=1$" "$BATS_TEST_TMPDIR/told")" -ge 3 ]'
  kill "$up"
  wait "$up"
  up=
  until_true told '^STOPPING=1$'
  kill "$manager"
}

@test "the unit for systemd is valid" {
  command -v systemd-analyze >/dev/null || skip 'there is no systemd-analyze'
  sed "s|^ExecStart=/usr/local/bin/|ExecStart=$bin/|; /^Documentation=/d" \
    "$top/etc/systemd/sophia.service" >"$BATS_TEST_TMPDIR/sophia.service"
  run -0 systemd-analyze verify "$BATS_TEST_TMPDIR/sophia.service"
  [ -z "$output" ]
}

@test "doctor: never started, up, one that fails, stopped, and dead" {
  finding() { { sophia-doctor --json || :; } | jq -r 'select(.what == "programs") | "\(.level) \(.text)"'; }
  [ "$(finding)" = 'ok none for Discord were ever started' ]
  stub index 'kill %1; echo "sophia-index: rebuild it" >&2; exit 78'
  up_start
  until_true now '[.children[] | .state] == ["up", "failed", "up", "up"]'
  [ "$(finding)" = 'fail index: sophia-index: exit code 78: sophia-index: rebuild it' ]
  run -78 sophia-doctor
  kill "$up"
  wait "$up" || :
  [[ $(finding | tail -1) == 'ok sophia up was stopped at 20'* ]]
  stub index
  up_start
  until_true all_up
  [ "$(finding)" = 'ok gateway up, index up, backfill up, converse up' ]
  { kill -9 "$up" && wait "$up"; } 2>/dev/null || :
  up=
  [[ $(finding) == 'warn sophia up died some time after 20'* ]]
}

@test "doctor: what the gateway says, how far readers are, and what they missed" {
  finding() { { sophia-doctor --json || :; } | jq -r "select(.what == \"$1\") | \"\(.level) \(.text)\""; }
  event='{"type":"event","shard":0,"number":0,"name":"A","sequence":1,"at":"2026-11-30T16:33:57.000Z","data":{}}'
  printf '%s\n' "$event" "$event" | sophia-spool append >/dev/null
  sophia-spool read -n index >/dev/null
  echo "$event" | sophia-spool append >/dev/null
  [ "$(finding spool)" = 'ok shard 0: 0 MiB, events up to 3, index has 1 to read' ]
  rm "$SOPHIA_HOME"/spool/0/*.ndjson
  echo "$event" | sophia-spool append >/dev/null
  [ "$(finding spool | head -1)" = 'warn shard 0: events 3 to 3 are gone, and index had not read them' ]
  mkdir -p "$SOPHIA_HOME/run"
  echo '{"type":"gateway","shard":0,"pid":1,"state":"waiting","reason":"closed by Discord (4008)","at":"2026-11-30T16:33:57.000Z","since":"2026-11-30T16:30:00.000Z","guilds":0,"events":0,"identified":0,"resumed":0,"failed":0,"number":0,"sequence":0}' >"$SOPHIA_HOME/run/gateway.json"
  [ "$(finding gateway)" = 'ok shard 0: it does not run: closed by Discord (4008)' ]
  sophia-spool append < <(exec sleep 20 3>&-) >/dev/null 3>&- &
  feed=$!
  until_true eval '[ "$(sophia-spool status --jq .writing)" = true ]'
  [ "$(finding gateway)" = 'warn shard 0: waiting since 2026-11-30T16:30:00.000Z: closed by Discord (4008)' ]
  sed -i 's/"waiting"/"held"/' "$SOPHIA_HOME/run/gateway.json"
  [[ $(finding gateway) == 'fail shard 0: held since '* ]]
  kill "$feed"
}

@test "a spare container is kept as the settings say, and they are followed at once" {
  stub sandbox
  kept() { [ "$(child spare state)" = "$1" ]; }
  up_start
  until_true all_up
  kept ""
  sophia-settings set sandbox.spare on
  sophia-settings set sandbox.enabled on
  until_true kept up
  logged '^sandbox starts spare$'
  sophia-settings set sandbox.spare off
  until_true kept ended
  logged '^sandbox stops$'
  sophia-settings set sandbox.spare on
  until_true kept up
  kill "$up"
  wait "$up"
  up=
  [ "$(grep stops "$log" | tail -n 5 | xargs)" = 'converse stops sandbox stops backfill stops index stops gateway stops' ]
}
