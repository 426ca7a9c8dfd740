load helper
load turns

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  export TERM=dumb
}

ask() { sophia-ask --text -p fake "$@"; }

# on_tty SCRIPT - an expect script that talks to `sophia-ask` on a terminal.
on_tty() {
  expect -f - <<EXPECT
set timeout 10
log_user 1
proc must {text} { expect -ex \$text {} timeout { puts "NEVER: \$text"; exit 99 } eof { puts "EOF before: \$text"; exit 98 } }
proc shell {text} { exec bash -c \$text >@ stdout 2>@ stderr }
proc over {code} {
  expect eof {} timeout { puts "it does not end"; exit 97 }
  set got [lindex [wait] 3]
  if {\$got != \$code} { puts "exit \$got, not \$code"; exit 96 }
}
$1
EXPECT
}

@test "the answer is all there is on stdout, and nothing on stderr" {
  says '{"text":"On the mat."}'
  run -0 --separate-stderr ask 'Where is the cat?'
  [ "$output" = 'On the mat.' ]
  [ -z "$stderr" ]
}

@test "words are one question; - reads it from stdin" {
  says '{"text":"a"}' '{"text":"b"}'
  ask where is it
  ask - <<<'and now?'
  run -0 asked 'map(.messages[-1].content) | .[]'
  [[ ${lines[0]} == *'where is it' ]]
  [[ ${output} == *'and now?' ]]
}

@test "no question, an empty one, one that is too long" {
  run -2 --separate-stderr sophia-ask
  [ "${stderr_lines[0]}" = 'sophia-ask: there is no question: say it in words, or - for stdin, or -i' ]
  run -2 --separate-stderr sophia-ask ' '
  [ "${stderr_lines[0]}" = 'sophia-ask: the question is empty' ]
  run -65 --separate-stderr sophia-ask - <<<' '
  [ "$stderr" = 'sophia-ask: the question is empty' ]
  head -c 300000 /dev/zero | tr '\0' x >"$log"
  run -65 --separate-stderr sophia-ask - <"$log"
  [ "$stderr" = 'sophia-ask: the question is longer than 262144 bytes' ]
}

@test "--json gives the records of the turn as they are" {
  says "$(calls evaluate_math '{"expression":"6*7"}')" '{"text":"42"}'
  run -0 --separate-stderr ask --json 'How much?'
  [ "$(types)" = 'task call result answer done' ]
  valid_records <<<"$output"
  says '{"text":"43"}'
  run -0 ask --jq 'select(.type == "answer").text' 'And one more?'
  [ "$output" = '"43"' ]
}

@test "a profile that isn't there: exit 78, said once" {
  run -78 --separate-stderr sophia-ask --text -p none 'hello'
  [ -z "$output" ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  [[ $stderr == 'sophia-ask: '*none* ]]
}

@test "without an index extractive says how to make one, once" {
  run -78 --separate-stderr sophia-ask --text -p extractive 'where is it?'
  [ -z "$output" ]
  [ "$stderr" = 'sophia-ask: the search failed: there are no messages yet; run: sophia index import FILE' ]
}

@test "-t goes on with a task; another's or none is exit 65" {
  says '{"text":"one"}' '{"text":"two"}'
  task=$(ask --json 'first' | jq -r 'select(.type == "task").id')
  run -0 ask -t "$task" 'second'
  [ "$output" = two ]
  [[ $(asked '.[1].messages | map(.content) | join(" ")') == *first*one*second ]]
  run -2 ask -t nonsense 'third'
  run -65 --separate-stderr ask -t 00000000000000000000 'third'
  [[ $stderr == *'there is no task 00000000000000000000'* ]]
}

@test "what pauses is exit 75, and says how to go on" {
  says '{"text":""}' '{"text":""}'
  run -75 --separate-stderr ask 'hello'
  [ -z "$output" ]
  [[ $stderr == 'sophia-ask: paused: '*'sophia task resume '* ]]
  [ "${#stderr_lines[@]}" -eq 1 ]
}

@test "an error of a call is not why the turn ends: a killed loop is 70" {
  sh_tool victim <<SH
echo "\$PPID" >"$log"
read -rt 20 <> <(:)
SH
  says "$(calls evaluate_math '{"expression":"1/0"}')" "$(calls victim '{}')"
  sophia-ask --text -p fake 'wait' 2>"$log.err" &
  pid=$!
  until_true [ -s "$log" ]
  kill -KILL "$(cat "$log")"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" -eq 70 ]
  [[ $(cat "$log.err") == 'sophia-ask: '*'killed by signal 9' ]]
  sophia-task recover >/dev/null
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|interrupted' ]
}

@test "to a pipe it writes records" {
  run -0 sophia-ask -p fake 'hello'
  [ "$(types)" = 'task answer done' ]
}

# Tells which process the loop is, and goes on when it may.
waiting_tool() {
  sh_tool wait <<SH
echo "\$PPID" >"$log"
until [ -e "$log.go" ]; do read -rt 0.01 <> <(:); done
result waited
SH
}

@test "when it is killed the loop pauses its task and goes, too" {
  waiting_tool
  says "$(calls wait '{}')"
  sophia-ask -p fake 'wait' >"$log.out" 2>&1 &
  pid=$!
  until_true [ -s "$log" ]
  kill -KILL "$pid"
  loop=$(cat "$log")
  until_true eval "! kill -0 $loop 2>/dev/null"
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|interrupted' ]
}

@test "nobody reads the records: the same" {
  run -0 bash -c 'sophia-ask -p fake speak | head -n 1'
  until_true eval '! (sql "SELECT state FROM task" | grep running)'
}

@test "on a terminal the answer comes as it is written" {
  says '{"text":"On the mat, I am told.","cut":20}'
  run on_tty 'spawn sophia-ask -p fake where
must "On the mat, I am told."
over 0'
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "line after line, with the task going on until /new" {
  says '{"text":"one"}' '{"text":"two"}' '{"text":"three"}'
  run on_tty 'spawn sophia-ask -p fake -i
must "/quit"
must "sophia> "
send "first\r"
must "one"
must "sophia> "
send "second\r"
must "two"
must "sophia> "
send "/new\r"
must "sophia> "
send "third\r"
must "three"
must "sophia> "
send "/quit\r"
over 0'
  echo "$output"
  [ "$status" -eq 0 ]
  [ "$(sql 'SELECT count(*) FROM task')" = 2 ]
  [[ $(asked '.[1].messages | map(.content) | join(" ")') == *first*one*second ]]
}

@test "^C stops the turn in order: cancelled, exit 75" {
  says '{"hang":"before"}'
  run on_tty 'spawn sophia-ask -p fake where
shell {asked_times 1}
send "\003"
must "sophia-ask: stopped"
over 75'
  echo "$output"
  [ "$status" -eq 0 ]
  [ "$(sql 'SELECT state FROM task')" = cancelled ]
}

@test "^C twice ends a loop that does not hear: interrupted, exit 75" {
  waiting_tool
  says "$(calls wait '{}')"
  run on_tty 'spawn sophia-ask -p fake where
shell {until_true test -s '"$log"'}
exec kill -STOP [exec cat '"$log"']
send "\003"
shell {sql_is "SELECT kind FROM control" stop}
send "\003"
must "sophia-ask: interrupted; go on with: sophia task resume"
over 75'
  echo "$output"
  [ "$status" -eq 0 ]
  run -0 sophia-task recover
}

@test "^C at the prompt takes back what is typed, and leaves nothing of it" {
  says '{"text":"well"}'
  run on_tty 'spawn sophia-ask -p fake -i
must "sophia> "
send "never mind"
must "never mind"
send "\003"
must "^C"
must "sophia> "
send "\003"
must "^C"
must "sophia> "
send "how are you?\r"
must "well"
must "sophia> "
send "\004"
over 0'
  echo "$output"
  [ "$status" -eq 0 ]
  [[ $(asked '.[-1].messages[-1].content') == *'how are you?'* ]]
  run -1 grep 'never mind' "$SOPHIA_HOME/history-ask"
}

@test "^C in a conversation leaves the conversation going" {
  says '{"hang":"before"}' '{"text":"here again"}'
  run on_tty 'spawn sophia-ask -p fake -i
must "sophia> "
send "first\r"
shell {asked_times 1}
send "\003"
must "stopped"
must "sophia> "
send "second\r"
must "here again"
must "sophia> "
send "/quit\r"
over 0'
  echo "$output"
  [ "$status" -eq 0 ]
}

@test "without a model: the messages that answer, with their links" {
  sophia-index import "$top/share/samples" >/dev/null
  run -0 --separate-stderr sophia-ask --text -p extractive \
    'Why did the Grey Singer 66 skip stitches on denim?'
  [[ $output == *'https://discord.com/channels/1407653517114528021/'* ]]
  [ -z "$stderr" ]
  run -0 sophia-ask -p extractive 'Why did the Grey Singer 66 skip stitches on denim?'
  valid_records <<<"$output"
  [ "$(pick 'select(.type == "answer").sources | length > 0')" = true ]
}

@test "without a model and nothing found: the answer says so, exit 1" {
  sophia-index import "$top/share/samples" >/dev/null
  run -1 --separate-stderr sophia-ask --text -p extractive 'xylophagous quokkas'
  [[ $output == 'Nothing was found: '* ]]
  [ -z "$stderr" ]
  run -1 sophia-ask -p extractive 'xylophagous quokkas'
  valid_records <<<"$output"
  [ "$(pick 'select(.type == "answer") | .found')" = false ]
  [ "$(pick 'select(.type == "done").verdict')" = answered ]
  run -0 sophia-ask -p extractive 'Why did the Grey Singer 66 skip stitches on denim?'
  [ "$(pick 'select(.type == "answer") | has("found")')" = false ]
}

@test "without a model and without messages: exit 78, and what to do, said once" {
  run -78 --separate-stderr sophia-ask --text -p extractive 'Where is the cat?'
  [ -z "$output" ]
  [ "${#stderr_lines[@]}" -eq 1 ]
  [[ $stderr == 'sophia-ask: the search failed: '*'run: sophia index import FILE' ]]
}
