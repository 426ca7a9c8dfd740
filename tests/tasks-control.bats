load helper
load turns
load effects
load discord
load converse

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  sophia-settings set discord.guilds 11,12 >/dev/null
  sophia-settings set discord.users '*' >/dev/null
  sophia-task --serve </dev/null
}

a=0000000000000000000a b=0000000000000000000b c=0000000000000000000c
w=0000000000000000000w

write() {
  sqlite3 -cmd '.timeout 5000' -cmd 'PRAGMA foreign_keys = ON' \
    "$SOPHIA_HOME/tasks.sqlite" "$1"
}

# kept ID STATE OBJECTIVE [OWNER PLACE VISIBILITY] - such a task, of one turn.
kept() {
  local reason=NULL ended=2
  [ "$2" != paused ] || reason="'goals'"
  [ "$2" != running ] || ended=NULL
  write "INSERT INTO task (id, owner, owner_name, location, visibility,
      objective, approval, profile, state, reason, created_ms, changed_ms)
    VALUES ('$1', '${4:-5}', 'Ada', '${5:-guild:11:22}', '${6:-public}', '$3',
      'auto', 'fake', '$2', $reason, 1, 1);
    INSERT INTO turn (id, task, n, actor, actor_name, text, record, state,
      answer, started_ms, ended_ms) VALUES ('${1%?}${1: -1}', '$1', 1,
      '${4:-5}', 'Ada', '$3', '{}', iif('$2' = 'running', 'running',
      'answered'), 'so', 1, $ended);"
}

# asks ARGUMENTS [MORE] - task_control is called by the task $w of Ada's; its
# answer is in $answer.
asks() {
  answer=$(jq -cn --argjson in "$1" --argjson more "${2:-{\}}" --arg w $w '{type: "call",
    id: "\($w).1", capability: "task_control", arguments: $in,
    tier: "scratch", context: {actor: {id: "5", name: "Ada"}, location: {kind:
    "guild", guild: "11", channel: "22"}, task: $w, turn: $w, visibility:
    "public"}} * $more' | sophia-task --serve)
  valid_records <<<"$answer"
}

answers() {
  local got
  got=$(jq -r "${2:-.text // .summary}" <<<"$answer")
  [ "$got" = "$1" ] || { echo "$got"; false; }
}

@test "a task is found by words and corrected; what fits several is never guessed" {
  kept $w running 'what of the work?'
  kept $a paused 'plan the open day'
  kept $b paused 'plan the closed day'
  asks '{"action":"steer","words":"plan day","text":"in May"}'
  answers 'input ambiguous 2' '"\(.kind) \(.code) \(.candidates | length)"'
  answers "$b plan the closed day $a plan the open day" \
    '[.candidates[] | .task, .objective] | join(" ")'
  [ "$(sql 'SELECT count(*) FROM control')" = 0 ]
  asks '{"action":"steer","words":"open DAY","text":"in May"}'
  answers "Task $a does not run; it is told when it is resumed."
  [ "$(sql 'SELECT task, kind, actor, text FROM control')" = "$a|steer|5|in May" ]
  asks '{"action":"steer","task":"'$b'"}'
  answers 'text: what is it to do otherwise?'
  asks '{"action":"steer"}'
  answers 'say which task: its id as task, or words of it'
  asks '{"action":"steer","words":"nothing","text":"x"}'
  answers 'no such task is here to be corrected'
}

@test "nobody else's task is there, nor one of elsewhere, nor a private one in public, nor itself" {
  kept $w running 'what of the work?'
  kept $a paused "somebody else" 6
  kept $b paused 'elsewhere' 5 guild:11:23
  kept $c paused 'between us' 5 guild:11:22 private
  for id in $a $b $c; do
    asks '{"action":"stop","task":"'$id'"}'
    answers "input there is no task $id" '"\(.kind) \(.text)"'
  done
  for word in somebody elsewhere between; do
    asks '{"action":"stop","words":"'$word'"}'
    answers 'no such task is here to be stopped'
  done
  asks '{"action":"stop","task":"'$w'"}'
  answers 'that is this task itself'
  # The operator of the machine has a model, too, that gets at no one else's.
  asks '{"action":"stop","task":"'$a'"}' '{"context":{"actor":{"id":"local"},
    "location":{"kind":"local","guild":null,"channel":null},"turn":null}}'
  answers "there is no task $a"
  [ "$(sql "SELECT count(*) FROM task WHERE state = 'paused'")" = 3 ]
  asks '{"action":"stop","words":"between"}' '{"context":{"visibility":"private"}}'
  answers "Task $c is cancelled."
}

@test "to continue one puts a turn into the inbox, once for a call" {
  kept $w running 'what of the work?'
  kept $a paused 'plan the open day'
  for i in 1 2; do
    asks '{"action":"continue","task":"'$a'","text":"and the tea"}'
    answers "Task $a goes on after this turn, and answers by itself."
  done
  [ "$(sql "SELECT i.task, json_extract(record, '\$.text'), json_extract(record, '\$.actor.id'),
    json_extract(record, '\$.approval'), a.channel FROM inbox i JOIN address a ON a.turn = i.turn")" = "$a|and the tea|5|auto|22" ]
  kept $b running 'at work'
  asks '{"action":"continue","task":"'$b'"}'
  answers "task $b is at work"
  asks '{"action":"continue","words":"at work"}'
  answers 'no such task is here to be continued'
}

@test "on a terminal the person continues a task, by a command that is named" {
  kept $w running 'what of the work?' local local private
  kept $a paused 'plan the open day' local local private
  asks '{"action":"continue","task":"'$a'"}' '{"context":{"actor":{"id":"local"},
    "location":{"kind":"local","guild":null,"channel":null},"visibility":"private"}}'
  answers "on a terminal the person does that: sophia task resume $a"
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
}

@test "what a private task has read is not told to a public one" {
  kept $w running 'what of the work?' 5 guild:11:22 private
  kept $a paused 'plan the open day'
  write "INSERT INTO source (task, kind, url, revision, channel, text)
    VALUES ('$w', 'message', 'https://discord.com/channels/11/99/1', '', '99', 'hush')"
  for action in steer continue; do
    asks '{"action":"'$action'","task":"'$a'","text":"hush"}' '{"context":{"visibility":"private"}}'
    answers denied .kind
  done
  [ "$(sql 'SELECT count(*) FROM control')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
}

@test "a turn that has ended, or whose sources have changed, controls nothing" {
  kept $w running 'what of the work?'
  kept $a paused 'plan the open day'
  asks '{"action":"stop","task":"'$a'"}' '{"context":{"turn":"'$a'"}}'
  answers 'this turn has ended'
  write "INSERT INTO control (task, kind, actor, actor_name, at_ms)
    VALUES ('$w', 'invalidate', 'local', '', 1)"
  asks '{"action":"stop","task":"'$a'"}'
  answers refused .kind
  [ "$(sql "SELECT state FROM task WHERE id = '$a'")" = paused ]
}

@test "a task is forgotten through a whole turn: but for what runs or isn't one's own" {
  sophia-access grant -u 5 -g 11 -t destructive -m auto >/dev/null
  kept $a completed 'the quicksilver question'
  kept $b running 'at work'
  exec 8>"$SOPHIA_HOME/run/task.$b"
  flock 8
  kept $c completed 'not mine' 6
  write "INSERT INTO inbox (turn, task, record, late, asked_ms)
    VALUES ('$c', '$a', '{\"text\":\"quicksilver, again\"}', 0, 1)"
  says "$(calls tool_search '{"query":"task_forget"}')" \
    "$(calls task_forget '{"task":"'$c'"}' task_forget '{"task":"'$b'"}' task_forget '{"task":"'$a'"}')" \
    '{"text":"It is gone."}'
  run -0 loop 'forget it' "$ada"
  exec 8>&-
  [ "$(pick 'select(.type == "error").text')" = "there is no task $c
task $b is running" ]
  [ "$(sql "SELECT group_concat(id) FROM (SELECT id FROM task WHERE id IN ('$a','$b','$c') ORDER BY id)")" = "$b,$c" ]
  [ "$(sql 'SELECT task FROM forgotten')" = $a ]
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
  [ "$(sql 'SELECT state, text FROM receipt')" = "succeeded|forget the completed task $a (the quicksilver question): all that is kept of it is deleted" ]
}

@test "without a grant nothing is forgotten, and what is unknown stays" {
  kept $a completed 'the quicksilver question'
  says "$(calls tool_search '{"query":"task_forget"}')" \
    "$(calls task_forget '{"task":"'$a'"}')" '{"text":"No."}'
  run -0 loop 'forget it' "$ada"
  [ "$(pick 'select(.type == "error").kind')" = denied ]
  sophia-access grant -u 5 -g 11 -t destructive -m auto >/dev/null
  write "INSERT INTO round (task, n, turn, message, at_ms) VALUES ('$a', 1, '$a', '{}', 1);
    INSERT INTO call (task, n, round, capability, arguments, tier, state, started_ms, ended_ms)
      VALUES ('$a', 1, 1, 'send', '{}', 'write', 'unknown', 1, 2);
    INSERT INTO receipt (task, call, capability, arguments, nonce, text, state, intent_ms, outcome_ms)
      VALUES ('$a', 1, 'send', '{}', 'n', 'it', 'unknown', 1, 2);"
  says "$(calls tool_search '{"query":"task_forget"}')" \
    "$(calls task_forget '{"task":"'$a'"}')" '{"text":"No."}'
  run -0 loop 'forget it' "$ada"
  [[ $(pick 'select(.type == "error").text') == *'is unknown: settle it first'* ]]
  [ "$(sql 'SELECT count(*) FROM forgotten')" = 0 ]
}

@test "who may correct a task is named on the terminal, for a public one of a server alone" {
  kept $a paused 'paint the wall'
  kept $b paused 'between us' 5 guild:11:22 private
  kept $c paused 'here' local local
  run -0 --separate-stderr sophia-task collaborate --text $a 6
  [ "$output" = 'they may correct it' ]
  run -1 sophia-task collaborate $a 6
  run -65 --separate-stderr sophia-task collaborate $a bob
  [ "$stderr" = 'sophia-task: that is no user: an id is needed' ]
  run -69 --separate-stderr sophia-task collaborate $a 5
  [ "$stderr" = 'sophia-task: its owner is no collaborator' ]
  for id in $b $c; do
    run -69 --separate-stderr sophia-task collaborate $id 6
    [ "$stderr" = 'sophia-task: only a public task of a server has collaborators' ]
  done
  run -65 sophia-task collaborate $w 6
  [ "$(sql 'SELECT task, user FROM collaborator')" = "$a|6" ]
  run -0 sophia-task export --jq 'select(.table == "collaborator").user' $a
  [ "$output" = '"6"' ]
  for n in {100..118}; do sophia-task collaborate $a $n; done
  run -69 --separate-stderr sophia-task collaborate $a 200
  [ "$stderr" = 'sophia-task: a task has at most 20 collaborators' ]
  run -0 sophia-task collaborate -r $a 6
  run -1 sophia-task collaborate -r $a 6
  sophia-task forget $a
  [ "$(sql 'SELECT count(*) FROM collaborator')" = 0 ]
}

@test "after somebody else's correction each change is asked for, also when resumed" {
  effects_use
  says '{"text":"What colour?"}'
  run -0 loop 'paint' "$ada"
  task=$(pick 'select(.type == "task").id')
  write "INSERT INTO control (task, kind, actor, actor_name, text, at_ms)
    VALUES ('$task', 'steer', '6', 'Bo', 'red', 1)"
  for i in 1 2; do
    says "$(calls change '{"n":'$i'}')" '{"text":"As you say."}'
    begin_loop 'go on' "$ada,\"task\":\"$task\""
    decide deny
    end_loop
    [ "$(sql "SELECT count(*) FROM approval WHERE asked = '5' AND verdict = 'deny'")" = $i ]
  done
  [ "$(did)" = 0 ]
}

@test "who asked is told of a stop that nobody at work could tell of, and nothing goes on with it" {
  kept $a paused 'plan the open day'
  kept $b completed 'plan the closed day'
  kept $c paused 'here' local local
  for id in $a $b; do
    write "INSERT INTO inbox (turn, task, record, late, asked_ms) VALUES ('${id%?}x${id: -1}', '$id', '{}', 0, 1);
      INSERT INTO address (turn, channel, at_ms) VALUES ('${id%?}x${id: -1}', '22', 1)"
  done
  run -0 sophia-task stop --text $a
  [ "$output" = cancelled ]
  run -0 sophia-task stop --text $b
  [ "$output" = cancelled ]
  run -1 sophia-task stop --text $b
  run -0 sophia-task stop $c
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM address')" = 0 ]
  [ "$(sql "SELECT task, kind, json_extract(record, '\$.reason') FROM outbox")" = "$a|paused|stopped" ]
  sql 'SELECT record FROM outbox' | valid_records
  [ "$(sql 'SELECT group_concat(state) FROM (SELECT state FROM task ORDER BY id)')" = cancelled,completed,cancelled ]
}

@test "a task is handed off where its owner is let in, inactive and settled, and to nobody else" {
  kept $a paused 'plan the open day'
  kept $b completed 'in direct messages' 5 dm:77 private
  kept $c completed 'here' local local private
  kept $w running 'at work'
  exec 8>"$SOPHIA_HOME/run/task.$w"
  flock 8
  sophia-task collaborate $a 6
  refuses() { # STATUS TEXT ID PLACE
    run "-$1" --separate-stderr sophia-task handoff "$3" "$4"
    [ "$stderr" = "sophia-task: $2" ] || { echo "$stderr"; false; }
  }
  for place in local nowhere guild:11 dm:x guild:11:x guild:x:1; do
    refuses 65 'a place is guild:GUILD:CHANNEL or dm:CHANNEL' $a $place
  done
  refuses 69 "task $c is of this terminal: nobody in Discord has it" $c guild:12:33
  refuses 75 "task $w is at work" $w guild:12:33
  refuses 77 'the owner of the task is not let in there' $a guild:13:33
  refuses 77 'the owner of the task is not let in there' $a dm:77
  sophia-settings set discord.dms on
  sophia-settings set discord.users 5,6
  refuses 77 'the owner of the task is not let in there' $a dm:78
  write "INSERT INTO source (task, kind, url, revision, channel, text)
    VALUES ('$a', 'message', 'https://discord.com/channels/11/99/1', '', '99', 'hush')"
  run ! sophia-task handoff $a dm:77
  write "DELETE FROM source"
  [ "$(sql "SELECT location || visibility FROM task WHERE id = '$a'")" = guild:11:22public ]
  run -0 sophia-task handoff --text $a dm:77
  [ "$output" = 'it is there now, for its owner alone' ]
  run -0 sophia-task handoff $b guild:12:33
  [ "$(sql "SELECT location || visibility FROM task WHERE id IN ('$a', '$b') ORDER BY id")" = $'dm:77private\nguild:12:33private' ]
  [ "$(sql 'SELECT count(*) FROM collaborator')" = 0 ]
  exec 8>&-
}
