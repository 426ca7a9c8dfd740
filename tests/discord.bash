# discord.bash - for suites that need a Discord: peers/discord, on 127.0.0.1.
# peers/discord/control.py says what it can be made to do.

# discord_start [OPTION...] - in setup, or in setup_file for a whole suite. It
# ends when the test, or the suite, does. Sets SOPHIA_DISCORD_API, DISCORD_TOKEN
# and $discord_control, $discord_gateway, $discord_guild, $discord_channel,
# $discord_bot (also the application's id) and $discord_pid.
discord_start() {
  local pipe=${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}/discord line
  rm -f "$pipe.in" "$pipe.out"
  mkfifo "$pipe.in" "$pipe.out"
  /usr/bin/python3 "$BATS_TEST_DIRNAME/peers/discord" "$@" <"$pipe.in" \
    >"$pipe.out" 3>&- 7>&- &
  discord_pid=$!
  exec 6>"$pipe.in"
  read -r line <"$pipe.out"
  export discord_pid
  eval "export $(jq -r '@sh "SOPHIA_DISCORD_API=\(.api) DISCORD_TOKEN=\(.token)
    discord_control=\(.control) discord_gateway=\(.gateway) discord_bot=\(.bot)
    discord_guild=\(.guild) discord_channel=\(.channel)"' <<<"$line" | xargs -0)"
}

# discord_stop - in teardown, or in teardown_file. Fails where discord_clean does,
# unless $discord_unruly says that the test itself plays against the rules.
discord_stop() {
  local rc=0
  if kill -0 "$discord_pid" 2>/dev/null; then
    [ -n "${discord_unruly:-}" ] || discord_clean || rc=1
    kill "$discord_pid"
  fi
  return $rc
}

# discord_do JSON - what the test wants to happen; prints what came of it, and
# fails with the reason if it could not.
discord_do() {
  curl -ksS --fail-with-body --max-time 60 -d "$1" "$discord_control"
}

# discord_state [JQ] - what happened: counters, messages sent, violations.
discord_state() {
  curl -ksS --max-time 10 "$discord_control/state" | jq -r "${1:-.}"
}

# discord_log [JQ] - the same, one thing after the other.
discord_log() {
  curl -ksS --max-time 10 "$discord_control/log" | jq -r "${1:-.}"
}

# discord_until WHAT [MIN] - wait until a number of the state is that high, or
# a list that long.
discord_until() {
  discord_do "{\"do\":\"wait\",\"what\":\"$1\",\"min\":${2:-1},
    \"timeout_s\":${patience:-10}}" >/dev/null
}

# discord_rest METHOD PATH [BODY] - a request of a client that knows no limits;
# $status is its HTTP status (000: there was no answer), $output the body.
discord_rest() {
  local answer
  answer=$(curl -sS --max-time 10 -X "$1" -w '\n%{http_code}' \
    -H "Authorization: Bot $DISCORD_TOKEN" -H 'Content-Type: application/json' \
    -A 'DiscordBot (https://example.invalid, 1)' ${3:+-d "$3"} \
    "$SOPHIA_DISCORD_API$2" 2>/dev/null) || true
  status=${answer##*$'\n'} output=${answer%$'\n'*}
}

# discord_clean - fail, and tell why, if a client did what the documentation of
# Discord forbids, or sent what its OpenAPI file doesn't allow.
discord_clean() {
  local wrong
  wrong=$(discord_state '(.violations[] | tostring),
    (.count.bad_user_agent // empty | "\(.) requests with a bad User-Agent"),
    (.problems.requests[] | "\(.route): \(.wrong | join("; "))")') || return
  [ -z "$wrong" ] || { echo "$wrong" && false; }
}
