load helper
load turns
load discord

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  discord_start
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  sophia-settings set discord.users '*' >/dev/null
  sophia-access grant -u 1200000000000000202 -g "$discord_guild" -t destructive -m auto >/dev/null
  bob="\"actor\":{\"id\":\"1200000000000000202\",\"name\":\"Bob\"},\"location\":{\"kind\":\"guild\",\"guild\":\"$discord_guild\",\"channel\":\"$discord_channel\"},\"approval\":\"auto\""
}

teardown() {
  discord_stop
}

@test "a turn sends a message by name, and its receipt has the nonce that Discord got" {
  says "$(calls send_message '{"channel":"general","text":"The tide is in."}')" '{"text":"sent"}'
  run -0 --separate-stderr loop 'say so' "$bob"
  valid_records <<<"$output"
  [ "$(types)" = 'task call result answer done' ]
  [ "$(discord_state '.sent | length')" = 1 ]
  [ "$(sql 'SELECT nonce, state FROM receipt')" = "$(discord_state '.sent[0].nonce')|succeeded" ]
  [ "$(sql "SELECT json_extract(plan, '$.channel') FROM receipt")" = "$discord_channel" ]
}

@test "a lost answer pauses the task; what another task finds settles it, and nothing is sent twice" {
  says "$(calls send_message '{"channel":"general","text":"The tide is in."}')"
  discord_do '{"do": "rest", "what": "lost", "route": "POST /channels/{channel_id}/messages"}'
  run loop 'say so' "$bob"
  [[ $(types) == *paused* ]]
  [ "$(sql 'SELECT state FROM receipt')" = unknown ]
  call=$(sql "SELECT task || '.' || call FROM receipt")
  says "$(calls verify_action "{\"call\":\"$call\"}")" '{"text":"it is there"}'
  run -0 --separate-stderr loop 'was it sent?' "$bob"
  [ "$(pick 'select(.type == "result") | "\(.data.found) \(.data.settled)"')" = 'done true' ]
  [ "$(sql 'SELECT kind, happened FROM settlement')" = 'verified|1' ]
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "what a check refuses is told to the model, and leaves no receipt" {
  says "$(calls send_message '{"channel":"ideas","text":"x"}')" '{"text":"no"}'
  run -0 loop 'say so' "$bob"
  [ "$(pick 'select(.type == "error").text')" = '#ideas holds posts only: create_thread makes one' ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}
