# converse.bash - for suites in which people talk with Sophia: the fake Discord,
# sophia-converse, the loop, and the fake provider. Load turns and discord first.

# So many programs at a time need longer than one, where others are at work.
export patience=40

# In setup: a Discord, in whose guild everybody is let in.
harbour() {
  state_folder
  provider_use
  discord_start
  sophia-settings set profile fake >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  sophia-settings set discord.users '*' >/dev/null
}

# In teardown.
harbour_close() {
  [ -z "${converse_pid:-}" ] || kill "$converse_pid" 2>/dev/null || :
  [ -z "${gateway_pid:-}" ] || kill "$gateway_pid" 2>/dev/null || :
  discord_stop
  cat "$BATS_TEST_TMPDIR"/*.err 2>/dev/null || :
}

# converse_start - and wait until it listens. Its words are in converse.err.
converse_start() {
  sophia-converse 3>&- 6>&- 7>&- 2>>"$BATS_TEST_TMPDIR/converse.err" &
  converse_pid=$!
  sql_is "SELECT count(*) FROM sqlite_schema WHERE name = 'inbox'" 1
}

# converse_stop [SIGNAL] - end it, and what it started.
converse_stop() {
  kill "-${1:-TERM}" "$converse_pid"
  wait "$converse_pid" || return
}

# event NAME DATA... - put events into the spool.
event() {
  local name=$1
  shift
  printf '%s\n' "$@" | jq -c --arg name "$name" '{type: "event", shard: 0,
    number: 1, name: $name, sequence: 1, at: (now | todate), data: .}' |
    sophia-spool append >/dev/null
}

# says_in CHANNEL USER TEXT [JSON-FIELDS] - a person says something there, and
# it is heard. Sets $said to the message, and $id to its id.
says_in() {
  said=$(discord_do "$(jq -nc --arg c "$1" --arg u "$2" --arg t "$3" \
    "{do: \"say\", channel: \$c, user: \$u, text: \$t} + ${4:-"{}"}")")
  said=$(jq -c --arg g "$discord_guild" '. + {guild_id: $g}' <<<"$said")
  id=$(jq -r .id <<<"$said")
  event MESSAGE_CREATE "$said"
}

# interacts USER ORDER - a person runs a command, types in it, presses a button
# or sends a form (an order of peers/discord/control.py), and it is heard. Sets
# $made to the interaction as the fake Discord keeps it.
interacts() {
  local answer who
  discord_until effects # the commands are registered
  answer=$(discord_do "$(jq -nc --arg u "$1" "{user: \$u} + $2")")
  made=$(discord_state '.interactions[-1]')
  who=$(discord_rest GET "/guilds/$discord_guild/members/$(user_id "$1")"; echo "$output")
  event INTERACTION_CREATE "$(jq -nc --argjson a "$answer" --argjson m "$made" \
    --argjson who "$who" --arg app "$discord_bot" --arg g "$discord_guild" '{
      id: $a.id, token: $a.token, application_id: $app, type: $m.kind,
      guild_id: $g, channel_id: $m.channel, member: $who, data: $m.data,
      channel: {id: $m.channel, type: 0}}')"
}

# user_id NAME - of a person of the fake Discord.
user_id() {
  jq -r --arg n "$1" '.users[] | select(.username == $n).id' \
    "$BATS_TEST_DIRNAME/peers/discord/world.json"
}

# answered [JQ] - wait until the last interaction has its answer; print that.
answered() {
  made_id=$(jq -r .id <<<"$made")
  until_true eval '[ -n "$(answer_of)" ]'
  answer_of "$@"
}
answer_of() {
  discord_state ".interactions[] | select(.id == \"$made_id\") |
    ([.answers[] | select(.type == 4 or .type == 8 or .type == 9)] +
     [.messages[] | select(.content != \"\")])[0] // empty | ${1:-tojson}"
}

# outcomes N - wait until that many turns have come to an end.
outcomes() {
  sql_is 'SELECT count(*) FROM outbox' "$1"
}

# quiet - wait until all that was put into the spool is taken in.
quiet() {
  local last
  last=$(sophia-spool status --jq '.last')
  sql_is "SELECT ifnull(max(number), 0) >= $last FROM heard" 1
}

# gateway_start - hear what happens in Discord as it happens, instead of event().
gateway_start() {
  sophia-gateway -s 3>&- 6>&- 7>&- >/dev/null 2>>"$BATS_TEST_TMPDIR/gateway.err" &
  gateway_pid=$!
  discord_until count.identifies
}
