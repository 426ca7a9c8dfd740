load helper
load turns

# Everybody at once on a slow disk: an importer, a follower of a busy gateway, an
# export that nobody reads, and eight people's loops, each sync 4 ms longer.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

WAIT_MAX_MS=500   # for a turn to write
WAL_MAX_KIB=16384 # of each store: what a busy disk and readers leave of it

setup() {
  state_folder
  provider_use
  peers=${SOPHIA_PEERS:-$top/build/peers}
  case $peers in */san/*) skip 'a preloaded library does not go with ASan' ;; esac
  waits=$BATS_TEST_TMPDIR/waits errors=$BATS_TEST_TMPDIR/errors
  : >"$waits"
  children=
}

teardown() {
  [ -z "$children" ] || kill $children 2>/dev/null || :
}

slowly() {
  LD_PRELOAD=$peers/slowsync.so SLOWSYNC_MS=4 SLOWSYNC_LOG=$waits "$@"
}

# messages FROM TO CHANNEL - so many message records.
messages() {
  awk -v from="$1" -v to="$2" -v channel="$3" 'BEGIN { for (i = from; i < to; i++)
    printf "{\"type\":\"message\",\"id\":\"%d%07d\",\"guild\":{\"id\":\"1\",\"name\":\"g\"},\"channel\":{\"id\":\"%d\",\"name\":\"c%d\"},\"author\":{\"id\":\"%d\",\"name\":\"a%d\"},\"at\":\"2026-01-01T00:00:00.000Z\",\"text\":\"message %d of channel %d, some words about cats and mats and hats\",\"link\":\"https://discord.com/channels/1/%d/%d%07d\",\"revision\":\"0-x\"}\n", \
      channel, i, channel, channel, i % 50 + 1, i % 50 + 1, i, channel, channel, channel, i }'
}

# What a busy gateway spools: a message, an edit and a deletion at a time.
feed() {
  local n=0
  while [ ! -e "$BATS_TEST_TMPDIR/stop" ]; do
    awk -v from=$n -v to=$((n += 40)) 'function put(name, more) { number++
        printf "{\"type\":\"event\",\"shard\":0,\"number\":%d,\"name\":\"%s\",\"sequence\":%d,\"at\":\"2026-01-01T00:00:00.000Z\",\"data\":{\"id\":\"7%07d\",\"guild_id\":\"1\",\"channel_id\":\"7\"%s}}\n",
          number, name, number, i, more }
      BEGIN { number = from * 2
      for (i = from; i < to; i++) {
        put("MESSAGE_CREATE", ",\"author\":{\"id\":\"40\",\"username\":\"ada\"},\"content\":\"some words about cats and mats\"")
        put(i % 4 ? "MESSAGE_UPDATE" : "MESSAGE_DELETE", i % 4 ? ",\"content\":\"other words about hats\",\"edited_timestamp\":\"2026-01-01T00:00:01Z\"" : "")
      } }' | sophia-spool append >/dev/null
    read -rt 0.03 <> <(:) || :
  done
}

people() {
  local n=0
  while [ ! -e "$BATS_TEST_TMPDIR/stop" ]; do
    turn "person $1, question $((n += 1))" | slowly sophia-loop >>"$BATS_TEST_TMPDIR/loop.$1" 2>>"$errors" ||
      echo "loop $1: exit $?" >>"$errors"
  done
}

# watch FILE - keep its largest size in KiB in FILE.
watch() {
  local most=0 now
  while [ ! -e "$BATS_TEST_TMPDIR/stop" ]; do
    for store in tasks messages; do
      now=$(stat -c %s "$SOPHIA_HOME/$store.sqlite-wal" 2>/dev/null || echo 0)
      [ "$now" -le "$most" ] || most=$now
    done
    read -rt 0.02 <> <(:) || :
  done
  echo $((most / 1024)) >"$1"
}

longest() {
  awk -v store="$1" '$1 == "turn" && $2 == store && $3 > most { most = $3 } END { print most + 0 }' "$waits"
}

@test "nobody waits long for a turn to write, and the logs stay small" {
  messages 0 4000 5 | sophia-index import - >/dev/null
  says "{\"times\":0,\"text\":\"so be it\"}"
  { slowly sophia-index export 2>>"$errors" | { read -r _; until [ -e "$BATS_TEST_TMPDIR/stop" ]; do read -rt 0.1 <> <(:); done; }; } &
  children+=" $!"
  messages 0 15000 6 >"$BATS_TEST_TMPDIR/big.ndjson"
  slowly sophia-index import "$BATS_TEST_TMPDIR/big.ndjson" >"$BATS_TEST_TMPDIR/import" 2>>"$errors" &
  import=$!
  sophia-settings set discord.guilds 1 >/dev/null
  feed &
  (exec env LD_PRELOAD=$peers/slowsync.so SLOWSYNC_MS=4 SLOWSYNC_LOG=$waits sophia-index follow 2>>"$errors") &
  follow=$!
  watch "$BATS_TEST_TMPDIR/wal" &
  for n in 1 2 3 4 5 6 7 8; do
    people $n &
    children+=" $!"
  done
  wait "$import" || echo "import: exit $?" >>"$errors"
  until_true eval '[ $(grep -ch "\"done\"" "$BATS_TEST_TMPDIR"/loop.* | awk "{ n += \$1 } END { print n }") -ge 40 ]'
  touch "$BATS_TEST_TMPDIR/stop"
  until_true eval '[ "$(sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "SELECT number FROM live")" = "$(sophia-spool status | jq .last)" ]'
  kill "$follow"
  wait "$follow" || echo "follower: exit $?" >>"$errors"
  wait
  children=
  printf 'longest wait: tasks %s ms, messages %s ms; %s turns to write; largest WAL %s KiB; %s questions\n' \
    "$(longest tasks)" "$(longest messages)" "$(grep -c '^turn' "$waits")" "$(cat "$BATS_TEST_TMPDIR/wal")" \
    "$(cat "$BATS_TEST_TMPDIR"/loop.* | grep -c '"answered"')" | tee "$BATS_FILE_TMPDIR/figures" >&3
  cat "$errors"
  [ ! -s "$errors" ]
  [ "$(longest tasks)" -le "$WAIT_MAX_MS" ]
  [ "$(longest messages)" -le "$WAIT_MAX_MS" ]
  [ "$(cat "$BATS_TEST_TMPDIR/wal")" -le "$WAL_MAX_KIB" ]
  [ "$(jq .new "$BATS_TEST_TMPDIR/import")" = 15000 ]
  [ "$(sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" 'PRAGMA integrity_check')" = ok ]
  [ "$(sql "PRAGMA integrity_check; SELECT group_concat(DISTINCT state) FROM task" | xargs)" = 'ok completed' ]
}

@test "no lock outlives a runner that is killed while it holds its turn" {
  run -0 loop 'so that there is a store'
  turn 'killed in its turn' >"$BATS_TEST_TMPDIR/turn"
  SLOWSYNC_MS=20000 LD_PRELOAD=$peers/slowsync.so SLOWSYNC_LOG=$waits \
    sophia-loop <"$BATS_TEST_TMPDIR/turn" >/dev/null 2>&1 &
  runner=$!
  until_true grep -q '^turn tasks' "$waits"
  run -1 flock -n "$SOPHIA_HOME/run/tasks.write" true
  kill -KILL "$runner"
  wait "$runner" || :
  run -0 flock -n "$SOPHIA_HOME/run/tasks.write" true
  run -0 flock -n "$SOPHIA_HOME/run/tasks.next" true
  run -0 flock -n "$SOPHIA_HOME/run/tasks.use" true
  run -0 loop 'and now?'
  [ "$(sql "SELECT group_concat(DISTINCT state) FROM task WHERE objective = 'and now?'")" = completed ]
  run -0 bash -c "for lock in $SOPHIA_HOME/run/task.*; do flock -n \$lock true || exit 1; done"
}
