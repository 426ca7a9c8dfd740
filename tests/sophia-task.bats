load helper

a=0000000000000000000a b=0000000000000000000b c=0000000000000000000c
t=0000000000000000000t

sql() { sqlite3 -cmd 'PRAGMA foreign_keys = ON' "$SOPHIA_HOME/tasks.sqlite" "$1"; }

# A store with no task yet.
store() { sophia-task --serve </dev/null; }

# kept ID OWNER PLACE STATE REASON OBJECTIVE - a task with one turn, t and ID's
# last letter.
kept() {
  local turn=${t%?}${1: -1} ended=1700000002000
  [ "$4" != running ] || ended=NULL
  sql "INSERT INTO task (id, owner, owner_name, location, visibility, objective,
      approval, profile, state, reason, created_ms, changed_ms)
    VALUES ('$1', '$2', 'ada', '$3', 'private', '$6', 'ask', 'extractive', '$4',
      $5, 1700000000000, 1700000001000);
    INSERT INTO turn (id, task, n, actor, actor_name, text, record, state,
      answer, started_ms, ended_ms) VALUES ('$turn', '$1', 1, '$2', 'ada', '$6',
      '{\"type\":\"turn\"}', iif('$4' = 'running', 'running', 'answered'),
      'because of the fuse', 1700000000000, $ended);"
}

call() { # CAPABILITY ARGUMENTS [ACTOR PLACE-JSON]
  jq -cn --arg capability "$1" --argjson arguments "$2" --arg actor "${3:-local}" \
    --argjson place "${4:-"{\"kind\":\"local\"}"}" '{type: "call", id: "\(env.TASK).1",
    $capability, $arguments, tier: "scratch", context: {actor: {id: $actor,
    name: "n"}, location: $place, task: env.TASK, turn: env.TURN,
    visibility: "private"}}'
}

@test "no task, no store: silent, exit 1, and none is made" {
  run -1 --separate-stderr sophia-task list
  [ -z "$output$stderr" ]
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
}

@test "tasks are listed, found by words and state" {
  store
  kept $a local local completed NULL 'why does the lamp hum?'
  kept $b 11 guild:1:2 paused "'goals'" 'plan the open day'
  sophia-task list >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 sophia-task list --jq .id
  [ "${lines[*]}" = "\"$b\" \"$a\"" ]
  run -0 sophia-task list --jq .id HUM fuse
  [ "$output" = "\"$a\"" ]
  run -0 sophia-task list -s paused --jq '[.id, .reason]'
  [ "$output" = "[\"$b\",\"goals\"]" ]
  run -0 sophia-task list --text -n 1
  [ "$output" = "$b  paused(goals)        2023-11-14 22:13  plan the open day" ]
  run -1 sophia-task list % _
  run -2 sophia-task list -s lost
}

@test "a task is shown to a person, without control characters" {
  store
  kept $a local local completed NULL $'why \e[31mred?'
  sql "INSERT INTO goal (task, n, text, state, remark, created_ms, changed_ms)
    VALUES ('$a', 1, 'find it', 'done', 'found', 1, 2);
    INSERT INTO note (task, n, text, at_ms) VALUES ('$a', 1, 'it was the fuse', 1);
    INSERT INTO plan (task, version, text, at_ms) VALUES ('$a', 1, 'look first', 1);"
  run -0 sophia-task show --text $a
  [ "$output" = "task     $a
state    completed since 2023-11-14 22:13
asked    2023-11-14 22:13 by ada (local) in local, private
profile  extractive, asks before changes
so far   1 turn, 0 calls

goals
  1 [done] find it: found

plan, version 1
look first

notes
  1 it was the fuse

2023-11-14 22:13 local asked:
why "$'\xef\xbf\xbd'"[31mred?
2023-11-14 22:13 answered:
because of the fuse" ]
}

@test "all that is kept is exported, a record a row" {
  store
  kept $a local local completed NULL 'why?'
  sql "INSERT INTO note (task, n, text, at_ms) VALUES ('$a', 1, 'it was the fuse', 1700000000000);
    INSERT INTO usage (id, task, profile, model, purpose, state, sent_ms)
      VALUES (1, '$a', 'p', 'm', 'task', 'sent', 1700000000000);"
  sophia-task export $a >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r .table "$BATS_TEST_TMPDIR/out"
  [ "${lines[*]}" = 'task turn note usage' ]
  run -0 jq -c 'select(.table == "note")' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '{"type":"kept","table":"note","task":"'$a'","n":1,"text":"it was the fuse","at":"2023-11-14T22:13:20.000Z"}' ]
  run -0 jq -c 'select(.table == "turn") | [.record, .started_at]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '[{"type":"turn"},"2023-11-14T22:13:20.000Z"]' ]
}

@test "a task that isn't there: exit 65" {
  for verb in show export resume stop forget; do
    run -65 --separate-stderr sophia-task $verb $c
    [ "$stderr" = "sophia-task: there is no task $c" ]
  done
  store
  for verb in show export stop forget; do
    run -65 --separate-stderr sophia-task $verb $c
    [ "$stderr" = "sophia-task: there is no task $c" ]
  done
  run -65 sophia-task steer $c the other one
  run -2 sophia-task steer
}

@test "a paused task is cancelled, an ended one is left" {
  store
  kept $a local local paused "'stopped'" 'why?'
  run -0 sophia-task stop --text $a
  [ "$output" = cancelled ]
  run -0 sophia-task show --jq .state $a
  [ "$output" = '"cancelled"' ]
  run -1 sophia-task stop --text $a
  [ "$output" = 'it had ended before' ]
}

@test "a running task is told to stop, and to do otherwise" {
  store
  kept $a local local running NULL 'why?'
  exec 7>"$SOPHIA_HOME/run/task.$a"
  flock 7
  run -0 sophia-task stop --text $a
  [ "$output" = 'it will stop' ]
  run -0 sophia-task steer --text $a the other lamp
  [ "$output" = 'it is told' ]
  run -0 sql 'SELECT kind, actor, text FROM control ORDER BY id'
  [ "${lines[*]}" = 'stop|local| steer|local|the other lamp' ]
  run -75 --separate-stderr sophia-task forget $a
  [ "$stderr" = "sophia-task: task $a is running" ]
  run -1 sophia-task recover
  exec 7>&-
}

@test "what a dead process left running is paused" {
  store
  kept $a local local running NULL 'why?'
  kept $b 11 guild:1:2 running NULL 'why?'
  run -0 sophia-task recover --text
  [ "$output" = '2 paused, 0 of their changes unknown' ]
  run -0 sophia-task list --jq '[.state, .reason]'
  [ "${lines[*]}" = '["paused","interrupted"] ["paused","interrupted"]' ]
  run -0 sql 'SELECT location, kind, json(record) ->> "$.reason" FROM outbox'
  [ "$output" = 'guild:1:2|paused|interrupted' ]
  run -1 sophia-task recover
}

@test "a forgotten task leaves no byte of its text" {
  store
  kept $a local local completed NULL 'the quicksilver question'
  sql "INSERT INTO note (task, n, text, at_ms) VALUES ('$a', 1, 'vermilion', 1)"
  grep -q quicksilver "$SOPHIA_HOME"/tasks.sqlite*
  run -0 --separate-stderr sophia-task forget $a
  [ -z "$output$stderr" ]
  run -1 grep -rqE 'quicksilver|vermilion' "$SOPHIA_HOME"
  run -1 sophia-task list
}

@test "old tasks are forgotten if a setting says so, others not" {
  store
  kept $a local local completed NULL 'the quicksilver question'
  kept $b 11 guild:1:2 running NULL 'why?'
  run -1 sophia-task prune --text
  [ "$output" = '0 forgotten' ]
  sophia-settings set retention.tasks 36500
  run -1 sophia-task prune
  sophia-settings set retention.tasks 30
  run -0 sophia-task prune --text
  [ "$output" = '1 forgotten' ]
  run -1 grep -rq quicksilver "$SOPHIA_HOME"
  run -0 sophia-task list --jq .id
  [ "$output" = "\"$b\"" ]
}

@test "a task with a change whose outcome is unknown is not forgotten" {
  store
  kept $a local local paused "'unknown'" 'why?'
  sql "INSERT INTO round VALUES ('$a', 1, '${t%?}a', '{}', 1);
    INSERT INTO call (task, n, round, capability, arguments, tier, state,
      summary, output, started_ms, ended_ms) VALUES ('$a', 1, 1, 'send', '{}', 'write', 'unknown', NULL,
      NULL, 1, 2);
    INSERT INTO receipt (task, call, capability, arguments, nonce, text, state,
      intent_ms, outcome_ms) VALUES ('$a', 1, 'send', '{}', 'n', 'it', 'unknown', 1, 2);"
  run -69 --separate-stderr sophia-task forget $a
  [ "$stderr" = "sophia-task: the outcome of a change in task $a is unknown: settle it first" ]
}

@test "the tools of the working state answer calls" {
  store
  kept $a local local running NULL 'why?'
  export TASK=$a TURN=${t%?}a
  {
    call note_add '{"text":"it hums at 100 Hz"}'
    call note_list '{}'
    call goal_open '{"text":"find the part"}'
    call goal_update '{"goal":1,"state":"blocked","remark":"no meter"}'
    call goal_done '{"goal":1,"remark":"it was C3"}'
    call plan_update '{"text":"look"}'
    call note_clear '{"notes":[1,7]}'
    call task_search '{"query":"why","state":"running"}'
  } | sophia-task --serve >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r .summary "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'Kept as note 1.
1 note.
Kept as goal 1.
Goal 1 is changed.
Goal 1 is done; 0 goals open.
Kept as version 1.
1 note thrown away.
1 task.' ]
  run -0 jq -c 'select(.summary == "Goal 1 is changed.") | .data' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '[{"goal":1,"state":"blocked","text":"find the part","remark":"no meter"}]' ]
}

@test "a tool that can't do it says why" {
  store
  kept $a local local running NULL 'why?'
  kept $b 11 guild:1:2 running NULL 'secret'
  export TASK=$a TURN=${t%?}a
  {
    call note_add '{}'
    call note_add '{"text":""}'
    call goal_done '{"goal":4,"remark":"x"}'
    call goal_update '{"goal":1,"state":"done"}'
    call goal_update '{"goal":1}'
    call note_clear '{"notes":["x"]}'
    TURN=$c call note_add '{"text":"late"}'
    call note_add '{"text":"not mine"}' 12
    TASK=$c call note_add '{"text":"nowhere"}'
    call task_search '{}' 12 '{"kind":"guild","guild":"1","channel":"2"}'
  } | sophia-task --serve >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r '.text // .summary' "$BATS_TEST_TMPDIR/out"
  [ "$output" = "text: is missing
a text of 0 bytes; 1 to 65536 fit
there is no goal 4
state: must be open, in_progress or blocked
nothing is to be changed
notes: has no numbers
this turn has ended
there is no task $a
there is no task $c
0 tasks." ]
  run -0 sql 'SELECT count(*) FROM note'
  [ "$output" = 0 ]
}

@test "a task of somebody else isn't resumed from a terminal: exit 77" {
  store
  kept $b 11 guild:1:2 paused "'goals'" 'plan the open day'
  run -77 --separate-stderr sophia-task resume $b
  [[ $stderr = *"task $b is another's: only its owner can go on with it"* ]]
}
