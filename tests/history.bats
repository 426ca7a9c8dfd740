load helper
load discord

# The gateway, the follower and the backfill together, on the fake Discord: in
# the end the index holds what Discord holds, whatever went wrong meanwhile.

setup() {
  state_folder
  discord_start
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  children=
}

teardown() {
  [ -z "$children" ] || kill $children 2>/dev/null || :
  wait $children 2>/dev/null || :
  discord_stop
}

begin() {
  sophia-gateway --spool 2>"$BATS_TEST_TMPDIR/gateway" 3>&- &
  gateway=$! children+=" $!"
  sophia-index follow 2>"$BATS_TEST_TMPDIR/follow" 3>&- &
  children+=" $!"
  sophia-backfill --queue --wait >"$BATS_TEST_TMPDIR/pages" 2>"$BATS_TEST_TMPDIR/backfill" 3>&- &
  children+=" $!"
}

sql() { sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "$1"; }

# until_true COMMAND... - wait for it, 30 s at most.
until_true() {
  local end=$((SECONDS + 30))
  until "$@" 2>/dev/null; do
    [ "$SECONDS" -lt "$end" ] || { echo "never: $*"; cat "$BATS_TEST_TMPDIR"/{gateway,follow,backfill}; return 1; }
    read -rt 0.05 <> <(:) || :
  done
}

# What Discord has, and what the index has: id and text of each message.
theirs() {
  local channel
  for channel in "$discord_channel" 1200000000000000403 1200000000000000408; do
    discord_rest GET "/channels/$channel/messages?limit=100"
    jq -r '.[] | "\(.id)|\(.content)"' <<<"$output"
  done | sort
}
ours() { sql "SELECT id || '|' || text FROM message" | sort; }
agree() { [ "$(theirs)" = "$(ours)" ]; }
# A session is followed, and what was before it looked through.
live() {
  [ "$(sql 'SELECT number > 1 FROM live')" = 1 ] &&
  [ "$(sql "SELECT count(*) FROM meta a JOIN meta b ON a.value <= b.value WHERE a.name = 'sweep' AND b.name = 'swept'")" = 1 ] &&
    general_is_live
}
struck() { [ "$(discord_state .faults_pending)" = 0 ]; }
general_is_live() { [ "$(sql "SELECT count(*) FROM channel WHERE name = 'general' AND live_low IS NOT NULL")" = 1 ]; }

say() { discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"$1\",\"text\":\"$2\"}" | jq -r .id; }

@test "what is said, edited and deleted is indexed as it happens" {
  begin
  until_true live
  until_true agree
  first=$(say general 'the kiln is hot')
  second=$(say random 'the roof leaks')
  say works 'the crane is painted'
  discord_do "{\"do\":\"edit\",\"channel\":\"general\",\"message\":\"$first\",\"text\":\"the kiln is cold\"}"
  discord_do "{\"do\":\"delete\",\"channel\":\"random\",\"message\":\"$second\"}"
  until_true agree
  discord_do "{\"do\":\"react\",\"user\":\"bob\",\"channel\":\"general\",\"message\":\"$first\",\"emoji\":\"x\"}"
  until_true eval "[ \"\$(sql \"SELECT count(*) FROM message WHERE id = $first AND more LIKE '%reactions%'\")\" = 1 ]"
  asked=$(discord_state '.requests["GET /channels/{channel_id}/messages"]')
  run -1 sophia-backfill --all
  [ "$(discord_state '.requests["GET /channels/{channel_id}/messages"]')" = "$asked" ]
  run -0 sophia-index verify
}

@test "what is missed while nobody listens is fetched afterwards" {
  begin
  until_true live
  first=$(say general 'to be deleted meanwhile')
  until_true agree
  kill -KILL "$gateway"
  discord_do '{"do":"end_sessions"}'
  discord_do "{\"do\":\"delete\",\"channel\":\"general\",\"message\":\"$first\"}"
  say general 'said to nobody'
  say random 'nor this'
  sophia-gateway --spool 2>"$BATS_TEST_TMPDIR/gateway" 3>&- &
  children+=" $!"
  until_true agree
  [ -z "$(sql "SELECT 1 FROM message WHERE id = $first")" ]
  until_true live
  run -0 sophia-index verify
}

@test "a resume that replays nothing, or not all, is found out" {
  begin
  until_true live
  for fault in swallow duplicate replay_none replay_twice; do
    discord_do "{\"do\":\"$fault\"}"
    case $fault in replay*) discord_do '{"do":"drop"}' ;; esac
    say general "lost, or twice: $fault"
    until_true struck
    say random "after $fault"
    until_true eval "[ \"\$(sql \"SELECT count(*) FROM message WHERE text = 'after $fault'\")\" = 1 ]"
  done
  say general 'and at the end'
  until_true agree
  [ "$(sql "SELECT count(DISTINCT id) = count(*) FROM message")" = 1 ]
  run -0 sophia-index verify
}

@test "a guild that is enabled while all runs is swept, and then followed" {
  sophia-settings set discord.guilds "" >/dev/null
  begin
  say general 'before'
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  until_true agree
  until_true live
  say general 'after'
  until_true agree
  sophia-settings set discord.guilds "" >/dev/null
  say general 'not for her'
  say random 'nor this'
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  until_true agree
}

@test "who sees what follows the roles and overwrites" {
  begin
  until_true live
  say secret 'psst'
  discord_do '{"do":"overwrite","user":"ada","channel":"secret","role":"Sophia","allow":["VIEW_CHANNEL"]}'
  until_true eval '[ -z "$(sql "SELECT forbidden FROM channel WHERE name = '"'secret'"'")" ]'
  say secret 'now you may hear it'
  until_true eval '[ "$(sql "SELECT count(*) FROM message WHERE text LIKE '"'now you%'"'")" = 1 ]'
  discord_do '{"do":"overwrite","user":"ada","channel":"general","role":"Sophia","deny":["VIEW_CHANNEL"]}'
  until_true eval '[ "$(sql "SELECT forbidden FROM channel WHERE name = '"'general'"'")" = "Sophia may not see it" ]'
  [ "$(sql "SELECT live_ms IS NULL FROM channel WHERE name = 'general'")" = 1 ]
}
