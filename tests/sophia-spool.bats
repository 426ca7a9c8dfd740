load helper

# event N [NAME] - a record as a gateway prints it.
event() {
  printf '{"type":"event","shard":0,"number":0,"name":"%s","sequence":%d,"at":"2026-11-30T16:33:57.000Z","data":{"id":"%d"}}\n' \
    "${2:-MESSAGE_CREATE}" "$1" "$1"
}

# events FROM TO
events() { for ((i = $1; i <= $2; i++)); do event "$i"; done; }

numbers() { jq -r .number | xargs; }

@test "with no spool there is nothing to say, exit 1" {
  run -1 --separate-stderr sophia-spool status
  [ -z "$output$stderr" ]
  run -1 --separate-stderr sophia-spool read
  [ -z "$output$stderr" ]
}

@test "what is appended is read again, numbered, as valid records" {
  run -0 sophia-spool append <<<"$(events 5 7)"
  [ "$(jq -c '[.first, .last, .writing, .readers]' <<<"$output")" = '[1,3,false,[]]' ]
  valid_records <<<"$output"
  sophia-spool read >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c '[.shard, .number, .name, .sequence, .data.id]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '[0,1,"MESSAGE_CREATE",5,"5"]
[0,2,"MESSAGE_CREATE",6,"6"]
[0,3,"MESSAGE_CREATE",7,"7"]' ]
}

@test "it goes on after an event, and in another shard" {
  events 1 4 | sophia-spool append >/dev/null
  event 9 | sophia-spool append -s 3 >/dev/null
  run -0 numbers < <(sophia-spool read -a 2)
  [ "$output" = '3 4' ]
  run -0 jq -c '[.shard, .sequence]' < <(sophia-spool read -s 3)
  [ "$output" = '[3,9]' ]
  run -0 sophia-spool status --jq .shard
  [ "$output" = '0
3' ]
}

@test "a named reader goes on where it was" {
  events 1 2 | sophia-spool append >/dev/null
  run -0 numbers < <(sophia-spool read -n backup)
  [ "$output" = '1 2' ]
  run -1 sophia-spool read -n backup
  event 3 | sophia-spool append >/dev/null
  run -0 sophia-spool status --text
  [[ $output == *'backup '*'passed 2, 1 to go' ]]
  run -0 numbers < <(sophia-spool read -n backup)
  [ "$output" = 3 ]
  run -2 sophia-spool read -n backup -a 1
}

@test "it follows: what comes later is printed when it is synced" {
  event 1 | sophia-spool append >/dev/null
  sophia-spool read -f >"$BATS_TEST_TMPDIR/out" &
  reader=$!
  event 2 | sophia-spool append >/dev/null
  for ((i = 0; i < 500; i++)); do
    [ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -lt 2 ] || break
    read -rt 0.02 <> <(:) || :
  done
  kill "$reader"
  wait "$reader" || :
  run -0 numbers <"$BATS_TEST_TMPDIR/out"
  [ "$output" = '1 2' ]
}

@test "a line that is no event ends it; what came before is in" {
  run -65 --separate-stderr sophia-spool append <<<"$(event 1; echo '{"type":"delta"}'; event 3)"
  [ "$stderr" = 'sophia-spool: line 2: no event: its type is another' ]
  run -0 numbers < <(sophia-spool read)
  [ "$output" = 1 ]
}

@test "an event of 16 MiB goes through" {
  head -c 16M /dev/zero | tr '\0' x >"$BATS_TEST_TMPDIR/x"
  event 1 | sed 's/"1"}}/"/' | tr -d '\n' >"$BATS_TEST_TMPDIR/in"
  { cat "$BATS_TEST_TMPDIR/x"; echo '"}}'; } >>"$BATS_TEST_TMPDIR/in"
  sophia-spool append <"$BATS_TEST_TMPDIR/in" >/dev/null
  run -0 sophia-spool read --jq '.data.id | length'
  [ "$output" = 16777216 ]
}

@test "a damaged event is named, and the file moved away is a gap" {
  events 1 5 | sophia-spool append >/dev/null
  sed -i '3s/./#/' "$SOPHIA_HOME"/spool/0/*.ndjson
  run -78 --separate-stderr sophia-spool read
  [[ $stderr == *'000000000001.ndjson: event 3 is damaged (no event: it is no object); move the file away'* ]]
  run -78 --separate-stderr sophia-spool append <<<"$(event 6)"
  [[ $stderr == *'event 3 at byte'*'move the file away'* ]]
  mv "$SOPHIA_HOME"/spool/0/*.ndjson "$BATS_TEST_TMPDIR"
  event 6 | sophia-spool append >/dev/null
  run -0 --separate-stderr sophia-spool read
  [ "$(jq .number <<<"$output")" = 6 ]
  [ "$stderr" = 'sophia-spool: there are no events before 6' ]
}

@test "two don't write at once, and spool.max is read" {
  sophia-settings set spool.max 134217728 >/dev/null
  mkfifo "$BATS_TEST_TMPDIR/in"
  sophia-spool append <"$BATS_TEST_TMPDIR/in" >/dev/null 3>&- &
  exec 9>"$BATS_TEST_TMPDIR/in"
  event 1 >&9
  for ((i = 0; i < 500; i++)); do
    [ "$(sophia-spool status --jq .last)" != 1 ] || break
    read -rt 0.02 <> <(:) || :
  done
  run -0 sophia-spool status --jq .writing
  [ "$output" = true ]
  run -75 --separate-stderr sophia-spool append <<<"$(event 2)"
  [[ $stderr == *'spool/0/lock is locked by another process' ]]
  exec 9>&-
  wait
}

@test "files and folders are ours alone" {
  (umask 022 && event 1 | sophia-spool append >/dev/null && sophia-spool read -n a >/dev/null)
  run -0 find "$SOPHIA_HOME/spool" -perm /077
  [ -z "$output" ]
}
