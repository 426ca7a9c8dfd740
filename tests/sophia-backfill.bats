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
counted() { sql "SELECT count(*) FROM message m JOIN channel c ON c.ord = m.channel WHERE c.name = '$1'"; }
texts() { sql "SELECT text FROM message m JOIN channel c ON c.ord = m.channel WHERE c.name = '$1' ORDER BY m.id"; }
covered() { sql "SELECT low || '-' || high FROM coverage v JOIN channel c ON c.ord = v.channel WHERE c.name = '$1' ORDER BY low"; }
pages_asked() { discord_state '[.requests | to_entries[] | select(.key | endswith("/messages")).value] | add // 0'; }
last_id() { sql "SELECT max(m.id) FROM message m JOIN channel c ON c.ord = m.channel WHERE c.name = '$1'"; }

@test "every message of every channel is fetched, and nothing is asked for twice" {
  fill general 250
  run -0 --separate-stderr sophia-backfill --all
  valid_records <<<"$output"
  [ -z "$stderr" ]
  [ "$(jq -s 'map(.new) | add' <<<"$output")" = 253 ]
  [ "$(counted general)" = 252 ]
  [ "$(sql "SELECT group_concat(low) FROM coverage")" = 0,0,0,0 ]
  [ "$(sql "SELECT forbidden FROM channel WHERE name = 'secret'")" = 'Sophia may not see it' ]
  [ "$(discord_state '.count.invalid_requests // 0')" = 0 ]
  asked=$(pages_asked)
  run -1 sophia-backfill --all
  [ "$(pages_asked)" = "$asked" ]
  run -0 sophia-index verify
}

@test "what was said since is one page more, and joins what is known" {
  fill general 10
  sophia-backfill --all >/dev/null
  discord_do '{"do":"say","user":"ada","channel":"general","text":"and the roof leaks"}'
  asked=$(pages_asked)
  run -0 sophia-backfill "$discord_channel"
  [ "$(jq -c '[.new, .more]' <<<"$output")" = '[1,false]' ]
  [ "$(pages_asked)" = $((asked + 1)) ]
  [ "$(covered general | wc -l)" = 1 ]
}

@test "threads and posts are fetched, archived and private ones too" {
  discord_do '{"do":"thread","user":"ada","channel":"general","name":"dry","text":"under the roof"}'
  discord_do '{"do":"thread","user":"ada","channel":"general","name":"old","text":"long ago"}'
  discord_do '{"do":"archive","channel":"old"}'
  discord_do '{"do":"thread","user":"ada","channel":"general","name":"hush","private":true,"text":"between us"}'
  discord_do '{"do":"archive","channel":"hush"}'
  discord_do '{"do":"thread","user":"bob","channel":"ideas","name":"post","text":"a bridge"}'
  discord_do '{"do":"thread","user":"bob","channel":"ideas","name":"former","text":"a ferry"}'
  discord_do '{"do":"archive","channel":"former"}'
  run -0 --separate-stderr sophia-backfill --all
  [ -z "$stderr" ]
  [ "$(texts dry)" = 'under the roof' ]
  [ "$(texts old)" = 'long ago' ]
  [ "$(texts hush)" = 'between us' ]
  [ "$(texts post)" = 'a bridge' ]
  [ "$(texts former)" = 'a ferry' ]
  asked=$(pages_asked)
  run -1 sophia-backfill --all
  [ "$(pages_asked)" = "$asked" ]
}

@test "a forum that is named is fetched with its posts" {
  discord_do '{"do":"thread","user":"bob","channel":"ideas","name":"former","text":"a ferry"}'
  discord_do '{"do":"archive","channel":"former"}'
  run -0 sophia-backfill 1200000000000000405
  [ "$(texts former)" = 'a ferry' ]
  [ "$(counted general)" = 0 ]
}

@test "lists of archived threads are read to their end" {
  for n in $(seq 120); do printf ',{"do":"thread","user":"ada","channel":"general","name":"t%s","text":"x"},{"do":"archive","channel":"t%s"}' "$n" "$n"; done |
    sed 's/^,/{"do":"batch","orders":[/; s/$/]}/' >"$BATS_TEST_TMPDIR/orders"
  discord_do "@$BATS_TEST_TMPDIR/orders" >/dev/null
  discord_do '{"do":"limits","mode":"off"}'
  run -0 --separate-stderr sophia-backfill --all
  [ "$(sql "SELECT count(*) FROM message WHERE text = 'x'")" = 120 ]
  [ "$(sql "SELECT count(*) FROM listing WHERE done_ms IS NULL")" = 0 ]
}

@test "only what is younger than --since is asked for" {
  discord_do '{"do":"fill","channel":"general","count":300,"from_ms":1700000000000,"step_ms":3600000}'
  run -0 sophia-backfill --since 2023-11-25 "$discord_channel"
  [ "$(jq -s length <<<"$output")" -le 2 ]
  [ "$(sql "SELECT min(low) > 0 FROM coverage")" = 1 ]
}

@test "a channel that is refused is marked, and the rest is fetched" {
  fill random 3
  fill news 3
  discord_do '{"do":"rest","what":"status","status":403,"body":{"code":50001,"message":"Missing Access"},"route":"GET /channels/{channel_id}/messages","times":1}'
  run -0 --separate-stderr sophia-backfill --all
  [[ $stderr == *'50001 Missing Access'* ]]
  [ "$(sql "SELECT count(*) FROM channel WHERE forbidden LIKE '50001%'")" = 1 ]
  [ "$(sql "SELECT count(*) FROM coverage")" = 3 ]
  run -0 sophia-index status --channels
  valid_records <<<"$output"
  [ "$(jq -r 'select(.forbidden) | .forbidden' <<<"$output" | sort | head -1)" = '50001 Missing Access' ]
}

@test "a history that may not be read is not taken for an empty one" {
  fill general 20
  discord_do '{"do":"overwrite","user":"ada","channel":"general","role":"Sophia","deny":["READ_MESSAGE_HISTORY"]}'
  run -0 --separate-stderr sophia-backfill --all
  [ -z "$(covered general)" ]
  [ "$(sql "SELECT forbidden FROM channel WHERE name = 'general'")" = 'Sophia may not read its history' ]
}

@test "what fails in Discord is tried again, and said if it goes on" {
  fill general 20
  discord_do '{"do":"rest","what":"status","status":502,"route":"GET /channels/{channel_id}/messages","times":1}'
  discord_do '{"do":"rest","what":"cut","route":"GET /channels/{channel_id}/messages","times":1}'
  run -0 sophia-backfill "$discord_channel"
  [ "$(counted general)" = 22 ]
  run -0 sophia-index verify
}

@test "a page that is no page leaves no trace, and is an error" {
  fill general 20
  discord_do '{"do":"rest","what":"garbage","route":"GET /channels/{channel_id}/messages","times":9}'
  run --separate-stderr sophia-backfill "$discord_channel"
  [ "$status" -ge 65 ]
  [ -z "$(covered general)" ]
}

@test "a sweep finds edits and deletions, and leaves a gap to the queue" {
  sophia-settings set history.sweep 100 >/dev/null
  fill general 30
  sophia-backfill --recent >/dev/null
  [ "$(counted general)" = 32 ]
  id=$(last_id general)
  discord_do "{\"do\":\"edit\",\"channel\":\"general\",\"message\":\"$id\",\"text\":\"the kiln is cold\"}"
  other=$(sql "SELECT max(id) FROM message WHERE id < $id")
  discord_do "{\"do\":\"delete\",\"channel\":\"general\",\"message\":\"$other\"}"
  run -0 sophia-backfill --recent
  [ "$(jq -s -c 'map(select(.channel.name == "general")) | .[0] | [.new, .changed, .deleted]' <<<"$output")" = '[0,1,1]' ]
  [ "$(sql "SELECT text FROM message WHERE id = $id")" = 'the kiln is cold' ]
  [ -z "$(sql "SELECT text FROM message WHERE id = $other")" ]
  discord_do '{"do":"fill","channel":"general","count":250,"from_ms":'"$(date -d '+1 hour' +%s000)"'}' >/dev/null
  run -0 sophia-backfill --recent
  [ "$(counted general)" = 131 ]
  [ "$(covered general | wc -l)" = 2 ]
  run -0 sophia-backfill --queue
  [ "$(counted general)" = 281 ]
  [ "$(covered general | wc -l)" = 1 ]
  run -1 sophia-backfill --queue
}

@test "events that are missed under way forbid no channel: it is left for the next time" {
  fill general 5
  discord_do '{"do":"rest","what":"late","seconds":2,"route":"GET /guilds/{guild_id}/threads/active"}'
  sophia-backfill --all >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" 3>&- &
  discord_until 'requests.GET /guilds/{guild_id}/channels'
  sqlite3 "$SOPHIA_HOME/messages.sqlite" ".timeout 5000" \
    "UPDATE guild SET people_ms = $(date +%s%3N)"
  rc=0
  wait $! || rc=$?
  [ "$rc" = 75 ]
  [[ $(<"$BATS_TEST_TMPDIR/err") == *'events were missed meanwhile: '*' channels were left for the next time' ]]
  [ -z "$(sql "SELECT name FROM channel WHERE forbidden LIKE '%not known'")" ]
  [ "$(counted general)" = 0 ]
  run -0 sophia-backfill --all
  [ "$(counted general)" = 7 ]
}

@test "the tool queues a channel, and never says that it is done" {
  fill general 5
  sophia-backfill 1200000000000000403 >/dev/null || :
  run -0 sophia-tool run index_channel '{"channel":"general"}'
  [[ $output == *'queued, not fetched yet'* ]]
  [ "$(counted general)" = 0 ]
  run -0 sophia-backfill --queue
  [ "$(counted general)" = 7 ]
  run -0 sophia-tool run index_channel '{"channel":"general"}'
  [[ $output == *'all of it is indexed already'* ]]
  run -0 sophia-tool run index_channel '{"channel":"secret"}'
  [[ $output == *'nothing was queued: Sophia may not see it'* ]]
}

@test "two at a time fetch a channel once" {
  fill general 400
  discord_do '{"do":"rest","what":"slow","seconds":1,"route":"GET /channels/{channel_id}/messages","times":1}'
  sophia-backfill "$discord_channel" >"$BATS_TEST_TMPDIR/one" &
  discord_until 'requests.GET /channels/{channel_id}/threads/archived/public' 1
  run -1 sophia-backfill "$discord_channel"
  wait $!
  [ "$(counted general)" = 402 ]
}

@test "a guild that is not enabled is not asked about" {
  sophia-settings set discord.guilds "" >/dev/null
  run -78 --separate-stderr sophia-backfill --all
  [[ $stderr == *'no guild is enabled'* ]]
  [ "$(discord_state '.requests | length')" -le 1 ]
}

@test "a guild that Sophia is not in is named once, with what to do; the rest is fetched" {
  discord_unruly=1 # no client can know before it asks
  sophia-settings set discord.guilds "99,$discord_guild" >/dev/null
  run -69 --separate-stderr sophia-backfill --all
  [[ $stderr == 'sophia-backfill: guild 99: Sophia is not in this server'*'invite her'* ]]
  [ "${#stderr_lines[@]}" = 1 ]
  [ "$(counted general)" = 2 ]
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
  run -2 sophia-backfill --recent --wait
}

# What is indexed of what is covered is exactly what Discord has there.
exact() {
  sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "ATTACH '$reference' AS all_of_it;
    SELECT count(*) FROM all_of_it.message r JOIN all_of_it.channel rc ON rc.ord = r.channel
      JOIN channel c ON c.id = rc.id JOIN coverage v ON v.channel = c.ord
      AND r.id BETWEEN v.low AND v.high WHERE r.id NOT IN (SELECT id FROM message);
    SELECT count(*) FROM message WHERE id NOT IN (SELECT id FROM all_of_it.message)"
}

# killed CALL N - a fresh backfill, killed at the N-th such system call; then
# one that goes on. Fails if the first one ended before that.
killed() {
  rm -rf "$SOPHIA_HOME"
  mkdir "$SOPHIA_HOME"
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  discord_do '{"do":"clear","books":true}' >/dev/null
  local rc=0
  strace -f -o /dev/null -e trace="$1" -e inject="$1:signal=SIGKILL:when=$2" \
    sophia-backfill --all >/dev/null 2>&1 || rc=$?
  [ ! -e "$SOPHIA_HOME/messages.sqlite" ] || [ "$(exact | xargs)" = '0 0' ] || return 2
  rm -f "$SOPHIA_HOME"/run/limits* # where the dead one keeps places for 30 s
  sophia-backfill --all >/dev/null 2>&1 || [ $? -eq 1 ] || return 2
  [ "$(sql 'SELECT count(*) FROM message')" = "$all" ] || return 2
  [ "$(pages_asked)" -le $((full + 4)) ] || return 2 # one in flight a channel
  [ $rc -eq 137 ]
}

@test "killed at any request or write, it goes on where it was" {
  discord_do '{"do":"limits","mode":"off"}' >/dev/null
  fill general 350
  fill random 120
  sophia-backfill --all >/dev/null
  all=$(sql 'SELECT count(*) FROM message') full=$(pages_asked)
  reference=$BATS_TEST_TMPDIR/reference.sqlite
  sqlite3 "$SOPHIA_HOME/messages.sqlite" "VACUUM INTO '$reference'"
  local n=0 rc=0
  while killed sendto $((n += 1)) || rc=$?; [ $rc -eq 0 ]; do :; done
  [ $rc -eq 1 ]
  [ $n -gt "$full" ]
  n=-40 rc=0
  while killed pwrite64 $((n += 47)) || rc=$?; [ $rc -eq 0 ]; do :; done
  [ $rc -eq 1 ]
  [ $n -gt 200 ]
  run -0 sophia-index verify
}

@test "stopped before all is fetched: exit 75, and the next goes on" {
  fill general 900
  sophia-backfill "$discord_channel" >/dev/null 2>"$BATS_TEST_TMPDIR/err" 3>&- &
  crawls=$!
  discord_until 'requests.GET /channels/{channel_id}/messages' 2
  kill "$crawls"
  rc=0
  wait "$crawls" || rc=$?
  [ $rc -eq 75 ]
  [[ $(cat "$BATS_TEST_TMPDIR/err") == *'stopped before all was fetched'* ]]
  discord_do '{"do":"limits","mode":"off"}'
  run -0 sophia-backfill "$discord_channel"
  [ "$(counted general)" = 902 ]
}

@test "one that stays ends when it is told to, in the middle of a crawl too" {
  fill general 2000
  sophia-tool run index_channel '{"channel":"general"}' >/dev/null 2>&1 || :
  sophia-backfill --queue --wait >"$BATS_TEST_TMPDIR/out" 3>&- &
  stays=$!
  discord_until 'requests.GET /channels/{channel_id}/messages' 2
  kill "$stays"
  run -0 timeout 10 tail --pid="$stays" -f /dev/null
}

@test "an empty page is no history: a right may have been withdrawn just then" {
  fill general 200
  empty='{"do":"rest","what":"status","status":200,"body":[],"route":"GET /channels/{channel_id}/messages","times":1}'
  discord_do "$empty"
  run -1 sophia-backfill "$discord_channel"
  [ -z "$(covered general)" ]
  [ "$(sql "SELECT forbidden FROM channel WHERE name = 'general'")" = 'Discord shows none of its messages' ]
  run -0 sophia-backfill "$discord_channel"
  [[ $(covered general) == 0-* ]]
  [ "$(counted general)" = 202 ]
}

@test "where the oldest page is full, its end is looked up twice" {
  fill general 98
  run -0 sophia-backfill "$discord_channel"
  [ "$(pages_asked)" = 4 ]
  [[ $(covered general) == 0-* ]]
  [ "$(counted general)" = 100 ]
}
