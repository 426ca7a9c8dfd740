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
