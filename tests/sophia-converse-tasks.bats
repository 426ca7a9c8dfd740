load helper
load turns
load discord
load converse

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() { harbour; }
teardown() { harbour_close; }

# tasks USER OPTIONS - /tasks with these options, for the task $task.
tasks() {
  interacts "$1" "{do: \"command\", channel: \"general\", name: \"tasks\",
    options: ({task_id: \"$task\"} + $2)}"
}

# doubtful - Ada's task, of which one change is unknown.
doubtful() {
  says '{"text":"Painted."}'
  says_in general ada '<@sophia> paint the wall'
  outcomes 1
  task=$(sql 'SELECT id FROM task')
  write "UPDATE task SET state = 'paused', reason = 'unknown', calls = 1;
    INSERT INTO round (task, n, turn, message, at_ms)
      SELECT task, 99, id, '{}', 1 FROM turn;
    INSERT INTO call (task, n, round, capability, arguments, tier, state,
      started_ms, ended_ms) VALUES ('$task', 1, 99, 'change', '{}', 'write',
      'unknown', 1, 2);
    INSERT INTO receipt (task, call, capability, arguments, nonce, state,
      intent_ms, outcome_ms, text) VALUES ('$task', 1, 'change', '{}', 'n',
      'unknown', 1, 2, 'paint the *north* wall');"
}
write() {
  sqlite3 -cmd '.timeout 5000' -cmd 'PRAGMA foreign_keys = ON' \
    "$SOPHIA_HOME/tasks.sqlite" "$1"
}

@test "a change of doubt is shown to its owner alone, and settled by what they saw" {
  converse_start
  doubtful
  tasks ada '{}'
  run -0 answered .content
  [[ $output == *'not known whether change 1 happened:** paint the \*north\* wall'* ]]
  tasks ada '{ephemeral: false}'
  run -0 answered .content
  [[ $output == *'not known whether change 1 happened.**'* && $output != *north* ]]
  tasks ada '{action: "resume"}'
  run -0 answered .content
  [[ $output == *'is unknown: settle it first'* ]]
  tasks ada '{action: "not"}'
  run -0 answered .content
  [ "$output" = 'Say what you saw, as text.' ]
  tasks bob '{action: "happened", text: "I know better"}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  tasks ada '{action: "forget", confirm: true}'
  run -0 answered .content
  [[ $output == *'is unknown: settle it first'* ]]
  [ "$(sql 'SELECT count(*) FROM settlement')" = 0 ]
  tasks ada '{action: "not", text: "it is as it was"}'
  run -0 answered .content
  [[ $output == 'It is on record that change 1 did not happen.'* ]]
  [ "$(sql 'SELECT kind, happened, actor, text FROM settlement')" = "attested|0|$(user_id ada)|it is as it was" ]
  [ "$(sql 'SELECT state FROM task')" = paused ]
  [ "$(sql 'SELECT count(*) FROM turn')" = 1 ]
  tasks ada '{action: "happened", change: 1, text: "or not"}'
  run -0 answered .content
  [[ $output == *'settled before'* ]]
  says '{"text":"Then it is so."}'
  tasks ada '{action: "resume"}'
  run -0 answered .content
  [ "$output" = 'Then it is so.' ]
}

@test "a task is forgotten by its owner, who says so twice" {
  converse_start
  says_in general ada '<@sophia> the tide'
  outcomes 1
  task=$(sql 'SELECT id FROM task')
  tasks bob '{action: "forget", confirm: true}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  tasks ada '{action: "forget"}'
  run -0 answered .content
  [[ $output == *"It can't be undone."* ]]
  [ "$(sql 'SELECT count(*) FROM task')" = 1 ]
  tasks ada '{action: "forget", confirm: true}'
  run -0 answered .content
  [[ $output == 'It is forgotten.' || $output == *'is forgotten, but its bytes are not cleared yet'* ]]
  [ "$(sql 'SELECT count(*) FROM task')" = 0 ]
  [ "$(sql 'SELECT task FROM forgotten')" = "$task" ]
}

# proposed CAPABILITY ARGUMENTS - the plan of such a change, for Ada.
proposed() {
  jq -nc --arg c "$1" --argjson in "$2" --arg a "$(user_id ada)" --arg g "$discord_guild" \
    --arg ch "$discord_channel" '{type: "call", id: "0000000000000000000t.1",
      capability: $c, arguments: $in, tier: "write", phase: "check",
      context: {actor: {id: $a, name: "Ada"}, location: {kind: "guild",
        guild: $g, channel: $ch}, visibility: "private"}}' |
    sophia-guild --serve | jq -c .plan
}

@test "whether a change happened is looked for, by what Discord shows, and settles it" {
  converse_start
  doubtful
  tasks ada '{action: "verify"}'
  run -0 answered .content
  [[ $output == "That could not be found out: what change has done can't be read back"* ]]
  plan=$(proposed send_message '{"channel":"general","text":"hello"}')
  write "UPDATE receipt SET capability = 'send_message', plan = '$plan',
    arguments = '{\"channel\":\"general\",\"text\":\"hello\"}',
    guild = '$discord_guild', nonce = '0123456789abcdefghijklmno'"
  tasks bob '{action: "verify", change: 1}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  tasks ada '{action: "verify", ephemeral: false}'
  run -0 answered .content
  [[ $output == *'for you alone'* ]]
  tasks ada '{action: "verify"}'
  run -0 answered .content
  [[ $output == 'send_message: not done; no such message is in <#'* ]]
  [ "$(sql 'SELECT kind, happened, actor FROM settlement')" = "verified|0|$(user_id ada)" ]
  [ "$(sql 'SELECT state FROM task')" = paused ]
  tasks ada '{action: "verify"}'
  run -0 answered .content
  [ "$output" = 'Of all its changes it is known what came of them.' ]
}

@test "whom the owner names may correct the task where it is, and nothing else" {
  converse_start
  says '{"hang":"before"}' '{"text":"Blue, then."}'
  says_in general ada '<@sophia> paint it red'
  request=$id
  asked_times 1
  task=$(sql 'SELECT id FROM task')
  steered() { sql "SELECT count(*) FROM control WHERE kind = 'steer'"; }
  interacts bob '{do: "command", channel: "general", name: "steer", options: {text: "blue", task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  says_in general bob 'blue' '{reply_to: "'"$request"'"}'
  quiet
  [ "$(steered)" = 0 ]
  tasks bob '{action: "invite", user: "'"$(user_id bob)"'"}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  tasks ada '{action: "invite", user: "'"$(user_id bob)"'"}'
  run -0 answered .content
  [[ $output == "<@$(user_id bob)> may correct it here"* ]]
  tasks bob '{}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  interacts bob '{do: "command", channel: "general", name: "stop", options: {task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  interacts bob '{do: "command", channel: "random", name: "steer", options: {text: "blue", task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  [ "$(steered)" = 0 ]
  interacts bob '{do: "command", channel: "general", name: "steer", options: {text: "blue"}}'
  run -0 answered .content
  [ "$output" = 'I take that into account.' ]
  outcomes 1
  [ "$(sql 'SELECT kind, actor, text FROM control')" = "steer|$(user_id bob)|blue" ]
  [ "$(sql 'SELECT kind FROM outbox')" = answer ]
  tasks ada '{action: "uninvite", user: "'"$(user_id bob)"'"}'
  run -0 answered .content
  [[ $output == *'may no longer correct it.' ]]
}

@test "a reply of somebody who was named corrects a task at work, and resumes none" {
  converse_start
  says '{"hang":"before"}' '{"text":"Blue, then."}' '{"text":"A new one."}'
  says_in general ada '<@sophia> paint it red'
  request=$id
  asked_times 1
  task=$(sql 'SELECT id FROM task')
  sophia-task collaborate "$task" "$(user_id bob)"
  says_in general bob 'blue' '{reply_to: "'"$request"'"}'
  outcomes 1
  [ "$(sql 'SELECT actor, text FROM control')" = "$(user_id bob)|blue" ]
  discord_until sent
  says_in general bob '<@sophia> and green' '{reply_to: "'"$request"'"}'
  outcomes 2
  [ "$(sql "SELECT owner FROM task WHERE id <> '$task'")" = "$(user_id bob)" ]
  [ "$(sql "SELECT count(*) FROM turn WHERE task = '$task'")" = 1 ]
}

@test "what waits is called off by whoever asked for it, and by nobody else" {
  sophia-settings set converse.tasks 1
  converse_start
  says '{"hang":"before"}' '{"text":"late"}'
  says_in general ada '<@sophia> one'
  asked_times 1
  says_in general bob '<@sophia> two'
  sql_is 'SELECT count(*) FROM inbox' 1
  interacts eve '{do: "command", channel: "general", name: "stop"}'
  run -0 answered .content
  [ "$output" = 'No task of yours is at work here.' ]
  interacts bob '{do: "command", channel: "random", name: "stop"}'
  run -0 answered .content
  [ "$output" = 'No task of yours is at work here.' ]
  interacts bob '{do: "command", channel: "general", name: "stop"}'
  run -0 answered .content
  [ "$output" = 'What you asked for last was not begun yet, and will not be.' ]
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
  interacts ada '{do: "command", channel: "general", name: "stop"}'
  sql_is 'SELECT group_concat(objective || state) FROM task' onecancelled
  [ "$(sql 'SELECT count(*) FROM address')" = 1 ]
}

@test "who asked is told, once, when the machine's shell stops what is at work" {
  converse_start
  says '{"hang":"before"}'
  says_in general ada '<@sophia> count to a million'
  asked_times 1
  run -0 sophia-task stop --text "$(sql 'SELECT id FROM task')"
  [ "$output" = 'it will stop' ]
  outcomes 1
  discord_until sent
  [[ $(discord_state '.sent[].content') == *'It was stopped. What was done is kept; to go on with it, resume it.'* ]]
  [ "$(sql 'SELECT state FROM task')" = cancelled ]
  [ "$(sql "SELECT kind, json_extract(record, '\$.reason') FROM outbox")" = 'paused|stopped' ]
}

@test "a task is taken to another place by its owner, and is theirs alone there" {
  converse_start
  says '{"text":"At six."}' '{"text":"At seven."}'
  says_in general ada '<@sophia> when is the tide?'
  outcomes 1
  task=$(sql 'SELECT id FROM task')
  takes() { # USER OPTIONS
    interacts "$1" "{do: \"command\", channel: \"random\", name: \"talk\",
      options: ({task_id: \"$task\", handoff: true} + $2)}"
  }
  takes bob '{}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  interacts ada '{do: "command", channel: "random", name: "tasks", options: {task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  [ "$(sql 'SELECT visibility FROM task')" = public ]
  takes ada '{}'
  run -0 answered
  [[ $output == *'It is here now, for you alone.'* && $output == *'"ephemeral":true'* ]]
  [ "$(sql 'SELECT visibility FROM task')" = private ]
  [ "$(sql 'SELECT location FROM task')" != "guild:$discord_guild:$discord_channel" ]
  takes ada '{message: "and tomorrow?"}'
  run -0 answered
  [[ $output == *'At seven.'* && $output == *'"ephemeral":true'* ]]
  [ "$(sql 'SELECT count(*) FROM task')" = 1 ]
}

# given - the files that came with the last answer, and who sees it.
given() {
  answered .content >/dev/null
  discord_state "(.interactions[] | select(.id == \"$made_id\").messages[0].id) as \$m |
    .sent[] | select(.id == \$m) | \"\(.files) \(.flags)\""
}

@test "a file of a task is given to its owner, and to nobody else" {
  converse_start
  says_in general ada '<@sophia> the tide'
  outcomes 1
  task=$(sql 'SELECT id FROM task')
  echo 'low at noon' | sophia-sandbox files put "$task" data/tide_table.txt >/dev/null
  head -c 9000000 /dev/zero | sophia-sandbox files put "$task" huge.bin >/dev/null
  tasks ada '{file_path: "data/tide_table.txt"}'
  run -0 answered .content
  [ "$output" = 'tide\_table.txt (text/plain, 12 bytes)' ]
  run -0 given
  [ "$output" = '[{"name":"tide_table.txt","size":12}] 64' ]
  tasks ada '{file_path: "data/tide_table.txt", ephemeral: false}'
  run -0 answered .content
  [ "$output" = 'The file is for you alone: leave out ephemeral.' ]
  run -0 given
  [[ $output == '[]'* ]]
  tasks ada '{file_path: "huge.bin"}'
  run -0 answered .content
  [[ $output == 'The file has 9000000 bytes, and Discord takes 8 MiB: '* ]]
  tasks ada '{file_path: "nothing"}'
  run -0 answered .content
  [ "$output" = "The task has no file or artifact 'nothing'." ]
  tasks bob '{file_path: "data/tide_table.txt"}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  run -0 given
  [[ $output == '[]'* ]]
}
