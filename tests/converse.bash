# converse.bash - for suites in which people talk with Sophia: the fake Discord,
# sophia-converse, the loop, and the fake provider. Load turns and discord first.

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
  kill "${converse_pid:-$BASHPID}" 2>/dev/null || :
  discord_stop
  cat "$BATS_TEST_TMPDIR/converse.err" 2>/dev/null || :
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

# outcomes N - wait until that many turns have come to an end.
outcomes() {
  sql_is 'SELECT count(*) FROM outbox' "$1"
}

# quiet - wait until all that was put into the spool is taken in.
quiet() {
  local last
  last=$(sophia-spool status --jq '.last')
  sql_is 'SELECT ifnull(max(number), 0) FROM heard' "$last"
}
