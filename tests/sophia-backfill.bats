load helper
load discord

# History as the fake Discord gives it, within its documented limits.

setup() {
  state_folder
  discord_start
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
}
teardown() { discord_stop; }

fill() { discord_do "{\"do\":\"fill\",\"channel\":\"$1\",\"count\":$2}" >/dev/null; }
sql() { sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "$1"; }
pages_asked() { discord_state '[.requests | to_entries[] | select(.key | endswith("/messages")).value] | add // 0'; }

@test "every message of every channel is fetched, and nothing is asked for twice" {
  fill general 250
  run -0 --separate-stderr sophia-backfill --all
  valid_records <<<"$output"
  [ -z "$stderr" ]
  [ "$(jq -s 'map(.new) | add' <<<"$output")" = 253 ]
  [ "$(sql "SELECT count(*) FROM message m JOIN channel c ON c.ord = m.channel WHERE c.name = 'general'")" = 252 ]
  [ "$(sql "SELECT group_concat(low) FROM coverage")" = 0,0,0,0 ]
  [ "$(sql "SELECT forbidden FROM channel WHERE name = 'secret'")" = 'Sophia may not see it' ]
  [ "$(discord_state '.count.invalid_requests // 0')" = 0 ]
  asked=$(pages_asked)
  run -1 sophia-backfill --all
  [ "$(pages_asked)" = "$asked" ]
  run -0 sophia-index verify
}

@test "a guild that is not enabled is not asked about" {
  sophia-settings set discord.guilds "" >/dev/null
  run -78 --separate-stderr sophia-backfill --all
  [[ $stderr == *'no guild is enabled'* ]]
  [ "$(discord_state '.requests | length')" -le 1 ]
}

@test "without a token: exit 78" {
  unset DISCORD_TOKEN
  run -78 sophia-backfill --all
}

@test "wrong usage" {
  run -2 sophia-backfill
  run -2 sophia-backfill --all --recent
  run -2 sophia-backfill general
  run -2 sophia-backfill --since yesterday --all
}
