load helper
load turns
load discord
load converse

# The whole path: people ask, sophia-converse shows how it goes, and answers.

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() { harbour; }
teardown() {
  local wrong
  wrong=$(discord_state '.violations[], (.problems.requests[] |
    select(.wrong != ["body: is missing"]))') # a fault reads no body
  harbour_close
  [ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

delivered() {
  sql_is "SELECT count(*) FROM outbox WHERE state <> 'pending'" "$1"
}

# shown - the content of each message of ours that is there, a line each.
shown() {
  discord_state '.sent[] | select(.deleted | not) | .content'
}

@test "a quick answer comes alone: typing, then a reply to the request" {
  converse_start
  says '{"text":"At six."}'
  says_in general ada '<@sophia> when is the tide?'
  delivered 1
  [ "$(discord_state '.sent | map([.content, .reference]) | flatten | join(" ")')" = \
    "At six. $id" ]
  [ "$(discord_state '.count.typing')" -ge 1 ]
  [ "$(sql 'SELECT count(*) FROM progress')" = 0 ]
}

@test "longer work is shown in one message, which goes when the answer comes" {
  converse_start
  says "$(calls evaluate_math '{"expression":"6*7"}' | jq -c '. + {delay_ms: 5500}')" \
    '{"delay_ms":4500,"text":"Forty-two."}'
  says_in general ada '<@sophia> how much is it?'
  sql_is 'SELECT count(message) FROM progress' 1
  until_true eval '[[ $(shown) == *"Working on it"* ]]'
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  [ "$(jq -c '[.[0].components[].components[].custom_id | sub(":.*"; "")]' \
    <<<"$output")" = '["stop","details"]' ]
  [ "$(jq -c '.[0].mentions' <<<"$output")" = '[]' ]
  until_true eval '[ "$(discord_state ".sent[0].edits")" -ge 1 ]'
  [[ $(shown) == *evaluate* ]]
  until_true delivered 1
  sql_is 'SELECT count(*) FROM progress' 0
  [ "$(shown)" = Forty-two. ]
  [ "$(discord_state '.sent | length')" = 2 ]
}


@test "killed meanwhile: who asked is told once, and no progress stays" {
  converse_start
  says '{"hang":"before"}'
  says_in general ada '<@sophia> how much is it?'
  sql_is 'SELECT count(message) FROM progress' 1
  converse_stop KILL || :
  converse_start
  until_true delivered 1
  sql_is 'SELECT count(*) FROM progress' 0
  [[ $(shown) == 'I was interrupted'* ]]
  [ "$(discord_state '.sent | length')" = 2 ]
}

@test "killed before it learnt which message shows it, that one goes as well" {
  converse_start
  says '{"hang":"before"}'
  discord_do '{"do":"rest","what":"hang",
    "route":"POST /channels/{channel_id}/messages"}'
  says_in general ada '<@sophia> how much is it?'
  discord_until sent
  converse_stop KILL || :
  [ "$(sql 'SELECT count(*) - count(message) FROM progress')" = 1 ]
  rm "$SOPHIA_HOME"/run/limits # or it waits for the answer that never came
  converse_start
  until_true delivered 1
  sql_is 'SELECT count(*) FROM progress' 0
  [[ $(shown) == 'I was interrupted'* ]]
}

@test "a command shows how it goes where the answer will be" {
  converse_start
  discord_until effects
  says '{"delay_ms":6000,"text":"At six."}'
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {message: "when is the tide?"}}'
  until_true eval '[[ $(shown) == *"Working on it"* ]]'
  until_true delivered 1
  [ "$(shown)" = 'At six.' ]
  [ "$(discord_state '.sent | length')" = 1 ]
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  [ "$(jq -c '.[0].components' <<<"$output")" = '[]' ]
}

@test "ended by a signal, it tells who asked before it goes" {
  converse_start
  says '{"hang":"before"}'
  says_in general ada '<@sophia> how much is it?'
  sql_is "SELECT count(*) FROM turn WHERE state = 'running'" 1
  asked_times 1
  converse_stop TERM
  [[ $(shown) == 'I was interrupted'*'resume to go on.' ]]
  [ "$(sql 'SELECT state FROM outbox')" = delivered ]
}

@test "a reply to what shows the work corrects the task; Stop ends it" {
  converse_start
  says '{"hang":"before"}' '{"hang":"before"}'
  says_in general ada '<@sophia> how much is it?'
  sql_is 'SELECT count(message) FROM progress' 1
  says_in general ada 'in euros' \
    "{reply_to: \"$(sql 'SELECT message FROM progress')\"}"
  sql_is "SELECT text FROM control WHERE kind = 'steer'" 'in euros'
  asked_times 2
  interacts ada "{do: \"press\", message: \"$(sql 'SELECT message FROM progress')\",
    custom_id: \"stop:$(sql 'SELECT id FROM task')\"}"
  sql_is 'SELECT state FROM task' cancelled
  sql_is 'SELECT count(*) FROM progress' 0
  [ "$(shown)" = 'I stop as soon as what is under way is settled.' ]
}

@test "work that outlasts a command's time leaves no progress behind" {
  converse_start
  discord_until effects
  says '{"delay_ms":8000,"text":"At six."}'
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {message: "when is the tide?"}}'
  sql_is 'SELECT count(message) FROM progress' 1
  discord_do '{"do":"time","advance_s":901}' >/dev/null
  delivered 1
  sql_is 'SELECT count(*) FROM progress' 0
  [ "$(shown)" = 'At six.' ]
  [ "$(discord_state '.sent | map(.via) | join(" ")')" = 'deferred rest' ]
}

@test "what did not arrive is in /tasks, with the reason" {
  converse_start
  discord_until effects
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["SEND_MESSAGES"]}'
  says '{"text":"At six."}'
  says_in general ada '<@sophia> when is the tide?'
  delivered 1
  [ "$(sql 'SELECT state FROM outbox')" = failed ]
  interacts ada "{do: \"command\", channel: \"general\", name: \"tasks\",
    options: {task_id: \"$(sql 'SELECT id FROM task')\"}}"
  run -0 answered
  [[ $output == *'did not arrive: I am not permitted to write in the channel'* ]]
  [[ $output == *'At six.'* ]]
}
