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

# may_manage - Sophia manages channels, threads and roles.
may_manage() {
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL","READ_MESSAGE_HISTORY","MANAGE_CHANNELS","MANAGE_ROLES","MANAGE_MESSAGES","PIN_MESSAGES","MANAGE_THREADS"]}' >/dev/null
}

@test "through a whole turn a category and a channel in it are made, and a role is given to two" {
  may_manage
  ada=${bob//1200000000000000202/1200000000000000201}
  sophia-access grant -u 1200000000000000201 -g "$discord_guild" -t destructive -m auto >/dev/null
  says "$(calls create_category '{"name":"Deck"}')" "$(calls create_channel '{"name":"Tea Time","category":"Deck"}')" \
    "$(calls manage_member_roles '{"members":["bob","eve"],"add":["keeper"]}')" '{"text":"done"}'
  run -0 --separate-stderr loop 'make a deck' "$ada"
  valid_records <<<"$output"
  [ "$(sql 'SELECT state FROM receipt ORDER BY call' | xargs)" = 'succeeded succeeded succeeded' ]
  [ "$(discord_state '[.effects[].what] | join(" ")')" = 'channel_created channel_created role_given role_given' ]
}

@test "a protected channel isn't deleted, nor is its category, nor is what is in it moved; a protected role isn't given" {
  may_manage
  sophia-access protect -g "$discord_guild" --channel "$discord_channel" >/dev/null
  sophia-access protect -g "$discord_guild" -r 1200000000000000301 >/dev/null
  says "$(calls delete_channel '{"channel":"general"}' delete_channel '{"channel":"Quay"}' delete_channel '{"channel":"works"}' \
    move_channel '{"channel":"general","category":"none"}' edit_channel_permissions '{"channel":"Quay","role":"@everyone","deny":["EMBED_LINKS"]}' \
    manage_member_roles '{"members":["robot"],"remove":["keeper"]}' delete_role '{"role":"keeper"}')" '{"text":"no"}'
  discord_do '{"do":"member","user":"robot","roles":["keeper"]}' >/dev/null
  run -0 loop 'tidy up' "$bob"
  pick 'select(.type == "error").text' >"$BATS_TEST_TMPDIR/errors"
  [ "$(grep -c 'protected' "$BATS_TEST_TMPDIR/errors")" = 7 ] || { cat "$BATS_TEST_TMPDIR/errors"; false; }
  [ "$(discord_state '.effects | length')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "nobody is made an administrator for the asking, whatever they were granted" {
  may_manage
  discord_do '{"do":"role","name":"root","permissions":["MANAGE_MESSAGES"],"position":1}' >/dev/null
  says "$(calls manage_member_roles '{"members":["bob"],"add":["root"]}' create_role '{"name":"me","permissions":["MANAGE_ROLES"]}' \
    edit_role_permissions '{"role":"@everyone","add":["MANAGE_CHANNELS"]}')" '{"text":"no"}'
  run -0 loop 'make me root' "$bob"
  [ "$(pick 'select(.type == "error").kind' | xargs)" = 'denied denied denied' ]
  [ "$(discord_state '.effects | length')" = 0 ]
}
