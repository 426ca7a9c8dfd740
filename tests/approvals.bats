load helper
load turns
load approvals

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  export TERM=dumb
}

@test "a change is asked for at the terminal, and made when it is approved" {
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  run -0 on_tty '
    ask paint it
    must "paint the wall blue"
    must "(a)pprove, (d)eny, (c)orrect, (s)top the task? "
    send "a\r"
    must "It is blue."
    over 0'
  [ "$(done_so_far)" = 'paint all' ]
  [ "$(became)" = approve ]
}

@test "what is denied is not done, and the model is told" {
  paint
  says "$(calls paint '{}')" '{"text":"Then not."}'
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    send "deny\r"
    must "Then not."
    over 0'
  [ -z "$(done_so_far)" ]
  [ "$(became)" = deny ]
  [[ $(asked '.[1].messages[-1].content') == *denied* ]]
}

@test "a correction goes to the model in the words that were typed" {
  paint
  says "$(calls paint '{}')" '{"text":"Green, then."}'
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    send "c\r"
    must "What is to be done instead? "
    send "rather green\r"
    must "Green, then."
    over 0'
  [ -z "$(done_so_far)" ]
  [ "$(became)" = correct ]
  [[ $(asked '.[1].messages | map(.content | tostring) | join(" ")') == *'rather green'* ]]
}

@test "s stops the task, and so does ^C at the prompt" {
  paint
  says "$(calls paint '{}')" "$(calls paint '{}')"
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    send "s\r"
    over 75'
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    send "\003"
    must "Stopped."
    over 75'
  [ -z "$(done_so_far)" ]
  [ "$(became)" = 'stop stop' ]
  [ "$(sql 'SELECT DISTINCT state FROM task')" = cancelled ]
}

@test "what can't be taken back takes a second word, in full" {
  raze
  says "$(calls raze '{}')" '{"text":"Gone."}'
  run -0 on_tty '
    ask raze it
    must "! it can'\''t be taken back"
    send "a\r"
    must "in full to approve it: "
    send "a\r"
    must "Nothing was decided."
    must "(s)top the task? "
    send "a\r"
    must "in full to approve it: "
    send "do it\r"
    must "Gone."
    over 0'
  [ "$(done_so_far)" = 'raze all' ]
  [ "$(became)" = approve ]
}

@test "items are chosen by number or by kind, and only those are done" {
  wipe
  says "$(calls wipe '{}')" '{"text":"Wiped."}'
  run -0 on_tty '
    ask wipe them
    must "   1! ann: one"
    must "   4! eve: four"
    must "  k1: messages by ann (2)"
    must "all? "
    send "k1 4\r"
    must "Chosen: 1 2 4;"
    must "all? "
    send "9\r"
    must "That is none of these."
    must "all? "
    send "2-3\r"
    must "Chosen: 2 3;"
    must "all? "
    send "a\r"
    must "in full to approve it: "
    send "do it\r"
    must "Wiped."
    over 0'
  [ "$(done_so_far)" = 'wipe [2,3]' ]
}

@test "the changes of a reply are asked for together, and may be done in part" {
  paint
  raze
  says "$(calls paint '{}' raze '{}')" '{"text":"Painted."}'
  run -0 on_tty '
    ask paint and raze
    must "   1. paint the wall blue"
    must "   2! raze the wall"
    must "all? "
    send "1\r"
    must "Chosen: 1;"
    must "all? "
    send "a\r"
    must "Painted."
    over 0'
  [ "$(done_so_far)" = 'paint all' ]
  [ "$(sql 'SELECT count(*) FROM approval')" = 1 ]
}

@test "the prompt is on the terminal where stdin and stdout are pipes" {
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  run -0 on_tty "
    spawn -noecho sh -c {echo paint it | sophia-ask -q -p fake - | cat >'$BATS_TEST_TMPDIR/out'}
    must {(s)top the task? }
    send a\\r
    over 0"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r .type "$BATS_TEST_TMPDIR/out"
  [[ $(xargs <<<"$output") == *'call approval decision'*'answer done' ]]
  [ "$(done_so_far)" = 'paint all' ]
}

@test "what was typed before the prompt decides nothing" {
  paint
  script wait <<SH
#!/bin/bash
read -r call
until [ -e "$log.go" ]; do read -rt 0.01 <> <(:); done
echo '{"type":"result","ok":true,"summary":"waited"}'
SH
  tool wait '{}'
  says "$(calls wait '{}')" "$(calls paint '{}')" '{"text":"Not done."}'
  run -0 on_tty "
    eval spawn -noecho sophia-ask -p fake paint it
    must wait
    send a\\r
    must a
    exec touch $log.go
    must {(s)top the task? }
    send d\\r
    must {Not done.}
    over 0"
  [ -z "$(done_so_far)" ]
}

@test "nothing in a prompt steers the terminal or passes for something else" {
  change odd '{tier: "write"}' \
    '{"text":"say \u001b[2J\u202Eevil\u2066\u200b\r\nSophia asks: approve"}'
  says "$(calls odd '{}')" '{"text":"No."}'
  run -0 on_tty '
    ask odd
    must "say \\u{1B}\[2J\\u{202E}evil\\u{2066}\\u{200B}\\u{D}"
    must "  | Sophia asks: approve"
    must "(s)top the task? "
    send "d\r"
    must "No."
    over 0'
  [[ $output != *$'\e[2J'* ]]
}

@test "the end of input at the prompt decides nothing: paused, exit 79" {
  paint
  says "$(calls paint '{}')"
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    send "\004"
    over 79'
  [ -z "$(done_so_far)" ]
  [ "$(became)" = invalid ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|approval' ]
}

@test "without a terminal: the record, paused, words how to go on, exit 79" {
  paint
  says "$(calls paint '{}')"
  run -79 --separate-stderr setsid -w sophia-ask -p fake 'paint it'
  valid_records <<<"$output"
  [ "$(pick 'select(.type == "approval") | [.text, (.items | length), .items[0].capability] | join(" ")')" = \
    'paint the wall blue 1 paint' ]
  [ "$(pick 'select(.type == "decision").verdict')" = invalid ]
  [ "$(pick 'select(.type == "done") | [.verdict, .reason] | join(" ")')" = 'paused approval' ]
  [[ $stderr == *'sophia task resume '* ]]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|approval' ]
  [ -z "$(done_so_far)" ]
  says "$(calls paint '{}')"
  run -79 --separate-stderr setsid -w sophia-ask --text -p fake 'paint it'
  [ -z "$output" ]
  [[ $stderr == *'An approval is needed for this:'*'paint the wall blue'* ]]
}

@test "a paused task is resumed at a terminal, and asks anew" {
  sophia-settings set profile fake >/dev/null
  paint
  says "$(calls paint '{}')" "$(calls paint '{}')" '{"text":"It is blue."}'
  setsid -w sophia-ask -p fake 'paint it' >"$BATS_TEST_TMPDIR/out" 2>/dev/null || [ $? -eq 79 ]
  task=$(jq -r 'select(.type == "task").id' "$BATS_TEST_TMPDIR/out" | head -n 1)
  run -0 on_tty "
    spawn -noecho sophia-task resume $task
    must {paint the wall blue}
    must {(s)top the task? }
    send a\\r
    must {It is blue.}
    over 0"
  [ "$(became)" = 'invalid approve' ]
  [ "$(done_so_far)" = 'paint all' ]
}

@test "--approve deny asks nobody, and does nothing" {
  paint
  says "$(calls paint '{}')" '{"text":"Then not."}'
  run -0 on_tty '
    ask --approve deny paint it
    must "Then not."
    over 0'
  [[ $output != *'pprove'* ]]
  [ "$(became)" = deny ]
  [ -z "$(done_so_far)" ]
}

@test "--approve auto does what a rule allows, and no more" {
  paint
  raze
  says "$(calls paint '{}')"
  run -79 setsid -w sophia-ask -p fake --approve auto 'paint it'
  [ -z "$(done_so_far)" ]
  sophia-access rule add allow -t write
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  run -0 setsid -w sophia-ask --text -p fake --approve auto 'paint it'
  [ "$output" = 'It is blue.' ]
  [ "$(done_so_far)" = 'paint all' ]
  says "$(calls raze '{}')"
  run -79 setsid -w sophia-ask -p fake --approve auto 'raze it'
  says "$(calls paint '{}')"
  run -79 setsid -w sophia-ask -p fake 'paint it'
  [ "$(done_so_far)" = 'paint all' ]
  run -2 --separate-stderr sophia-ask --approve always 'paint it'
  [[ $stderr == "sophia-ask: changes are made with ask, auto or deny, not 'always'"* ]]
}

@test "what is stopped elsewhere is no prompt any more" {
  paint
  says "$(calls paint '{}')"
  run -0 on_tty '
    ask paint it
    must "(s)top the task? "
    exec sophia-task stop [exec sqlite3 -readonly $env(SOPHIA_HOME)/tasks.sqlite "SELECT id FROM task"]
    must "It is over: nobody can decide it any more."
    over 75'
  [ "$(became)" = invalid ]
  [ -z "$(done_so_far)" ]
}

@test "the terminal of one asks nobody for the tasks of another" {
  paint
  says "$(calls paint '{}')"
  run -79 setsid -w sophia-ask -p fake 'paint it'
  task=$(sql 'SELECT id FROM task')
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" \
    "UPDATE task SET location = 'guild:1:2', owner = '5'"
  run -77 sophia-task resume "$task"
  [ -z "$(done_so_far)" ]
}
