load helper
load discord
load turns

# Every dispatch that others recorded of Discord, and what each might have been
# besides: any field of it left out, null, or of another kind. All of them are
# taken, and what the index then holds of a message is what the message said.

guild=1200000000000000001 channel=1200000000000000402

setup() {
  state_folder
  fixtures=${SOPHIA_FIXTURES:-$top/../shared/fixtures}/discord
  [ -d "$fixtures" ] || skip "no recorded dispatches in $fixtures"
  sophia settings set discord.guilds $guild >/dev/null
  events=$BATS_TEST_TMPDIR/events records=$BATS_TEST_TMPDIR/records
}

# recorded COMMAND... - peers/recorded
recorded() {
  /usr/bin/python3 -B "$top/tests/peers/recorded" "$@"
}

# as_records - what peers/recorded prints, as the gateway writes it down
as_records() {
  jq -c '{type: "event", shard: 0, number: input_line_number, name: .t,
    sequence: input_line_number, at: "2026-11-30T20:00:00.000Z", data: .d}'
}

# judge - the index holds what the messages in $events say
judge() {
  sophia index export >"$records"
  valid_records "$records"
  recorded compare "$events" "$records"
  sophia index verify >/dev/null
}

# complaints FILE - what is wrong with events there, but for what really is
complaints() {
  grep -vE ': (MESSAGE_(CREATE|UPDATE): a message without an (id|author)|MESSAGE_(CREATE|UPDATE): a message without a channel_id)$' "$1" || true
}

@test "what is indexed of every recorded message is what it says" {
  recorded messages "$fixtures" $guild $channel >"$events"
  as_records <"$events" | sophia index follow - 2>"$records.err"
  [ -z "$(complaints "$records.err")" ]
  judge
}

@test "no other recorded event does harm, whatever of it is missing" {
  recorded others "$fixtures" $guild $channel >"$events"
  as_records <"$events" | sophia index follow - 2>"$records.err"
  run grep -vE ': [A-Z_]+: (a [a-z]+ without an? [a-z_]+( or a [a-z]+)?|no [a-z_]+)$' "$records.err"
  [ -z "$output" ]
  sophia index verify >/dev/null
}

# through_the_gateway - send $events over a websocket, to the spool.
through_the_gateway() {
  export discord_control
  sophia-gateway --spool >/dev/null 2>"$events.err" 3>&- 6>&- &
  local gateway=$!
  discord_until sessions
  jq -c '{do: "raw", name: .t, data: .d}' "$events" | split -l 500 --filter='
    jq -cs "{do: \"batch\", orders: .}" |
    curl -sS --fail-with-body -o /dev/null --data-binary @- "$discord_control"'
  last=$(discord_state '.sessions[0].sequence')
  until_true eval '[ "$(sophia spool status --jq .last)" = "$last" ]'
  kill "$gateway"
  wait "$gateway"
}

@test "over the gateway, too, whatever was recorded arrives as it was sent" {
  discord_start
  { recorded messages "$fixtures" $guild $channel
    recorded others "$fixtures" $guild $channel; } >"$events"
  through_the_gateway
  discord_clean
  discord_stop
  first=$(($(sophia spool status --jq .last) - $(wc -l <"$events")))
  cmp <(jq -c '[.t, .d]' "$events") \
    <(sophia spool read --after $first | jq -c '[.name, .data]')
  sophia index follow --once 2>/dev/null
  judge
}

@test "whatever lacks of what begins a session, the gateway goes on" {
  discord_start
  recorded sessions "$fixtures" $guild $channel >"$events"
  through_the_gateway
  discord_stop
  first=$(($(sophia spool status --jq .last) - $(wc -l <"$events")))
  cmp <(jq -c '[.t, .d]' "$events") \
    <(sophia spool read --after $first | jq -c '[.name, .data]')
}

# as_ours - interactions of the application that is tested, each one another
as_ours() {
  jq -c --arg app "$discord_bot" --arg channel $channel 'if .t != "INTERACTION_CREATE" then . else
    .d |= ((.application_id | strings) = $app | (.channel_id | strings) = $channel |
      (.id | strings) = (1577061567998984192 + input_line_number * 4194304 | tostring)) end'
}

@test "nobody is answered for what was recorded, and it ends no program" {
  export tasks=$SOPHIA_HOME/tasks.sqlite
  discord_start
  sophia-settings set discord.users '*' >/dev/null
  { recorded sessions "$fixtures" $guild $channel
    recorded messages "$fixtures" $guild $channel
    recorded others "$fixtures" $guild $channel; } >"$events"
  as_ours <"$events" | as_records | sophia spool append >/dev/null
  sophia-converse 3>&- 6>&- 2>"$records.err" &
  converse=$!
  until_true eval '[ -s "$tasks" ]'
  sql_is 'SELECT ifnull(max(number), 0) FROM heard' "$(sophia spool status --jq .last)"
  discord_clean
  [ "$(discord_state '.sent | length')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM turn')" = 0 ]
  discord_stop
  kill $converse
  wait $converse
}
