load helper
load turns
load discord

# Files between Discord and a task, in whole turns: the real loop, its tools and
# its stores.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

eve=1200000000000000203
bob=1200000000000000202
random=1200000000000000403 # the index knows: for Eve and Sophia alone

setup() {
  state_folder
  provider_use
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  sophia-settings set discord.users '*' >/dev/null
  sophia-access grant -u "$eve" -g "$discord_guild" -t write -m auto >/dev/null
  {
    event READY '{"user": {"id": "'"$discord_bot"'"}, "session_id": "s", "application": {"id": "'"$discord_bot"'", "flags": 16384}}'
    event GUILD_CREATE '{"id": "'"$discord_guild"'", "name": "Harbour", "owner_id": "1200000000000000201",
      "roles": [{"id": "'"$discord_guild"'", "name": "@everyone", "permissions": "68608"}, {"id": "1200000000000000302", "name": "Sophia", "permissions": "68608"}],
      "members": [{"user": {"id": "'"$discord_bot"'", "username": "sophia"}, "roles": ["1200000000000000302"]},
        {"user": {"id": "'"$eve"'", "username": "eve"}, "roles": []}, {"user": {"id": "'"$bob"'", "username": "bob"}, "roles": []}],
      "channels": [{"id": "'"$discord_channel"'", "type": 0, "name": "general"}, {"id": "'$random'", "type": 0, "name": "random",
        "permission_overwrites": [{"id": "'"$discord_guild"'", "type": 0, "allow": "0", "deny": "1024"},
          {"id": "1200000000000000302", "type": 0, "allow": "1024", "deny": "0"},
          {"id": "'"$eve"'", "type": 1, "allow": "1024", "deny": "0"}]}]}'
  } | sophia-index follow - >/dev/null
  here="\"location\":{\"kind\":\"guild\",\"guild\":\"$discord_guild\",\"channel\":\"$discord_channel\"}"
  private="\"actor\":{\"id\":\"$eve\",\"name\":\"Eve\"},$here,\"approval\":\"auto\""
}

teardown() {
  discord_stop
}

event() {
  number=$((${number:-0} + 1))
  jq -cn --arg n "$1" --argjson d "$2" --argjson i "$number" '{type: "event", shard: 0, number: $i, name: $n,
    sequence: $i, at: "2026-11-30T12:00:00.000Z", data: $d}'
}

# said CHANNEL - ada says there 'see', with a file; the index knows. Sets $id,
# $attachment and the $channel.
said() {
  local message
  message=$(discord_do "{\"do\": \"say\", \"user\": \"ada\", \"channel\": \"$1\", \"text\": \"see\",
    \"attachments\": [{\"name\": \"hoard.txt\", \"text\": \"under the stove\", \"type\": \"text/plain\"}]}")
  attachment=$(jq -r '.attachments[0].id' <<<"$message")
  id=$(jq -r .id <<<"$message") channel=$(jq -r .channel_id <<<"$message")
  number=9 event MESSAGE_CREATE "$(jq -c --arg g "$discord_guild" '. + {guild_id: $g}' <<<"$message")" |
    sophia-index follow - >/dev/null
}

# begin TURN - run that turn, until end.
begin() {
  turn "$@" >"$BATS_TEST_TMPDIR/turn"
  sophia-loop <"$BATS_TEST_TMPDIR/turn" >"$BATS_TEST_TMPDIR/out" 3>&- 6>&- 7>&- &
  loop_pid=$!
}
end() {
  kill -KILL "$loop_pid"
  wait "$loop_pid" || :
}
child() { pgrep -P "$loop_pid" -f "$1"; }

imports() { calls sandbox_import "{\"attachment_id\":\"$attachment\",\"path\":\"in/hoard.txt\"}"; }
publishes() { calls sandbox_publish "{\"path\":\"in/hoard.txt\",\"channel\":\"$1\"}"; }

@test "what was attached for all is imported, evidence, and published for all" {
  said general
  says "$(imports)" "$(publishes general)" '{"text":"done"}'
  run -0 --separate-stderr loop 'show them' "$private"
  valid_records <<<"$output"
  [ "$(sql 'SELECT url FROM source')" = "https://discord.com/channels/$discord_guild/$channel/$id" ] || { echo "$output"; false; }
  [ "$(sql 'SELECT call, channel FROM file')" = "1|$discord_channel" ]
  [ "$(sql 'SELECT state, capability FROM receipt')" = 'succeeded|sandbox_publish' ]
  [ "$(discord_state '.sent | map("\(.files[0].size) \(.enforced) \(.nonce | length)") | join(",")')" = '15 true 25' ]
}

@test "what not all may read is not published for all, whether its source is on record or only its file" {
  said random
  says "$(imports)" "$(publishes general)" '{"text":"no"}'
  run -0 --separate-stderr loop 'show them' "$private"
  [ "$(pick 'select(.type == "error") | "\(.kind) \(.effect): \(.text)"')" = \
    'denied none: not everyone who will read it there may read what this task rests on: #random (1)' ] || { echo "$output"; false; }
  task=$(sql 'SELECT id FROM task')
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" 'DELETE FROM source'
  says "$(publishes general)" '{"text":"no"}'
  run -0 --separate-stderr loop 'show them now' "$private,\"task\":\"$task\""
  [ "$(pick 'select(.type == "error") | "\(.kind) \(.effect): \(.text)"')" = \
    "denied none: not everyone who will read it there may read what this task rests on: <#$random> (1)" ] || { echo "$output"; false; }
  [ "$(discord_state '.sent | length')" = 0 ]
  says "$(publishes random)" '{"text":"yes"}'
  run -0 --separate-stderr loop 'show those who may' "$private,\"task\":\"$task\""
  [ "$(discord_state '.sent[].channel')" = "$random" ] || { echo "$output"; false; }
}

@test "a file that is published is asked for, and what was refused is not sent" {
  said general
  says "$(imports)" "$(publishes general)" '{"text":"done"}'
  sophia-access grant -u "$eve" -g "$discord_guild" -t write -m ask >/dev/null
  begin 'show them' "${private%,*},\"approval\":\"ask\""
  sql_is 'SELECT count(*) FROM approval' 1
  [ "$(sql 'SELECT capability, tier FROM approval_item')" = 'sandbox_publish|write' ]
  [[ $(sql 'SELECT text FROM approval_item') == "publish in #general ($discord_channel), the file hoard.txt (text/plain, 15 bytes, SHA-256 "* ]]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
  end
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "a message that is deleted takes the file along, and it can't be brought back" {
  said general
  says "$(imports)" '{"text":"done"}'
  run -0 --separate-stderr loop 'keep it' "$private"
  [ "$(sql 'SELECT count(*) FROM file')" = 1 ] || { echo "$output"; false; }
  number=20 event MESSAGE_DELETE "{\"id\": \"$id\", \"channel_id\": \"$channel\", \"guild_id\": \"$discord_guild\"}" |
    sophia-index follow - >/dev/null
  [ "$(sql 'SELECT (SELECT count(*) FROM file) + (SELECT count(*) FROM content)')" = 0 ]
  task=$(sql 'SELECT id FROM task')
  says "$(calls sandbox_import "{\"attachment_id\":\"$attachment\",\"path\":\"x\",\"message_url\":\"https://discord.com/channels/$discord_guild/$channel/$id\"}")" '{"text":"gone"}'
  run -0 --separate-stderr loop 'again' "$private,\"task\":\"$task\""
  [ "$(pick 'select(.type == "error") | "\(.kind): \(.text)"')" = "refused: message $id was deleted" ] || { echo "$output"; false; }
}

@test "a file of nobody else's task can be named" {
  said general
  says "$(imports)" '{"text":"done"}'
  run -0 --separate-stderr loop 'keep it' "$private"
  says "$(publishes general)" '{"text":"no"}'
  sophia-access grant -u "$bob" -g "$discord_guild" -t write -m auto >/dev/null
  run -0 --separate-stderr loop 'show me' "${private//$eve/$bob}"
  [ "$(pick 'select(.type == "error") | "\(.kind): \(.text)"')" = "input: this task has no file 'in/hoard.txt'" ] || { echo "$output"; false; }
}

@test "the token is with the program that imports, and not with one that runs containers" {
  said general
  discord_do '{"do": "cdn", "what": "hang"}'
  says "$(imports)" '{"text":"done"}'
  begin 'keep it' "$private"
  until_true child 'sophia-sandbox --serve'
  grep -zq '^DISCORD_TOKEN=' "/proc/$(child 'sophia-sandbox --serve')/environ"
  ! grep -zq '^DISCORD_TOKEN=' "/proc/$(child 'sophia-model --serve')/environ"
  end
}
