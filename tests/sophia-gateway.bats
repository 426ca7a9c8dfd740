load helper
load discord

# A session with the fake Discord, which counts whatever is against its rules:
# no test may leave a violation behind.

setup() {
  state_folder
  discord_start
  out=$BATS_TEST_TMPDIR/out err=$BATS_TEST_TMPDIR/err pid=
}

teardown() {
  [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
  discord_stop
}

# gateway [OPTION...] - start one; $pid is its process.
gateway() {
  sophia-gateway "$@" >"$out" 2>"$err" 3>&- 6>&- &
  pid=$!
}

# within S COMMAND... - wait until it is true.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS <= end)) || { echo "never: $*"; cat "$err"; return 1; }
    sleep 0.03
  done
}

# status JQ - what run/gateway.json says.
status() { jq -r "$1" "$SOPHIA_HOME/run/gateway.json" 2>/dev/null; }
is() { [ "$(status "$1")" = "$2" ]; }
up() { within 15 is .state up; }
# resumed N, identified N - and up again, after so many.
resumed() { within 20 is '[.state, .resumed] | tostring' "[\"up\",$1]"; }
identified() { within 20 is '[.state, .identified] | tostring' "[\"up\",$1]"; }

# ended CODE - it ends by itself, with that.
ended() {
  local code=0
  wait "$pid" || code=$?
  pid=
  [ "$code" = "$1" ] || { echo "exit $code"; cat "$err"; return 1; }
}
stop() {
  kill -TERM "$pid"
  ended 0
}

say() { discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"general\",\"text\":\"$1\"}" >/dev/null; }
# texts - what was written, of what is in the spool.
texts() { sophia-spool read 2>/dev/null | jq -r 'select(.name == "MESSAGE_CREATE").data.content' | xargs; }
heard() { [ "$(texts)" = "$1" ]; }
lawful() { [ "$(discord_state '.violations | length')" = 0 ] || { discord_state .violations; return 1; }; }

@test "alone it prints events as they came, and ends its session" {
  gateway
  up
  say 'hello there'
  within 10 grep -q 'hello there' "$out"
  stop
  valid_records "$out"
  run -0 jq -r .name "$out"
  [ "${lines[0]} ${lines[1]} ${lines[2]}" = 'READY GUILD_CREATE MESSAGE_CREATE' ]
  [ "$(jq -s 'map(.sequence) == [range(1; length + 1)]' "$out")" = true ]
  [ "$(cat "$err")" = 'sophia-gateway: up 0 s as sophia, 1 guild, 1 event' ]
  [ "$(discord_state '.closes["client.1000"]')" = 1 ]
  lawful
}

@test "one that listens beside the one that spools doesn't speak for it" {
  discord_unruly=1 # two connections of one shard are what is tried
  gateway --spool
  up
  sophia-gateway >"$BATS_TEST_TMPDIR/beside" 2>/dev/null 3>&- 6>&- &
  beside=$!
  within 15 grep -q GUILD_CREATE "$BATS_TEST_TMPDIR/beside"
  kill -TERM "$beside"
  wait "$beside"
  is .pid "$pid"
  is .state up
  stop
  is .state ended
}

@test "with --spool a stop leaves a session, and the next one misses nothing" {
  gateway --spool
  up
  say one
  within 10 heard one
  stop
  valid_records "$out"
  [ "$(jq -r '[.state, .events] | @csv' "$out" | tail -1)" = '"ended",3' ]
  [ "$(discord_state '.closes["client.4000"]')" = 1 ]
  say two
  gateway --spool
  resumed 1
  say three
  within 10 heard 'one two three'
  stop
  [ "$(discord_state '[.count.identifies, .count.resumes] | @csv')" = 1,1 ]
  [ "$(discord_state '.requests["GET /gateway/bot"]')" = 1 ]
  lawful
}

@test "killed at once, the next one resumes from what was synced" {
  gateway --spool
  up
  for i in 1 2 3 4 5; do say "$i"; done
  within 10 heard '1 2 3 4 5'
  kill -KILL "$pid"
  wait "$pid" || true
  say 6
  gateway --spool
  resumed 1
  within 10 heard '1 2 3 4 5 6'
  lawful
}

@test "a session that is too old, or failed too often, is not resumed" {
  gateway --spool
  up
  stop
  for change in '.at = "2026-01-01T00:00:00.000Z"' '.failed = 5'; do
    jq -c "$change" "$SOPHIA_HOME/run/gateway.json" >"$BATS_TEST_TMPDIR/new"
    mv "$BATS_TEST_TMPDIR/new" "$SOPHIA_HOME/run/gateway.json"
    discord_do '{"do":"time","advance_s":10}' >/dev/null
    gateway --spool
    identified 1
    stop
  done
  [ "$(discord_state '[.count.identifies, .count.resumes // 0] | @csv')" = 3,0 ]
}

@test "a lost connection is resumed, however it was lost" {
  gateway --spool
  up
  n=0
  for loss in '"do":"drop"' '"do":"drop","reset":true' '"do":"op7"' '"do":"op9","resumable":true'; do
    discord_do "{$loss}" >/dev/null
    resumed $((n += 1))
    say "$n"
  done
  within 10 heard '1 2 3 4'
  [ "$(discord_state .count.identifies)" = 1 ]
  lawful
}

@test "a close without a meaning for the session is resumed" {
  gateway --spool
  up
  n=0
  for code in 4000 4001 4008; do
    discord_do "{\"do\":\"close\",\"code\":$code}" >/dev/null
    resumed $((n += 1))
    say "$n"
  done
  within 10 heard '1 2 3'
  [ "$(discord_state .count.identifies)" = 1 ]
  lawful
}

@test "what is lost after a resume began is resumed again" {
  gateway --spool
  up
  for fault in '"do":"drop","on":"connect"' '"do":"drop","on":"hello"' '"do":"drop","on":"resume"'; do
    discord_do "{$fault}" >/dev/null
  done
  discord_do '{"do":"drop"}' >/dev/null
  resumed 1
  [ "$(discord_state .count.identifies)" = 1 ]
  is .failed 0
  lawful
}

@test "a session that Discord calls invalid is begun anew, 1 to 5 s later" {
  gateway --spool
  up
  say one
  within 10 heard one
  discord_do '{"do":"op9","resumable":false}' >/dev/null
  identified 2
  say two
  within 10 heard 'one two'
  lawful
}

@test "codes that end a session begin another" {
  discord_do '{"do":"starts","concurrency":1000}' >/dev/null
  gateway --spool
  up
  discord_do '{"do":"close","code":4009}' >/dev/null
  identified 2
  discord_do '{"do":"close","code":4007}' >/dev/null
  identified 3
  lawful
}

@test "a fatal code ends it with what to do" {
  while read -r code text; do
    discord_do '{"do":"clear","books":true}' >/dev/null
    discord_do "{\"do\":\"close\",\"code\":$code,\"on\":\"identify\"}" >/dev/null
    gateway
    ended 78
    [ "$(tail -1 "$err")" = "sophia-gateway: $text (close code $code)" ]
    [ "$(discord_state '.count["gateway.connections"]')" = 1 ]
  done <<'CODES'
4004 Discord does not accept the token: put the one of https://discord.com/developers/applications, your application, Bot, into DISCORD_TOKEN
4010 Discord knows no such shard: correct --shard N/M, N counts from 0 to M-1
4011 the bot is in too many guilds for one session: run one gateway for each of M shards, with --shard N/M
4012 Discord no longer speaks version 10 of its gateway: a newer Sophia is needed
4013 Discord knows no such intents: GUILDS, GUILD_MEMBERS, GUILD_MESSAGES, GUILD_MESSAGE_REACTIONS, DIRECT_MESSAGES, DIRECT_MESSAGE_REACTIONS, MESSAGE_CONTENT, GUILD_MESSAGE_POLLS, DIRECT_MESSAGE_POLLS; correct --intents
4014 Discord does not allow the bot an intent: switch on Server Members Intent and Message Content Intent at https://discord.com/developers/applications, your application, Bot, Privileged Gateway Intents, or leave it out with --intents
CODES
}

@test "a privileged intent that is off is found before it connects" {
  discord_do '{"do":"portal","intents":["GUILD_MEMBERS"]}' >/dev/null
  gateway
  ended 78
  [ "$(cat "$err")" = 'sophia-gateway: the bot is not allowed what it needs: switch on Message Content Intent at https://discord.com/developers/applications, your application, Bot, Privileged Gateway Intents, or leave it out with --intents' ]
  [ "$(discord_state '.count["gateway.connections"] // 0')" = 0 ]
  gateway --intents GUILDS,GUILD_MESSAGES
  up
  [ "$(discord_state '.sessions[0].intents')" = 513 ]
  lawful
}

@test "members are asked for where the application has that intent, not else" {
  discord_do '{"do":"portal","intents":["MESSAGE_CONTENT"]}' >/dev/null
  gateway
  up
  [ "$(discord_state '.sessions[0].intents')" = 50378241 ]
  lawful
}

@test "a refused token is said before it connects" {
  discord_do '{"do":"token"}' >/dev/null
  gateway
  ended 78
  [[ $(cat "$err") == *DISCORD_TOKEN* ]]
  [ "$(discord_state '.count["gateway.connections"] // 0')" = 0 ]
}

@test "no token, no session" {
  run -78 --separate-stderr env -u DISCORD_TOKEN sophia-gateway
  [[ $stderr == *DISCORD_TOKEN* ]]
}

@test "heartbeats are sent, and a connection without an ACK is given up" {
  discord_do '{"do":"heartbeat","interval_ms":500}' >/dev/null
  gateway --spool
  up
  discord_until count.heartbeats 3
  discord_do '{"do":"no_ack","times":2}' >/dev/null
  resumed 1
  is '.latency_ms != null' true
  discord_do '{"do":"half_open"}' >/dev/null
  resumed 2
  say after
  within 10 heard after
  [ "$(discord_state .count.identifies)" = 1 ]
  lawful
}

@test "op 1 is answered at once" {
  gateway --spool
  up
  discord_do '{"do":"op1"}' >/dev/null
  discord_until count.heartbeats 1
  lawful
}

@test "HELLO may take its time; guilds may never come" {
  discord_do '{"do":"hello_delay","seconds":0.3}' >/dev/null
  discord_do '{"do":"no_guild_create"}' >/dev/null
  gateway --spool
  up
  say one
  within 10 heard one
  lawful
}

@test "what nobody knows is handed on, or passed over" {
  gateway --spool
  up
  discord_do '{"do":"unknown"}' >/dev/null
  say one
  within 10 heard one
  [ "$(sophia-spool read | jq -r .name | grep -c NEWEST_THING_CREATE)" = 1 ]
  is .state up
}

@test "a resume that replays twice, or nothing, is one all the same" {
  gateway --spool
  up
  say one
  within 10 heard one
  for how in replay_twice replay_some replay_none; do
    discord_do "{\"do\":\"$how\"}" >/dev/null
    discord_do '{"do":"drop"}' >/dev/null
    resumed $((++n))
  done
  say last
  within 10 eval '[[ $(texts) == *last ]]'
  lawful
}

@test "compressed payloads may be cut anywhere, and none need be compressed" {
  discord_do '{"do":"split","bytes":1}' >/dev/null
  gateway --spool
  up
  say one
  within 10 heard one
  stop
  discord_do '{"do":"time","advance_s":10}' >/dev/null
  rm -r "$SOPHIA_HOME"/{spool,run}
  gateway --spool --no-zlib
  up
  say two
  within 10 heard two
  lawful
}

@test "a reader of stdout that reads nothing never holds up a heartbeat" {
  discord_do '{"do":"heartbeat","interval_ms":600}' >/dev/null
  mkfifo "$BATS_TEST_TMPDIR/pipe"
  exec 5<>"$BATS_TEST_TMPDIR/pipe"
  sophia-gateway >"$BATS_TEST_TMPDIR/pipe" 2>"$err" 3>&- 5>&- 6>&- &
  pid=$!
  up
  big=$(head -c 1900 /dev/zero | tr '\0' x)
  discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"general\",\"text\":\"$big\",\"count\":300}" >/dev/null
  before=$(discord_state .count.heartbeats)
  discord_until count.heartbeats $((before + 3))
  is .resumed 0
  timeout 10 grep -c -m 302 '"type":"event"' <"$BATS_TEST_TMPDIR/pipe"
  lawful
}

@test "nobody reads any more: it ends quietly" {
  sophia-gateway 2>"$err" 3>&- 6>&- | head -1 >"$out"
  [ ! -s "$err" ] || [[ $(cat "$err") == 'sophia-gateway: up '* ]]
  [ "$(jq -r .name "$out")" = READY ]
}

@test "no room for an event: the connection closes, and goes on when there is" {
  (
    trap '' XFSZ
    ulimit -S -f 120
    exec sophia-gateway --spool >"$out" 2>"$err" 3>&- 6>&-
  ) &
  pid=$!
  up
  big=$(head -c 1900 /dev/zero | tr '\0' x)
  discord_do "{\"do\":\"say\",\"user\":\"ada\",\"channel\":\"general\",\"text\":\"$big\",\"count\":60}" >/dev/null
  within 10 is .state held
  [[ $(status .reason) == *'File too large; it goes on when 64 MiB are free' ]]
  say last
  prlimit --pid "$pid" --fsize=unlimited
  resumed 1
  within 10 eval '[[ $(texts) == *" last" ]]'
  [ "$(texts | wc -w)" = 61 ]
  [ "$(discord_state .count.identifies)" = 1 ]
  lawful
}

@test "two cannot have one spool, and the second doesn't log in" {
  gateway --spool
  up
  run -75 --separate-stderr sophia-gateway --spool
  [[ $stderr == *'sophia-gateway: '* ]]
  [ "$(discord_state .count.identifies)" = 1 ]
}

@test "a shard is one of many, with a spool and a status of its own" {
  discord_do '{"do":"starts","shards":2,"concurrency":2}' >/dev/null
  gateway --spool --shard 1/2
  within 10 test -s "$SOPHIA_HOME/run/gateway.1.json"
  within 10 eval '[ "$(jq -r .state "$SOPHIA_HOME/run/gateway.1.json")" = up ]'
  [ "$(discord_state '.sessions[0].shard | @csv')" = 1,2 ]
  [ -d "$SOPHIA_HOME/spool/1" ]
  run -2 sophia-gateway --shard 2/2
  run -2 sophia-gateway --shard x
  lawful
}

@test "what was recorded is replayed as it was" {
  gateway --record "$BATS_TEST_TMPDIR/recording"
  up
  say one
  within 10 grep -q '"content":"one"' "$out"
  stop
  [ "$(stat -c %a "$BATS_TEST_TMPDIR/recording")" = 600 ]
  ! grep -q "$DISCORD_TOKEN" "$BATS_TEST_TMPDIR/recording"
  sophia-gateway --replay "$BATS_TEST_TMPDIR/recording" >"$BATS_TEST_TMPDIR/again"
  diff <(jq -c 'del(.at)' "$out") <(jq -c 'del(.at)' "$BATS_TEST_TMPDIR/again")
  sophia-gateway --spool --replay - <"$BATS_TEST_TMPDIR/recording"
  heard one
}

@test "a line of a recording that is none is named, the rest is replayed" {
  run -65 --separate-stderr sophia-gateway --replay - <<'LINES'
{"op":0,"t":"A","s":1,"d":{"x":1}}
{"op":0,"t":"A"
{"op":11}
{"op":0,"t":"B","s":2,"d":[]}
LINES
  [ "$(jq -r .name <<<"$output" | xargs)" = 'A B' ]
  [[ $stderr == *'line 2: a bad payload, byte 15: '* ]]
}

@test "TLS is verified against the store, and names must match" {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
    -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
    -keyout "$BATS_TEST_TMPDIR/key" -out "$BATS_TEST_TMPDIR/cert" 2>/dev/null
  discord_stop
  discord_start --tls "$BATS_TEST_TMPDIR/cert" "$BATS_TEST_TMPDIR/key"
  [[ $SOPHIA_DISCORD_API == https:* ]]
  gateway --spool
  ended 78
  [[ $(cat "$err") == *'certificate'* ]]
  SSL_CERT_FILE=$BATS_TEST_TMPDIR/cert gateway --spool
  up
  stop
  gateway --spool # resumes at once: the socket itself does not trust it
  within 40 is '[.state, .reason] | tostring' '["waiting","it could not connect: TLS: self-signed certificate"]'
  kill -KILL "$pid"
  [ "$(curl -sSk "$discord_control/state" | jq '.count["gateway.connections"]')" = 1 ]
  SSL_CERT_FILE=$BATS_TEST_TMPDIR/cert gateway --spool
  resumed 1
  stop
}

@test "the token is shown nowhere" {
  gateway --spool --record "$BATS_TEST_TMPDIR/recording"
  up
  ! tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q "$DISCORD_TOKEN"
  stop
  ! grep -rqF "$DISCORD_TOKEN" "$SOPHIA_HOME" "$out" "$err" "$BATS_TEST_TMPDIR/recording"
}

@test "wrong usage is 2, and says so" {
  run -2 --separate-stderr sophia-gateway --intents TEA
  [[ $stderr == *'--intents: TEA is no intent'* ]]
  run -2 sophia-gateway --replay a --record b
  run -2 sophia-gateway surplus
}
