load helper
load turns
load discord
load effects

setup_file() { provider_start; }
teardown_file() { provider_stop; }

den=1200000000000000451
eve=1200000000000000203
random=1200000000000000403

# The fake's server as the index has it, with a #den that only Eve may read.
setup() {
  state_folder
  provider_use
  discord_start
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  sophia-settings set discord.users '*' >/dev/null
  sophia-access grant -u "$eve" -g "$discord_guild" -t destructive -m auto >/dev/null
  {
    event READY '{"user": {"id": "'"$discord_bot"'"}, "session_id": "s", "application": {"id": "'"$discord_bot"'", "flags": 16384}}'
    event GUILD_CREATE '{"id": "'"$discord_guild"'", "name": "Harbour", "owner_id": "1200000000000000201",
      "roles": [{"id": "'"$discord_guild"'", "name": "@everyone", "permissions": "68608"}, {"id": "1200000000000000302", "name": "Sophia", "permissions": "68608"}],
      "members": [{"user": {"id": "'"$discord_bot"'", "username": "sophia"}, "roles": ["1200000000000000302"]},
        {"user": {"id": "'"$eve"'", "username": "eve"}, "roles": []}, {"user": {"id": "1200000000000000202", "username": "bob"}, "roles": []}],
      "channels": [{"id": "'"$discord_channel"'", "type": 0, "name": "general"}, {"id": "'$den'", "type": 0, "name": "den",
        "permission_overwrites": [{"id": "'"$discord_guild"'", "type": 0, "allow": "0", "deny": "1024"},
          {"id": "1200000000000000302", "type": 0, "allow": "1024", "deny": "0"},
          {"id": "'"$eve"'", "type": 1, "allow": "1024", "deny": "0"}]}]}'
    message 100 "$discord_channel" 'the anchor is on the quay'
    message 101 $den 'the hoard is under the stove'
  } | sophia-index follow - >/dev/null
  private="\"actor\":{\"id\":\"$eve\",\"name\":\"Eve\"},\"location\":{\"kind\":\"guild\",\"guild\":\"$discord_guild\",\"channel\":\"$discord_channel\"},\"approval\":\"auto\""
}

teardown() {
  discord_stop
}

event() {
  number=$((${number:-0} + 1))
  jq -cn --arg n "$1" --argjson d "$2" --argjson i "$number" '{type: "event", shard: 0, number: $i, name: $n,
    sequence: $i, at: "2026-11-30T12:00:00.000Z", data: $d}'
}

message() {
  event MESSAGE_CREATE "$(jq -cn --arg i "$1" --arg c "$2" --arg t "$3" --arg g "$discord_guild" '{id: $i, guild_id: $g,
    channel_id: $c, author: {id: "1200000000000000201", username: "ada"}, content: $t}')"
}

@test "what a task has read where not all may read is not sent to all" {
  says "$(calls search_messages '{"text":"hoard"}')" "$(calls send_message '{"channel":"general","text":"It is under the stove."}')" '{"text":"no"}'
  run -0 --separate-stderr loop 'tell them where the hoard is' "$private"
  [ "$(pick 'select(.type == "error") | "\(.kind) \(.effect): \(.text)"')" = \
    'denied none: not everyone who will read it there may read what this task rests on: #den (1)' ] || { echo "$output"; false; }
  [ "$(discord_state '.sent | length')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "what whoever asks may read is sent to them alone, in direct messages" {
  says "$(calls search_messages '{"text":"hoard"}')" "$(calls send_message '{"direct":true,"text":"It is under the stove."}')" '{"text":"sent"}'
  run -0 --separate-stderr loop 'tell me where the hoard is' "$private"
  valid_records <<<"$output"
  [ "$(sql 'SELECT state FROM receipt')" = succeeded ] || { echo "$output"; false; }
  [ "$(discord_state '.sent[].content')" = 'It is under the stove.' ]
  [ "$(discord_state '.sent[].channel_id')" != "$discord_channel" ]
}

@test "what they may no longer read isn't sent to them, either" {
  says "$(calls search_messages '{"text":"hoard"}')" '{"text":"found"}'
  run -0 --separate-stderr loop 'where is the hoard?' "$private"
  [ "$(sql 'SELECT count(*) FROM source')" = 1 ]
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT INTO file_input (task, call, path, hash, channel) SELECT task, n, 'x', 'x', '1' FROM call"
  says "$(calls send_message '{"direct":true,"text":"It is under the stove."}')" '{"text":"no"}'
  run -0 --separate-stderr loop 'tell me' "$private,\"task\":\"$(sql 'SELECT id FROM task')\""
  [ "$(pick 'select(.type == "error").kind')" = denied ] || { echo "$output"; false; }
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "what all may read is sent to all" {
  says "$(calls search_messages '{"text":"anchor"}')" "$(calls send_message '{"channel":"general","text":"It is on the quay."}')" '{"text":"sent"}'
  run -0 --separate-stderr loop 'tell them where the anchor is' "$private"
  [ "$(sql 'SELECT count(*) FROM source')" = 1 ]
  [ "$(sql 'SELECT state FROM receipt')" = succeeded ] || { echo "$output"; false; }
  [ "$(discord_state '.sent[].content')" = 'It is on the quay.' ]
}

@test "verify, at the machine, settles a message whose answer was lost, and nothing is sent twice" {
  says "$(calls send_message '{"channel":"general","text":"The tide is in."}')"
  discord_do '{"do": "rest", "what": "lost", "route": "POST /channels/{channel_id}/messages"}'
  run -76 --separate-stderr loop 'say so' "$private"
  [ "$(sql 'SELECT state FROM receipt')" = unknown ]
  call=$(sql "SELECT task || '.' || call FROM receipt")
  run -0 sophia-task verify "$call"
  [ "$(sql 'SELECT kind, happened, actor FROM settlement')" = 'verified|1|local' ] || { echo "$output"; false; }
  run -0 sophia-task verify "$call"
  says '{"text":"It is said."}'
  run -0 --separate-stderr loop 'go on' "$private,\"task\":\"${call%.*}\""
  [ "$(discord_state '.sent | length')" = 1 ]
  [ "$(sql 'SELECT count(*) FROM settlement')" = 1 ]
}

@test "a private task that was told of a hidden channel does not name it to all" {
  says "$(calls list_guild_structure '{}')" "$(calls send_message '{"channel":"general","text":"There is a den."}')" '{"text":"no"}'
  run -0 --separate-stderr loop 'tell them what channels there are' "$private"
  [ "$(pick 'select(.type == "error") | "\(.kind) \(.effect): \(.text)"')" = \
    "denied none: not everyone who will read it there may read what this task rests on: <#$den> (1)" ] || { echo "$output"; false; }
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "what it was told of channels that all see, it may" {
  says "$(calls resolve_channel_targets '{"names":["general"]}')" "$(calls send_message '{"channel":"general","text":"This is general."}')" '{"text":"sent"}'
  run -0 --separate-stderr loop 'tell them where they are' "$private"
  [ "$(discord_state '.sent[].content')" = 'This is general.' ] || { echo "$output"; false; }
}

# answered - a public answer of the task, made of what #random says, waits.
answered() {
  event CHANNEL_CREATE '{"id": "'$random'", "guild_id": "'"$discord_guild"'", "type": 0, "name": "random"}' >"$BATS_TEST_TMPDIR/events"
  number=10
  message 102 $random 'the key is in the boat' >>"$BATS_TEST_TMPDIR/events"
  sophia-index follow - <"$BATS_TEST_TMPDIR/events" >/dev/null
  says "$(calls search_messages '{"text":"key"}')" '{"text":"It is in the boat."}'
  run -0 --separate-stderr loop 'where is the key?' "$private,\"visibility\":\"public\""
  [ "$(sql 'SELECT channel FROM source')" = "$random" ] || { echo "$output"; false; }
  [ "$(sql 'SELECT state FROM outbox')" = pending ]
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT INTO address (turn, channel, at_ms) SELECT turn, '$discord_channel', 0 FROM outbox"
}

@test "an answer is sent where all may still read what it rests on" {
  answered
  sophia-converse --deliver
  [ "$(discord_state '.sent[].content')" = 'It is in the boat.' ] || { discord_state .sent; false; }
}

@test "an answer whose source was closed to some, before it was sent, is kept back" {
  answered
  number=20
  event CHANNEL_UPDATE '{"id": "'$random'", "guild_id": "'"$discord_guild"'", "type": 0, "name": "random", "permission_overwrites":
    [{"id": "'"$discord_guild"'", "type": 0, "allow": "0", "deny": "1024"}, {"id": "1200000000000000302", "type": 0, "allow": "1024", "deny": "0"},
      {"id": "'$eve'", "type": 1, "allow": "1024", "deny": "0"}]}' | sophia-index follow - >/dev/null
  sophia-converse --deliver
  [[ $(discord_state '.sent[].content') == 'I must keep this back: not everyone here may read'* ]] || { discord_state .sent; false; }
  [ "$(discord_state '.sent[].buttons[]')" = Details ] # to resume what is done would be refused
  [ "$(sql 'SELECT state FROM outbox')" = failed ]
  [[ $(discord_state '[.sent, .effects] | tostring') != *boat* ]]
}

# waits_for FILE - the loop is about to take that lock.
waits_for() { [[ $(readlink /proc/"$loop_pid"/fd/*) == *"/run/$1"* ]]; }

@test "a source that is closed while the intent is written is not published" {
  event CHANNEL_CREATE '{"id": "'$random'", "guild_id": "'"$discord_guild"'", "type": 0, "name": "random"}' >"$BATS_TEST_TMPDIR/events"
  number=10
  message 102 $random 'the key is in the boat' >>"$BATS_TEST_TMPDIR/events"
  sophia-index follow - <"$BATS_TEST_TMPDIR/events" >/dev/null
  says "$(calls search_messages '{"text":"key"}')" "$(calls send_message '{"channel":"general","text":"It is in the boat."}')" '{"text":"no"}'
  discord_do '{"do":"rest","what":"late","seconds":2,"route":"GET /"}'
  log=$BATS_TEST_TMPDIR/log
  begin_loop 'tell them where the key is' "$private"
  sql_is "SELECT count(*) FROM call WHERE capability = 'send_message'" 1
  exec 8>"$SOPHIA_HOME/run/tasks.next"
  flock 8
  until_true waits_for tasks.next
  sqlite3 "$SOPHIA_HOME/messages.sqlite" ".timeout 5000" "INSERT INTO overwrite (channel, target, is_member, allow, deny)
    SELECT ord, guild, 0, 0, 1024 FROM channel WHERE id = $random"
  exec 8>&-
  end_loop
  [ "$(pick 'select(.type == "error") | "\(.kind) \(.effect): \(.text)"')" = \
    'denied none: not everyone who will read it there may read what this task rests on: 1 source that can'"'"'t be named here' ] || { echo "$output"; false; }
  [ "$(sql 'SELECT state FROM receipt')" = skipped ]
  [ "$(discord_state '.sent | length')" = 0 ]
}
