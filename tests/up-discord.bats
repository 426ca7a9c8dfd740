load helper
load turns
load discord
load converse

# sophia-up with the real programs, the fake Discord and the fake provider.

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() {
  up=
  harbour
}
teardown() {
  [ -z "$up" ] || kill "$up" 2>/dev/null || :
  [ -z "$up" ] || wait "$up" || :
  discord_stop
  cat "$BATS_TEST_TMPDIR/up.err" 2>/dev/null || :
}

up_start() {
  sophia-up 3>&- 6>&- 7>&- >>"$BATS_TEST_TMPDIR/up.out" 2>>"$BATS_TEST_TMPDIR/up.err" &
  up=$!
  until_true eval '[ "$(jq .pid "$SOPHIA_HOME/run/up.json" 2>/dev/null)" = '$up' ]'
  until_true connected
}

up_stop() {
  kill "$up"
  wait "$up" || return
  up=
}

now() { jq -e "$1" "$SOPHIA_HOME/run/up.json" >/dev/null 2>&1; }
connected() { now '.children[] | select(.name == "gateway") | .detail == "up"'; }
child() { jq -r ".children[] | select(.name == \"$1\") | .$2 // \"\"" "$SOPHIA_HOME/run/up.json"; }
gone() { [ ! -d "/proc/$1" ] || grep -q "^State:.Z" "/proc/$1/status"; } # a corpse is gone

# asks TEXT ANSWER - ada asks, and the model answers so.
asks() {
  says "{\"text\":\"$2\"}"
  discord_do "$(jq -nc --arg t "<@sophia> $1" '{do: "say", channel: "general", user: "ada", text: $t}')" >/dev/null
}

# replies TEXT - how many messages of Sophia say so.
replies() { discord_state "[.sent[] | select(.content == \"$1\")] | length"; }
replied() { [ "$(replies "$1")" = 1 ]; }

@test "a question in Discord gets its answer, and everything said is indexed" {
  up_start
  asks 'when is the tide?' 'At six.'
  until_true replied 'At six.'
  until_true eval '[ "$(child sweep state)" = ended ]'
  until_true eval 'sophia-retrieve tide 2>/dev/null | grep -q "when is the tide"'
  up_stop
  valid_records "$BATS_TEST_TMPDIR/up.out"
  [ "$(replies 'At six.')" = 1 ]
  discord_clean
}

@test "whichever of them is killed, questions are answered, once each" {
  up_start
  n=0
  for name in gateway index backfill converse; do
    n=$((n + 1))
    before=$(child "$name" pid)
    kill -9 "$before"
    asks "question $n?" "Answer $n."
    until_true replied "Answer $n."
    until_true now ".children[] | select(.name == \"$name\") | .restarts == 1 and .state == \"up\""
  done
  asks 'and now?' 'Still here.'
  until_true replied 'Still here.'
  for ((i = 1; i <= n; i++)); do replied "Answer $i."; done
  [ "$(discord_state .count.identifies)" = 1 ] # the session was resumed
}

@test "if it is killed itself, nothing is lost, and the next one goes on" {
  up_start
  pids=$(jq '.children[] | .pid // empty' "$SOPHIA_HOME/run/up.json")
  { kill -9 "$up" && wait "$up"; } 2>/dev/null || :
  for pid in $pids; do until_true gone "$pid" || until_true gone "$pid"; done
  asks 'is anybody there?' 'I am back.'
  up_start
  until_true replied 'I am back.'
  [ "$(discord_state .count.identifies)" = 1 ]
}

@test "stopped and started again, it resumes its session" {
  up_start
  up_stop
  asks 'good morning?' 'Good morning.'
  up_start
  until_true replied 'Good morning.'
  up_stop
  [ "$(discord_state .count.identifies)" = 1 ]
  discord_clean
}

@test "with a spool that somebody removed, it begins anew, and misses nothing of it" {
  up_start
  asks 'one?' 'One.'
  until_true replied 'One.'
  asks 'two?' 'Two.'
  until_true replied 'Two.'
  up_stop
  rm -r "$SOPHIA_HOME/spool"
  up_start
  asks 'three?' 'Three.'
  until_true replied 'Three.'
  until_true eval 'sophia-retrieve three 2>/dev/null | grep -q "three?"'
  [ "$(replies 'One.')$(replies 'Two.')" = 11 ]
  [ "$(discord_state .count.identifies)" = 2 ]
}

@test "with a token that Discord refuses it ends, and says what to do" {
  DISCORD_TOKEN=wrong run -78 --separate-stderr timeout 60 sophia-up
  [[ ${stderr_lines[-1]} == *'token'* ]]
  run -0 jq -r .state "$SOPHIA_HOME/run/up.json"
  [ "$output" = stopped ]
}
