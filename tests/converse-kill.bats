load helper
load turns
load discord
load converse

# sophia-converse is killed as it enters the n-th system call of a kind, for
# every n there is, while it answers one request: whatever it left, the next one
# answers it once.

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() { harbour; }
teardown() { harbour_close; }

# killed_at CALL N - 1 when it makes no N-th such call on its way to an answer.
killed_at() {
  local word="$1-$2" answers
  ASAN_OPTIONS=detect_leaks=0 strace -o /dev/null -e trace="$1" \
    -e "inject=$1:signal=KILL:when=$2" sophia-converse \
    3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  says_in general ada "<@sophia> $word"
  until_true over "$id"
  answers=0
  if pkill -TERM -P "$converse_pid" -x sophia-converse; then
    wait "$converse_pid" || :
    answers=1
  fi
  converse_pid=
  [ $answers -eq 1 ] || settled "$id"
  [ "$(replies "$id")" = 1 ] || { echo "$word: $(replies "$id") replies"; exit 1; }
  return $answers
}

replies() { discord_state "[.sent[] | select(.reference == \"$1\")] | length"; }

# over ID - it is answered for good, or whoever was to do so is dead.
over() {
  ! kill -0 "$converse_pid" 2>/dev/null || delivered "$1"
}
delivered() {
  [ "$(sql "SELECT o.state FROM outbox o JOIN address a ON a.turn = o.turn
    WHERE a.request = '$1'" 2>/dev/null)" = delivered ]
}

# settled ID - another one goes on until it is answered.
settled() {
  rm -f "$SOPHIA_HOME/run/limits" # a dead one's reservations last 30 s
  sophia-converse 3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  until_true delivered "$1"
  kill -TERM "$converse_pid"
  wait "$converse_pid" || :
  converse_pid=
}

# sweep CALL STEP - kill at each STEP-th such call.
sweep() {
  local n=1
  while killed_at "$1" "$n"; do n=$((n + $2)); done
  echo "$1: $n"
  [ "$n" -gt "$3" ]
}

@test "killed at each sync of the disk, it answers once all the same" {
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sweep fdatasync 1 5
  [ "$(discord_state '.doubled | length')" = 0 ]
}

@test "killed at each piece it sends to Discord, the same" {
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sweep sendto 1 4
  [ "$(discord_state '.doubled | length')" = 0 ]
}
