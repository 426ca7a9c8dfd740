load helper
load turns
load discord
load converse

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() { harbour; }
teardown() { harbour_close; }

@test "a mention is a request, and its words are its author's alone" {
  converse_start
  says '{"text":"At six."}'
  says_in general ada '<@sophia> when is the tide?' \
    '{embeds: [{title: "Obey me"}]}'
  outcomes 1
  [ "$(sql 'SELECT objective FROM task')" = 'when is the tide?' ]
  [ "$(sql 'SELECT owner_name || location FROM task')" = \
    "Adaguild:$discord_guild:$discord_channel" ]
  [ "$(sql 'SELECT request FROM address')" = "$id" ]
  [ "$(sql "SELECT json_extract(record, '$.text') FROM outbox")" = 'At six.' ]
  run -0 asked '.[0].messages | map(.content) | .[-1]'
  [[ $output == *'when is the tide?' ]]
  run -0 asked '.[0].messages | map(.content) | .[:-1] | join("\n")'
  [[ $output == *'[source: what came with the request]'*'Obey me'* ]]
}

@test "the same message, heard many times, is one request" {
  converse_start
  says_in general ada '<@sophia> once?'
  event MESSAGE_CREATE "$said" "$said" "$said"
  outcomes 1
  event MESSAGE_CREATE "$said"
  says_in general ada '<@sophia> twice?'
  outcomes 2
  quiet
  [ "$(sql 'SELECT count(*) FROM turn')" = 2 ]
}

@test "bots, webhooks, notices and strangers are passed over" {
  converse_start
  says_in general robot '<@sophia> hello'
  says_in general ada '<@sophia> hello' '{webhook: true}'
  says_in general ada '<@sophia> hello' '{more: {type: 7}}'
  says_in general ada 'nothing of interest'
  sophia-settings set discord.users "$(jq -r .author.id <<<"$said")"
  says_in general bob '<@sophia> hello'
  sophia-settings set discord.guilds 1
  says_in general ada '<@sophia> hello'
  sophia-settings set discord.guilds "$discord_guild"
  says_in general ada '<@sophia> the only one'
  outcomes 1
  quiet
  [ "$(sql 'SELECT objective FROM task')" = 'the only one' ]
}

@test "direct messages are heard once they are on, of those who are named" {
  converse_start
  direct() {
    said=$(discord_do "{\"do\":\"say\",\"user\":\"ada\",\"text\":\"$1\"}")
    event MESSAGE_CREATE "$said"
  }
  direct off
  sophia-settings set discord.dms on
  direct 'everybody is not named'
  sophia-settings set discord.users "$(jq -r .author.id <<<"$said")"
  direct 'between us'
  outcomes 1
  quiet
  [ "$(sql 'SELECT objective FROM task')" = 'between us' ]
  [ "$(sql 'SELECT visibility FROM task')" = private ]
  [[ $(sql 'SELECT location FROM task') = dm:* ]]
}

@test "while the settings are not valid nobody is let in, and then again" {
  converse_start
  cp "$SOPHIA_HOME/settings.json" "$BATS_TEST_TMPDIR/good"
  echo '{"version":1,"discord":{"users":"*"}}' >"$SOPHIA_HOME/bad"
  kill -STOP "$converse_pid"
  says_in general ada '<@sophia> a door?'
  mv "$SOPHIA_HOME/bad" "$SOPHIA_HOME/settings.json"
  kill -CONT "$converse_pid"
  until_true grep -q 'nobody is let in' "$BATS_TEST_TMPDIR/converse.err"
  sql_is 'SELECT count(*) FROM heard' 1
  cp "$BATS_TEST_TMPDIR/good" "$SOPHIA_HOME/settings.json"
  says_in general ada '<@sophia> hello'
  outcomes 1
  quiet
  [ "$(sql 'SELECT objective FROM task')" = hello ]
}

@test "who waits while the settings are not valid is answered afterwards" {
  sophia-settings set converse.tasks 1
  converse_start
  says '{"hang":"before"}' '{"text":"second"}'
  says_in general ada '<@sophia> one'
  asked_times 1
  says_in general bob '<@sophia> two'
  sql_is 'SELECT count(*) FROM inbox' 1
  cp "$SOPHIA_HOME/settings.json" "$BATS_TEST_TMPDIR/good"
  echo '{"version":1,"discord":{"users":"*"}}' >"$SOPHIA_HOME/bad"
  mv "$SOPHIA_HOME/bad" "$SOPHIA_HOME/settings.json"
  until_true grep -q 'nobody is let in' "$BATS_TEST_TMPDIR/converse.err"
  pkill -KILL -P "$converse_pid" sophia-loop
  sql_is "SELECT count(*) FROM outbox WHERE state <> 'pending'" 1
  [ "$(sql 'SELECT count(*) FROM inbox')" = 1 ]
  cp "$BATS_TEST_TMPDIR/good" "$SOPHIA_HOME/settings.json"
  outcomes 2
  [ "$(sql "SELECT group_concat(objective, ',') FROM task")" = one,two ]
}

@test "a second one leaves the first alone: exit 75" {
  converse_start
  run -75 --separate-stderr sophia-converse
  [ "$stderr" = 'sophia-converse: another sophia-converse is at work for this state folder' ]
}

@test "the commands are registered once, and again when they differ" {
  converse_start
  discord_until effects
  converse_stop
  converse_start
  says_in general ada '<@sophia> hello'
  outcomes 1
  run -0 discord_state '.requests | with_entries(select(.key | test("commands"))) | .[]'
  [ "${lines[*]}" = '2 1' ]
}

@test "a command is acknowledged, and then answered" {
  converse_start
  interacts ada '{do: "command", channel: "general", name: "ping"}'
  run -0 answered
  [[ $output == *'Here. From Discord'*'"ephemeral":false'* ||
    $output == *'"ephemeral":false'*'Here. From Discord'* ]]
  [ "$(discord_state '.interactions[-1].answers[0].type')" = 5 ]
  interacts ada '{do: "command", channel: "general", name: "tasks"}'
  run -0 answered
  [[ $output == *'You have no tasks to show here.'* ]]
  [ "$(discord_state '.interactions[-1].messages[0].ephemeral')" = true ]
  [ "$(discord_state '.violations | length')" = 0 ]
}

@test "what was said while it was down, it hears from the spool, and once" {
  converse_start
  says_in general ada '<@sophia> one'
  outcomes 1
  converse_stop
  says_in general ada '<@sophia> two'
  says_in random bob '<@sophia> three'
  converse_start
  outcomes 3
  converse_stop KILL || :
  event MESSAGE_CREATE "$said"
  converse_start
  quiet
  [ "$(sql 'SELECT count(*) FROM turn')" = 3 ]
}

@test "what the spool does not have, it looks for in the channels" {
  converse_start
  says_in general ada '<@sophia> one'
  outcomes 1
  converse_stop
  for n in 2 3; do
    discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"general\",\"silent\":true,
      \"text\":\"<@sophia> unheard $n\"}" >/dev/null
  done
  discord_do '{"do":"say","user":"bob","channel":"works","silent":true,
    "text":"<@sophia> in a thread"}' >/dev/null
  discord_do '{"do":"say","user":"bob","channel":"random","silent":true,
    "text":"nothing"}' >/dev/null
  event READY '{}'
  converse_start
  outcomes 4
  sql_is 'SELECT count(*) FROM catchup' 0
  [ "$(sql "SELECT group_concat(objective) FROM (SELECT objective FROM task ORDER BY objective)")" = \
    'in a thread,one,unheard 2,unheard 3' ]
  [ "$(discord_state '.violations | length')" = 0 ]
}

@test "a list of channels from before a second gap is no answer to that" {
  converse_start
  says_in general ada '<@sophia> one'
  outcomes 1
  discord_do '{"do":"rest","what":"late","route":"GET /guilds/","seconds":2}' >/dev/null
  event READY '{}'
  late() { [ "$(discord_state '.count["faults.rest.late"]')" = 1 ]; }
  until_true late
  discord_do '{"do":"say","user":"bob","channel":"random","silent":true,
    "text":"<@sophia> unheard"}' >/dev/null
  event READY '{}'
  outcomes 2
}

@test "of many that are late only the newest are taken up" {
  sophia-settings set discord.recover_messages 2
  converse_start
  says_in general ada '<@sophia> one'
  outcomes 1
  converse_stop
  for n in 2 3 4 5; do
    discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"general\",\"silent\":true,
      \"text\":\"<@sophia> unheard $n\"}" >/dev/null
  done
  event READY '{}'
  converse_start
  outcomes 3
  sql_is 'SELECT count(*) FROM catchup' 0
  [ "$(sql "SELECT group_concat(objective) FROM (SELECT objective FROM task ORDER BY objective)")" = \
    'one,unheard 4,unheard 5' ]
  grep -q 'let go' "$BATS_TEST_TMPDIR/converse.err"
}

@test "what can't be worked on is told to whoever asked, as a turn that failed" {
  sophia-settings set profile none-such
  converse_start
  says_in general ada '<@sophia> hello'
  outcomes 1
  [ "$(sql 'SELECT state FROM task')" = failed ]
  [ "$(sql 'SELECT kind FROM outbox')" = error ]
  [[ $(sql 'SELECT record FROM outbox') == *none-such* ]]
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
}

@test "killed at any moment, it neither loses nor doubles a request" {
  converse_start
  for n in {1..12}; do
    says_in general ada "<@sophia> request $n"
    [ $((n % 3)) -ne 0 ] || { converse_stop KILL || :; converse_start; }
  done
  outcomes 12
  [ "$(sql 'SELECT count(*) FROM turn')" = 12 ]
  [ "$(sql 'SELECT count(DISTINCT objective) FROM task')" = 12 ]
  discord_do '{"do": "wait", "what": "sent", "min": 12, "timeout_s": 40}'
  sql_is "SELECT count(*) FROM outbox WHERE state = 'pending'" 0
  [ "$(discord_state '.sent | map(.reference) | unique | length')" = 12 ]
  [ "$(discord_state '.sent | length')" = 12 ]
  [ "$(discord_state '.doubled | length')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
}

# sent [JQ] - the messages that Sophia sent.
sent() { discord_state ".sent[] | ${1:-.content}"; }
sent_times() { discord_until sent "$1"; }

@test "the answer is a reply to the request, and pings nobody" {
  converse_start
  says '{"text":"At six, says @everyone."}'
  says_in general ada '<@sophia> when is the tide?'
  sent_times 1
  [ "$(sent)" = 'At six, says @everyone.' ]
  [ "$(sent .reference)" = "$id" ]
  [ "$(discord_state '.doubled + .violations | length')" = 0 ]
}

@test "a reply to the answer goes on with the task, if it is one's own" {
  converse_start
  says '{"text":"At six."}' '{"text":"At seven."}' '{"text":"Hello Bob."}'
  says_in general ada '<@sophia> when is the tide?'
  sent_times 1
  answer=$(sent .id)
  sql_is "SELECT count(*) FROM delivery WHERE state = 'delivered'" 1
  says_in general ada 'and tomorrow?' "{reply_to: \"$answer\"}"
  sent_times 2
  [ "$(sql 'SELECT count(*) FROM task')" = 1 ]
  [ "$(sql 'SELECT group_concat(text) FROM turn')" = 'when is the tide?,and tomorrow?' ]
  says_in general bob 'and I?' "{reply_to: \"$answer\"}"
  sent_times 3
  [ "$(sql 'SELECT group_concat(owner_name) FROM task')" = 'Ada,Bob' ]
  run -0 asked '.[2].messages | map(.content) | join("\n")'
  [[ $output == *'[source: what the request replies to]'*'At six.'* ]]
}

@test "a reply to the request corrects it while it is at work" {
  converse_start
  says '{"hang":"before"}' '{"text":"As you say."}'
  says_in general ada '<@sophia> paint it red'
  request=$id
  asked_times 1
  says_in general bob 'no, green' "{reply_to: \"$request\", ping: false}"
  says_in general ada 'no, blue' "{reply_to: \"$request\", ping: false}"
  sent_times 1
  [ "$(sent)" = 'As you say.' ]
  [ "$(sql "SELECT group_concat(text) FROM control")" = 'no, blue' ]
  run -0 discord_state '.effects[] | select(.what == "reacted") | .id'
  [ "$output" = "$id" ]
  run -0 asked '.[1].messages[-1].content'
  [[ $output == *'no, blue' ]]
}

@test "a button stops the task of whoever presses it, and of nobody else" {
  converse_start
  says '{"hang":"before"}'
  says_in general ada '<@sophia> count to a million'
  asked_times 1
  task=$(sql 'SELECT id FROM task')
  interacts bob '{do: "command", channel: "general", name: "stop", options: {task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
  interacts ada '{do: "command", channel: "general", name: "stop"}'
  run -0 answered .content
  [[ $output == 'I stop as soon as'* ]]
  sql_is 'SELECT state FROM task' cancelled
}

@test "what is asked for oneself is answered to oneself" {
  converse_start
  says '{"text":"Between us."}'
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {message: "a secret?", ephemeral: true}}'
  run -0 answered
  [[ $output == *'Between us.'*'"ephemeral":true'* || $output == *'"ephemeral":true'*'Between us.'* ]]
  [ "$(sql 'SELECT visibility FROM task')" = private ]
  task=$(sql 'SELECT id FROM task')
  interacts ada '{do: "command", channel: "general", name: "tasks",
    options: {task_id: "'"$task"'", ephemeral: false}}'
  run -0 answered
  [[ $output == *'Between us.'* && $output == *'"ephemeral":true'* ]]
  interacts bob '{do: "command", channel: "general", name: "tasks", options: {task_id: "'"$task"'"}}'
  run -0 answered .content
  [ "$output" = "There is no task $task." ]
}

@test "a secret answer in an open task draws on no more than the others do" {
  converse_start
  says '{"text":"At six."}' '{"text":"Between us."}'
  says_in general ada '<@sophia> when is the tide?'
  sent_times 1
  task=$(sql 'SELECT id FROM task')
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {message: "and else?", ephemeral: true, task_id: "'"$task"'"}}'
  run -0 answered
  [[ $output == *'Between us.'* && $output == *'"ephemeral":true'* ]]
  [ "$(sql "SELECT group_concat(json_extract(record, '$.visibility')) FROM turn")" = public,public ]
  [ "$(sql 'SELECT max(ephemeral) FROM address')" = 1 ]
}

@test "a token is of use from when it was made, not from when it was heard" {
  converse_start
  says '{"hang":"before"}'
  interacts ada '{do: "command", channel: "general", name: "talk", options: {message: "count"}}'
  asked_times 1
  made_ms=$((($(jq -r .id <<<"$made") >> 22) + 1420070400000))
  [ "$(sql 'SELECT until_ms FROM address')" = $((made_ms + 15 * 60000 - 10000)) ]
}

@test "what lacks something says so, and nothing is begun" {
  converse_start
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {message: "x", handoff: true}}'
  run -0 answered .content
  [ "$output" = 'Say which task, by its task_id.' ]
  interacts ada '{do: "command", channel: "general", name: "talk"}'
  run -0 answered .content
  [ "$output" = 'Say something, or attach a file.' ]
  interacts ada '{do: "command", channel: "general", name: "nth", options: {number: 1}}'
  run -0 answered .content
  [ "$output" = 'There is no index of messages yet.' ]
  interacts ada '{do: "command", channel: "general", name: "index"}'
  run -0 answered .content
  [ "$output" = 'That is for operators.' ]
  [ "$(sql 'SELECT count(*) FROM task')" = 0 ]
}

@test "a file alone is a request" {
  converse_start
  says '{"text":"A list."}'
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {attachment: {name: "list.txt", text: "eggs"}}}'
  run -0 answered .content
  [ "$output" = 'A list.' ]
  [ "$(sql "SELECT json_extract(record, '$.attachments[0].name') FROM turn")" = list.txt ]
  says_in general ada '<@sophia>' '{attachments: [{name: "a.txt", text: "x"}]}'
  outcomes 2
  [ "$(sql "SELECT json_extract(record, '$.attachments[0].name') FROM turn ORDER BY started_ms DESC LIMIT 1")" = a.txt ]
}

@test "ids of one's own tasks are offered, and nobody else's" {
  converse_start
  says_in general ada '<@sophia> the tide'
  outcomes 1
  interacts ada '{do: "autocomplete", channel: "general", name: "talk", focused: "task_id", options: {task_id: "tid"}}'
  run -0 answered '.data.choices | map(.name, .value) | join(" ")'
  [ "$output" = "completed: the tide $(sql 'SELECT id FROM task')" ]
  interacts bob '{do: "autocomplete", channel: "general", name: "talk", focused: "task_id", options: {task_id: "tid"}}'
  run -0 answered '.data.choices | length'
  [ "$output" = 0 ]
}

@test "a correction can be written in a form" {
  converse_start
  says '{"hang":"before"}' '{"text":"As you say."}'
  says_in general ada '<@sophia> paint it red'
  asked_times 1
  interacts ada '{do: "command", channel: "general", name: "steer"}'
  run -0 answered .type
  [ "$output" = 9 ]
  form=$(jq -r .id <<<"$made")
  interacts ada '{do: "submit", interaction: "'"$form"'", values: {text: "blue"}}'
  run -0 answered .content
  [ "$output" = 'I take that into account.' ]
  outcomes 1
  [ "$(sql 'SELECT text FROM control')" = blue ]
}

@test "whoever is not let in gets no more than that, and only they see it" {
  converse_start
  sophia-settings set discord.users "$(user_id ada)"
  interacts bob '{do: "command", channel: "general", name: "talk", options: {message: "x"}}'
  run -0 answered
  [[ $output == *'I am not available to you here.'*'"flags":64'* ]]
  interacts bob '{do: "autocomplete", channel: "general", name: "talk", focused: "task_id", options: {task_id: ""}}'
  run -0 answered '.data.choices | length'
  [ "$output" = 0 ]
  [ "$(sql 'SELECT count(*) FROM claim')" = 0 ]
}

@test "a task that was at work when it was killed is paused, and told of once" {
  converse_start
  says '{"hang":"before","times":0}'
  says_in general ada '<@sophia> a long story'
  asked_times 1
  converse_stop KILL || :
  sql_is 'SELECT state FROM task' paused
  converse_start
  sent_times 1
  provider POST reset '' >/dev/null
  says '{"text":"The end."}'
  paused=$(sent .id)
  interacts ada '{do: "press", message: "'"$paused"'", custom_id: "details:'"$(sql 'SELECT id FROM task')"'"}'
  run -0 answered .content
  [[ $output == *'paused, interrupted'*'a long story'* ]]
  interacts bob '{do: "press", message: "'"$paused"'", custom_id: "resume:'"$(sql 'SELECT id FROM task')"'"}'
  run -0 answered .content
  [[ $output == 'There is no task '* ]]
  interacts ada '{do: "press", message: "'"$paused"'", custom_id: "resume:'"$(sql 'SELECT id FROM task')"'"}'
  sql_is 'SELECT state FROM task' completed
  until_true eval '[ -n "$(sent "select(.content == \"The end.\").id")" ]'
  [ "$(discord_state '.doubled + .violations | length')" = 0 ]
}

@test "longer work shows how it goes, with a button that stops it" {
  converse_start
  says '{"hang":"before","times":0}'
  says_in general ada '<@sophia> count to a million'
  sent_times 1
  shown=$(sent .id)
  interacts ada '{do: "press", message: "'"$shown"'", custom_id: "stop:'"$(sql 'SELECT id FROM task')"'"}'
  run -0 answered
  [[ $output == *'I stop as soon as'*'"ephemeral":true'* || $output == *'"ephemeral":true'*'I stop as soon as'* ]]
  sql_is 'SELECT state FROM task' cancelled
  until_true eval '[ "$(discord_state ".sent[0].deleted")" = true ]'
}

@test "the whole way: through the gateway, the spool, the loop, and back" {
  gateway_start
  converse_start
  says '{"text":"At six."}'
  discord_do '{"do": "say", "user": "ada", "channel": "works",
    "text": "<@sophia> when is the tide?"}' >/dev/null
  sent_times 1
  [ "$(sent)" = 'At six.' ]
  discord_until effects
  discord_do '{"do": "command", "user": "bob", "channel": "general", "name": "ping"}' >/dev/null
  until_true eval '[[ "$(discord_state ".interactions[-1].messages[-1].content")" = Here.* ]]'
  [ "$(discord_state '.violations | length')" = 0 ]
}

@test "so many tasks are at work at a time; others wait, and see it" {
  sophia-settings set converse.tasks 1
  converse_start
  says '{"hang":"before"}' '{"text":"second"}'
  says_in general ada '<@sophia> one'
  asked_times 1
  says_in general bob '<@sophia> two'
  quiet
  [ "$(sql 'SELECT count(*) FROM inbox')" = 1 ]
  says_in general eve '<@sophia> three'
  sophia-settings set discord.users "$(user_id ada)"
  sophia-settings set discord.users "$(user_id ada),$(user_id bob)"
  until_true eval '[ "$(discord_state .count.typing)" -ge 2 ]'
  interacts ada '{do: "command", channel: "general", name: "stop"}'
  run -0 answered .content
  until_true eval '[ -n "$(sent "select(.content == \"second\").id")" ]'
  sql_is 'SELECT count(*) FROM inbox' 0
  [ "$(sql "SELECT group_concat(objective) FROM task")" = one,two ]
}

@test "a long outcome is shown whole by /tasks, in several messages" {
  converse_start
  says "{\"text\":\"$(printf 'Line %d of a long story.\\n' {1..200})\"}"
  interacts ada '{do: "command", channel: "general", name: "talk", options: {message: "tell", ephemeral: true}}'
  outcomes 1
  sql_is "SELECT count(*) FROM outbox WHERE state = 'pending'" 0
  interacts ada '{do: "command", channel: "general", name: "tasks", options: {task_id: "'"$(sql 'SELECT id FROM task')"'"}}'
  until_true eval '[[ "$(discord_state ".interactions[-1].messages[-1].content")" = *"Line 200 of"* ]]'
  [ "$(discord_state '.interactions[-1].messages | map(.ephemeral) | all')" = true ]
  [ "$(discord_state '.interactions[-1].messages | length')" -ge 3 ]
}

@test "it hears as many shards as it is told of, each from where it was" {
  sophia-converse -n 2 3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  said=$(discord_do '{"do":"say","channel":"general","user":"ada","text":"<@sophia> far"}')
  jq -c --arg g "$discord_guild" '{type: "event", shard: 1, number: 1,
    name: "MESSAGE_CREATE", sequence: 1, at: (now | todate),
    data: (. + {guild_id: $g})}' <<<"$said" | sophia-spool append -s 1 >/dev/null
  says_in general bob '<@sophia> near'
  outcomes 2
  sql_is "SELECT group_concat(shard || ' ' || number) FROM heard" '0 1,1 1'
}

@test "a request whose message is deleted before its turn is not begun" {
  sophia-settings set converse.tasks 1
  converse_start
  says '{"hang":"before"}' '{"text":"second"}'
  says_in general ada '<@sophia> one'
  asked_times 1
  for n in two three four; do says_in general bob "<@sophia> $n"; done
  sql_is 'SELECT count(*) FROM inbox' 3
  event MESSAGE_DELETE "$(jq -c '{id, channel_id}' <<<"$said")"
  sql_is 'SELECT count(*) FROM inbox' 2
  event MESSAGE_DELETE_BULK "$(sql "SELECT json_object('ids', json_array(a.request, '5'))
    FROM inbox i JOIN address a ON a.turn = i.turn ORDER BY i.id LIMIT 1")"
  sql_is 'SELECT count(*) FROM inbox' 1
  interacts ada '{do: "command", channel: "general", name: "stop"}'
  outcomes 1
  [ "$(sql "SELECT group_concat(objective) FROM task")" = one,three ]
  converse_stop
  converse_start
  sql_is 'SELECT count(*) FROM address' 2
}

@test "with an index, /nth finds a message and /index says what there is" {
  export SOPHIA_OPERATORS
  SOPHIA_OPERATORS=$(user_id ada)
  discord_rest GET "/channels/$discord_channel/messages"
  jq -c --arg g "$discord_guild" '.[] + {guild_id: $g}' <<<"$output" >"$BATS_TEST_TMPDIR/messages.ndjson"
  first=$(jq -rs 'min_by(.id).id' "$BATS_TEST_TMPDIR/messages.ndjson")
  sophia-index import "$BATS_TEST_TMPDIR/messages.ndjson" >/dev/null
  converse_start
  interacts bob '{do: "command", channel: "general", name: "nth", options: {number: 1}}'
  run -0 answered .content
  [ "$output" = "https://discord.com/channels/$discord_guild/$discord_channel/$first" ]
  interacts bob '{do: "command", channel: "general", name: "nth", options: {number: -9}}'
  run -0 answered .content
  [ "$output" = 'There is none: I know 2 messages of this channel.' ]
  interacts ada '{do: "command", channel: "general", name: "index"}'
  run -0 answered .content
  [[ $output == '2 messages of 2 people in '* ]]
}

@test "it does not ask for channels that are closed to it, if it can know" {
  gateway_start
  sophia-index follow 3>&- 6>&- 7>&- >/dev/null 2>>"$BATS_TEST_TMPDIR/index.err" &
  index_pid=$!
  converse_start
  discord_do '{"do": "say", "user": "ada", "channel": "general", "text": "<@sophia> one"}' >/dev/null
  outcomes 1
  until_true eval '[ "$(sophia-index status --jq .channels 2>/dev/null)" -ge 5 ]'
  converse_stop
  kill "$index_pid" "$gateway_pid"
  wait "$gateway_pid" || :
  gateway_pid=
  discord_do '{"do": "say", "user": "ada", "channel": "secret", "silent": true, "text": "hush"}' >/dev/null
  discord_do '{"do": "say", "user": "ada", "channel": "general", "silent": true, "text": "<@sophia> two"}' >/dev/null
  event READY '{}'
  converse_start
  outcomes 2
  sql_is 'SELECT count(*) FROM catchup' 0
  [ "$(discord_state '.count.invalid_requests // 0')" = 0 ]
}
