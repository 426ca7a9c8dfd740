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

@test "a command is acknowledged, and then answered" {
  converse_start
  discord_until effects
  interacts ada '{do: "command", channel: "general", name: "ping"}'
  run -0 answered
  [[ $output == *'Here. From Discord'*'"ephemeral":false'* ||
    $output == *'"ephemeral":false'*'Here. From Discord'* ]]
  [ "$(discord_state '.interactions[-1].answers[0].type')" = 5 ]
  interacts ada '{do: "command", channel: "general", name: "tasks"}'
  run -0 answered
  [[ $output == *'You have no such task here.'* ]]
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
  [ "$(sql 'SELECT count(*) FROM inbox')" = 0 ]
}
