load helper
load discord
load deliver

# A delivery of three messages is killed at every kind of moment: as it enters
# the n-th system call of a kind, for every n there is; then another one goes
# on. Whatever happened, each message is there once, and in order.

setup() {
  state_folder
  discord_start
  discord_do '{"do":"limits","mode":"off"}'
  outbox_open
  points=0 reads=0
  parts=$(seq -f 'Line %g of the answer, and some more.' 150)
}

teardown() { outbox_close; }

# killed_at CALL N - 1 when the delivery has no N-th such system call. What the
# function "meanwhile" does happens before the next one goes on.
killed_at() {
  discord_do '{"do":"clear","books":true}'
  owe "$(an_answer "$parts")"
  ASAN_OPTIONS=detect_leaks=0 strace -o /dev/null -e trace="$1" \
    -e "inject=$1:signal=KILL:when=$2" sophia-converse --deliver 2>/dev/null &&
    return 1
  points=$((points + 1))
  meanwhile
  sophia-converse --deliver
  whole "$1 $2"
}

whole() {
  local got
  reads=$((reads + $(discord_state \
    '.requests["GET /channels/{channel_id}/messages"] // 0')))
  got=$(discord_state '.sent | map(select(.deleted | not) | .content)
    | join("\n")')
  [ "$got" = "$parts" ] || { echo "$1: $got"; return 2; }
  got="$(became "$owed") $(sql "SELECT group_concat(DISTINCT state) || count(*)
    || count(DISTINCT message) FROM delivery WHERE outbox = $owed")"
  [ "$got" = 'delivered delivered33' ] || { echo "$1: $got"; return 2; }
}

# sweep CALL - kill at each such call.
sweep() {
  local n=1
  while killed_at "$1" "$n"; do n=$((n + 1)); done
}

@test "killed as it asks Discord, and as it reads what it says" {
  meanwhile() { :; }
  sweep sendto
  [ "$points" -ge 4 ]
  sweep recvfrom
  [ "$points" -ge 8 ]
}

@test "killed at each sync of the disk, and within its commits" {
  meanwhile() { :; }
  sweep fdatasync
  [ "$points" -ge 8 ]
  for n in 2 9 16 23 30 37 44 51; do
    killed_at pwrite64 $n || break
  done
  [ "$points" -ge 12 ]
}

# Ten minutes go by: Discord has forgotten the nonces.
ten_minutes() {
  discord_do '{"do":"time","advance_s":600}' >/dev/null
  sql 'UPDATE delivery SET first_ms = first_ms - 600000'
}

@test "killed so long ago that its nonces are forgotten, the same" {
  meanwhile() { ten_minutes; }
  sweep sendto
  [ "$points" -ge 4 ]
  sweep fdatasync
  [ "$points" -ge 10 ]
  [ "$reads" -ge 3 ]
}

# any LIST... - one of them, by the seed.
any() {
  local n=$((RANDOM % $# + 1))
  picked=${!n}
}

# killed_after SECONDS - deliver, but no longer than that; 1 if it was killed.
killed_after() {
  local pid
  sophia-converse --deliver 2>/dev/null 3>&- &
  pid=$!
  read -rt "$1" <> <(:) || :
  kill -KILL $pid 2>/dev/null || :
  wait $pid 2>/dev/null
}

@test "in any weather, killed at any time, each outcome is there once, in order" {
  RANDOM=${SOPHIA_SEED:-2026}
  other=1200000000000000403
  discord_do '{"do":"say","user":"ada","channel":"random","text":"Hello."}' >/dev/null
  for n in {1..30}; do
    any "$discord_channel" "$other"
    text=$(seq -f "Outcome $n, line %g of what there is to say." $((RANDOM % 120 + 1)))
    owe "$(an_answer "$text")" channel="$picked"
    printf '%s\n' "$text" >>"$BATS_TEST_TMPDIR/$picked"
    any lost reset cut status garbage html429 limited slow
    what=$picked
    any 500 502 503
    discord_do "{\"do\":\"rest\",\"what\":\"$what\",\"status\":$picked,
      \"retry_after\":0.1,\"seconds\":0.1,\"times\":2,\"after\":$((RANDOM % 4)),
      \"route\":\"/messages\"}" >/dev/null
    any .1 .2 .3 .5 .8
    killed_after "$picked" || rm -f "$SOPHIA_HOME"/run/limits # a minute goes by
    [ $((n % 10)) -ne 0 ] || ten_minutes
  done
  discord_do '{"do":"clear"}'
  for n in {1..5}; do
    ! sophia-converse --deliver || break
  done
  run -0 sql "SELECT DISTINCT state FROM outbox UNION SELECT state FROM delivery"
  [ "$output" = delivered ]
  for channel in "$discord_channel" "$other"; do
    discord_state ".sent[] | select(.channel == \"$channel\").content" |
      diff - "$BATS_TEST_TMPDIR/$channel"
  done
}
