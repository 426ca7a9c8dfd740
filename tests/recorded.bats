load helper

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
