load helper
load turns

setup_file() { provider_start; }
teardown_file() { provider_stop; }

# A guild as the gateway tells it: #square is for all, #den for keepers.
setup() {
  state_folder
  provider_use
  sophia settings set discord.guilds 1
  {
    event READY '{"user": {"id": "9"}, "session_id": "s", "application": {"id": "9", "flags": 16384}}'
    event GUILD_CREATE '{"id": "1", "name": "Harbour", "owner_id": "10",
      "roles": [{"id": "1", "name": "@everyone", "permissions": "66560"}, {"id": "5", "name": "keeper", "permissions": "0"}],
      "members": [{"user": {"id": "9", "username": "sophia"}, "roles": ["5"]},
        {"user": {"id": "11", "username": "eve"}, "roles": ["5"]}, {"user": {"id": "12", "username": "bob"}, "roles": []}],
      "channels": [{"id": "20", "type": 0, "name": "square"}, {"id": "21", "type": 0, "name": "den",
        "permission_overwrites": [{"id": "1", "type": 0, "allow": "0", "deny": "1024"},
          {"id": "5", "type": 0, "allow": "1024", "deny": "0"}]}]}'
    message 100 20 'the hoard is elsewhere'
    message 101 21 'the hoard is under the stove, see <#21>'
    message 102 20 'ask in <#21> about it'
  } | sophia-index follow - >/dev/null
}

event() {
  number=$((${number:-0} + 1))
  jq -cn --arg n "$1" --argjson d "$2" --argjson i "$number" '{type: "event", shard: 0, number: $i, name: $n,
    sequence: $i, at: "2026-11-30T12:00:00.000Z", data: $d}'
}

message() {
  event MESSAGE_CREATE "$(jq -cn --arg i "$1" --arg c "$2" --arg t "$3" '{id: $i, guild_id: "1", channel_id: $c,
    author: {id: "10", username: "ada"}, content: $t}')"
}

# ask ACTOR VISIBILITY CHANNEL CAPABILITY ARGUMENTS
ask() {
  jq -cn --arg a "$1" --arg v "$2" --arg c "$3" --arg t "$4" --argjson in "$5" \
    '{type: "call", id: "0000000000000000000t.1", capability: $t, arguments: $in, tier: "read",
      context: {actor: {id: $a, name: "n"}, location: {kind: "guild", guild: "1", channel: $c}, visibility: $v}}' |
    sophia-retrieve --serve
}

texts() { jq -c '[.sources[].text]'; }

@test "somebody who can't see a channel is told nothing of it" {
  answer=$(ask 12 private 20 search_messages '{"text": "hoard"}')
  valid_records <<<"$answer"
  [ "$(texts <<<"$answer")" = '["the hoard is elsewhere"]' ]
  [ "$(jq -c '[.coverage.forbidden, [.coverage.searched[].channel.name]]' <<<"$answer")" = \
    '[[{"channels":1,"reason":"not everyone who will see the answer can read them"}],["square"]]' ]
  [ "$(ask 12 private 20 retrieve_messages '{"around": "102"}' | texts)" = '["the hoard is elsewhere","ask in <#21> about it"]' ]
  hidden=$(ask 12 private 20 retrieve_messages '{"around": "101"}' | jq -r .text)
  missing=$(ask 12 private 20 retrieve_messages '{"around": "109"}' | jq -r .text)
  [ "${hidden/101/109}" = "$missing" ]
  [ "$(ask 12 private 20 retrieve_messages '{"channels": ["den"]}' | jq -r .text)" = "no channel 'den' in the index" ]
  [ "$(ask 12 private 20 list_guild_structure '{}' | jq -c '[.data.places[].name]')" = '["square"]' ]
}

@test "of a server that was taken out nobody is told any more" {
  sophia settings set discord.guilds 2
  [ "$(ask 11 private 20 search_messages '{"text": "hoard"}' | jq -r .kind)" = denied ]
}

@test "who can, is told in private, and in public only where all can" {
  [ "$(ask 11 private 20 search_messages '{"text": "hoard"}' | jq '.sources | length')" = 2 ]
  [ "$(ask 11 public 20 search_messages '{"text": "hoard"}' | texts)" = '["the hoard is elsewhere"]' ]
  [ "$(ask 11 public 21 search_messages '{"text": "hoard"}' | jq '.sources | length')" = 2 ]
  [ "$(ask 11 private 20 retrieve_messages '{"around": "102"}' | texts)" = '["the hoard is elsewhere","ask in #den about it"]' ]
}

@test "a right that is taken away counts from the next call on" {
  number=5 # after those of setup
  event GUILD_MEMBER_UPDATE '{"guild_id": "1", "user": {"id": "11", "username": "eve"}, "roles": []}' |
    sophia-index follow - >/dev/null
  [ "$(ask 11 private 20 search_messages '{"text": "hoard"}' | texts)" = '["the hoard is elsewhere"]' ]
}

@test "the person at the machine reads all; who is unknown reads nothing" {
  run -0 sophia-retrieve --json hoard
  [ "$(jq -s 'map(select(.type == "message")) | length' <<<"$output")" -ge 2 ]
  [ "$(ask 13 private 20 search_messages '{"text": "hoard"}' | jq '.sources | length')" = 0 ]
  [ "$(ask 12 public 21 search_messages '{"text": "hoard"}' | jq -r .kind)" = denied ]
}

# as ACTOR VISIBILITY TEXT [FIELDS] - a turn of theirs in #square.
as() {
  loop "$3" '"actor":{"id":"'"$1"'","name":"n"},"visibility":"'"$2"'","location":{"kind":"guild","guild":"1","channel":"20"}'"${4:+,$4}"
}

loses_role() {
  number=5 # after those of setup
  event GUILD_MEMBER_UPDATE '{"guild_id": "1", "user": {"id": "11", "username": "eve"}, "roles": []}' |
    sophia-index follow - >/dev/null
}

# eve asks in private, and is told of the den: $task.
eve_asks() {
  says "$(calls search_messages '{"text":"hoard"}')" '{"text":"It is under the stove."}'
  run -0 as 11 private 'Where is the hoard?'
  [[ $output == *'It is under the stove.'* ]]
  task=$(pick 'select(.type == "done").task')
}

@test "a role that is lost takes along what was read by it, when the task goes on" {
  eve_asks
  loses_role
  says '{"text":"I can not tell."}'
  run -0 as 11 private 'Where was that?' "\"task\":\"$task\""
  last=$(asked '.[-1].messages | tostring')
  [[ $last == *'Where is the hoard?'* && $last == *'left out of this task'*'1/21/101'* ]]
  [[ $last != *stove* ]]
  [ "$(sql "SELECT count(*) FROM source WHERE gone_ms IS NULL")" = 1 ]
  [[ $(sqlite3 "$SOPHIA_HOME/tasks.sqlite" .dump) != *stove* ]]
}

@test "who keeps the role is shown all that was said before" {
  eve_asks
  says '{"text":"Under the stove, as I said."}'
  run -0 as 11 private 'Where was that?' "\"task\":\"$task\""
  [[ $(asked '.[-1].messages | tostring') == *'It is under the stove.'* ]]
}

@test "what is not known for the moment is not forgotten, but not shown either" {
  eve_asks
  number=5
  event READY '{"user": {"id": "9"}, "session_id": "t"}' | sophia-index follow - >/dev/null
  run as 11 private 'Where was that?' "\"task\":\"$task\""
  [ "$(pick 'select(.type == "done").verdict')" = failed ]
  [[ $(pick 'select(.type == "error").text') == *"isn't known just now who may read"* ]]
  [ "$(asked length)" = 2 ]
  [ "$(sql "SELECT count(*) FROM source WHERE gone_ms IS NULL")" = 2 ]
}

@test "a saved result is shown as far as it may still be read" {
  eve_asks
  query() {
    jq -cn --arg t "$task" '{type: "call", id: ($t + ".9"), capability: "query_json", arguments: {call: ($t + ".1"), filter: "[.sources[].text]"},
      tier: "read", context: {actor: {id: "11", name: "n"}, location: {kind: "guild", guild: "1", channel: "20"},
        visibility: "private", task: $t}}' | sophia-tool --serve
  }
  [[ $(query) == *stove* ]]
  loses_role
  [[ $(query) == *'the hoard is elsewhere'* ]]
  [[ $(query) != *stove* ]]
}

@test "a task that was private once is never public" {
  says '{"text":"yes"}' '{"text":"no"}'
  run -0 as 11 public 'Is it?'
  task=$(pick 'select(.type == "done").task')
  run -0 as 11 private 'Is it?' "\"task\":\"$task\""
  [ "$(sql 'SELECT visibility FROM task')" = private ]
  run -0 as 11 public 'Is it?' "\"task\":\"$task\""
  [ "$(sql 'SELECT group_concat(visibility) FROM outbox')" = public,private,private ]
}

@test "a role that is lost while the task works: the model is shown no more of it" {
  sh_tool demote '{"parameters":{"type":"object","properties":{},"required":[]},"tier":"read"}' <<SH
number=5
$(declare -f event loses_role)
loses_role
result demoted
SH
  says "$(calls search_messages '{"text":"hoard"}')" "$(calls demote '{}')" '{"text":"I can not tell."}'
  run -0 as 11 private 'Where is the hoard?'
  [[ $(asked '.[1].messages | tostring') == *stove* ]]
  [[ $(asked '.[2].messages | tostring') != *stove* ]]
  [[ $(asked '.[2].messages | tostring') == *'may not be read'* ]]
  [[ $(sqlite3 "$SOPHIA_HOME/tasks.sqlite" .dump) != *stove* ]]
}
