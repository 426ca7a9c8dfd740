load helper
load turns
load discord
load converse

# sophia-converse is killed as it enters the n-th system call of a kind, for
# every n there is, while it answers one request: whatever it left, the next one
# answers it once, or says once that the task is paused.

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() {
  harbour
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
}
teardown() { harbour_close; }

# killed_at HOW CALL N - 1 when it makes no N-th such call on its way to an
# answer. HOW it is asked: message, command.
killed_at() {
  local word="$2-$3" last=1
  ASAN_OPTIONS=detect_leaks=0 strace -o /dev/null -e trace="$2" \
    -e "inject=$2:signal=KILL:when=$3" sophia-converse \
    3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  "ask_$1" "$word"
  until_true over "$word"
  pkill -TERM -P "$converse_pid" -x sophia-converse || last=0
  wait "$converse_pid" || :
  converse_pid=
  [ $last -eq 1 ] || again "$1" "$word"
  "once_$1" "$word"
  return $last
}

# over WORD - it is answered for good, or whoever was to do so is dead.
over() {
  ! kill -0 "$converse_pid" 2>/dev/null || delivered "$1"
}
delivered() {
  [ "$(sql "SELECT o.state FROM outbox o JOIN task t ON t.id = o.task
    WHERE t.objective = '$1'" 2>/dev/null)" = delivered ]
}

# again HOW WORD - another one goes on until there is nothing left to do.
again() {
  rm -f "$SOPHIA_HOME/run/limits" # a dead one's reservations last 30 s
  sophia-converse 3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  quiet
  ! "due_$1" || until_true delivered "$2"
  converse_stop || :
  converse_pid=
}

ask_message() { says_in general ada "<@sophia> $1"; }
due_message() { true; }
once_message() {
  [ "$(discord_state "[.sent[] | select(.reference == \"$id\")] | length")" = 1 ] ||
    { echo "$1: not one reply"; exit 1; }
}

# A command that nobody acknowledged in time was seen to fail: it is let go.
ask_command() {
  interacts ada "{do: \"command\", channel: \"general\", name: \"talk\", options: {message: \"$1\"}}"
}
due_command() {
  [ "$(discord_state "$(this) | .answers | length")" -gt 0 ]
}
once_command() {
  local turns
  turns=$(sql "SELECT count(*) FROM turn WHERE text = '$1'")
  if due_command; then
    [ "$turns" = 1 ] && [ -n "$(discord_state "$(this) | .messages[0].content")" ]
  else
    [ "$turns" = 0 ]
  fi || { echo "$1: $turns turns"; exit 1; }
}
this() { echo ".interactions[] | select(.id == $(jq .id <<<"$made"))"; }

# sweep HOW CALL LEAST - kill at each such call, of which there are that many.
sweep() {
  local n=1
  while killed_at "$1" "$2" "$n"; do n=$((n + 1)); done
  echo "$2: $n"
  [ "$n" -gt "$3" ]
  [ "$(discord_state '.doubled | length')" = 0 ]
}

@test "killed at each sync of the disk, it answers a message once" {
  sweep message fdatasync 5
}

@test "killed at each piece it sends to Discord, the same" {
  sweep message sendto 4
}

@test "killed at each sync of the disk, it obeys a command once" {
  converse_start
  discord_until effects # the commands are registered
  converse_stop
  sweep command fdatasync 5
}

@test "killed at each piece it sends to Discord, the same of a command" {
  converse_start
  discord_until effects
  converse_stop
  sweep command sendto 4
}
