load helper
load discord

setup() {
  state_folder
  discord_start
}

teardown() {
  discord_stop
}

# request METHOD PATH [FIELDS] - a discord_request record.
request() {
  jq -cn --arg m "$1" --arg p "$2" --argjson more "${3:-{\}}" \
    '{type: "discord_request", method: $m, path: $p} + $more'
}

messages() {
  echo "/channels/$discord_channel/messages"
}

@test "a request in words prints what Discord answered" {
  run -0 --separate-stderr sophia-discord --text GET /users/@me
  [ "$(jq -r .id <<<"$output")" = "$discord_bot" ]
  [ -z "$stderr" ]
}

@test "in a pipe it is a record, which is valid" {
  sophia-discord GET /users/@me >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r '"\(.outcome) \(.status) \(.route) \(.body.id)"' "$BATS_TEST_TMPDIR/out"
  [ "$output" = "answered 200 GET /users/@me $discord_bot" ]
}

@test "each line is a request, each answer bears its id" {
  {
    request GET /users/@me '{"id": "a"}'
    request POST "$(messages)" '{"id": "b", "body": {"content": "h\u00e9"}}'
    request DELETE "$(messages)/1" '{"id": "c"}'
  } >"$BATS_TEST_TMPDIR/in"
  valid_records "$BATS_TEST_TMPDIR/in"
  run -69 --separate-stderr sophia-discord <"$BATS_TEST_TMPDIR/in"
  valid_records <<<"$output"
  run -0 jq -r '"\(.id) \(.status) \(.kind)"' <<<"$(sort <<<"$output")"
  [ "$(sort <<<"$output")" = $'a 200 null\nb 200 null\nc 404 refused' ]
  [ "$(discord_state '.sent[].content')" = hé ]
  [ "$(discord_state '.violations | length')" = 0 ]
}

@test "with --serve what fails is told in records alone" {
  run -0 --separate-stderr sophia-discord --serve < <(request DELETE "$(messages)/1"; echo junk; echo '{"type":"discord_request","id":"x","method":"GET"}')
  valid_records <<<"$output"
  [ "${#lines[@]}" -eq 3 ]
  [ "$(jq -r 'select(.id == "x").text' <<<"$output")" = "discord_request: path is missing" ]
  [ "$(jq -r 'select(.type == "error" and .id == null).kind' <<<"$output")" = input ]
  [ -z "$stderr" ]
}

@test "nothing asked: exit 1" {
  run -1 --separate-stderr sophia-discord </dev/null
  [ -z "$output$stderr" ]
}

@test "wrong usage is refused, and so is what is no path" {
  run -2 sophia-discord GET
  run -2 sophia-discord --serve GET /users/@me
  run -65 sophia-discord --text GET users/@me
  run -65 sophia-discord --text GET /users/../guilds
  run -65 sophia-discord --text FETCH /users/@me
  run -65 sophia-discord --text POST "$(messages)" '{"content":'
  # A pipe, which gets no record of it, is no reason to be silent.
  for words in 'GET users/@me' 'FETCH /users/@me' "POST $(messages) {"; do
    run -65 --separate-stderr sophia-discord $words
    [ -z "$output" ]
    [[ $stderr == 'sophia-discord: '* ]]
  done
  [ "$(discord_state '.requests | length')" = 0 ]
}

@test "a refusal names Discord's code and the deepest place that is wrong" {
  discord_unruly=1 # that it is refused is what is tried
  run -69 sophia-discord POST "$(messages)" \
    "$(jq -cn '{embeds: [{fields: [{name: "n", value: ("x" * 1025)}]}]}')"
  [[ $(jq -r .text <<<"$output") == "50035 Invalid Form Body: embeds[0].fields[0].value: "* ]]
  [ "$(jq .code <<<"$output")" = 50035 ]
}

@test "files go as a form, beside the JSON" {
  printf 'one' >"$BATS_TEST_TMPDIR/one.txt"
  printf 'two' >"$BATS_TEST_TMPDIR/two"
  run -0 sophia-discord <<<"$(request POST "$(messages)" "$(jq -cn --arg d "$BATS_TEST_TMPDIR" \
    '{body: {content: "x"}, files: [{path: "\($d)/one.txt"}, {path: "\($d)/two", name: "b.csv", content_type: "text/csv"}]}')")"
  [ "$(jq -r '.body.attachments[] | "\(.filename) \(.size) \(.content_type)"' <<<"$output")" = \
    $'one.txt 3 text/plain\nb.csv 3 text/csv' ] || { jq .body.attachments <<<"$output"; false; }
  run -65 sophia-discord <<<"$(request POST "$(messages)" '{"files": [{"path": "/nonexistent"}]}')"
  [ "$(jq -r .effect <<<"$output")" = none ]
}

@test "a burst keeps to the bucket: no 429, and all of it is done" {
  for i in $(seq 12); do request POST "$(messages)" "{\"id\": \"$i\", \"body\": {\"content\": \"$i\"}}"; done \
    >"$BATS_TEST_TMPDIR/in"
  discord_do '{"do": "limits", "routes": {"POST /channels/{channel_id}/messages": [5, 1]}}'
  run -0 sophia-discord <"$BATS_TEST_TMPDIR/in"
  [ "$(discord_state '[.sent[].content] | join(" ")')" = "1 2 3 4 5 6 7 8 9 10 11 12" ]
  [ "$(discord_state '.limited | add // 0')" = 0 ]
}

@test "programs share one budget" {
  discord_do '{"do": "limits", "routes": {"GET /channels/{channel_id}/messages": [5, 1]}}'
  for p in 1 2 3 4; do
    for i in $(seq 5); do request GET "$(messages)"; done | sophia-discord >"$BATS_TEST_TMPDIR/$p" &
  done
  wait $(jobs -p | grep -vx "$discord_pid")
  [ "$(cat "$BATS_TEST_TMPDIR"/[1-4] | jq -s 'map(.status) | unique | join(" ")' -r)" = 200 ] ||
    { cat "$BATS_TEST_TMPDIR"/[1-4]; false; }
  [ "$(discord_state '.limited | add // 0')" = 0 ]
}

@test "a 429 is waited out, of whichever scope" {
  for scope in user shared global; do
    discord_do "{\"do\": \"rest\", \"what\": \"limited\", \"scope\": \"$scope\", \"retry_after\": 1}"
    run -0 sophia-discord POST "$(messages)" "{\"content\": \"$scope\"}"
    [ "$(jq '.waited_ms >= 1000' <<<"$output")" = true ]
  done
  [ "$(discord_state '[.sent[].content] | join(" ")')" = "user shared global" ]
}

@test "a proxy's 429 keeps every program back, and --timeout gives up unsent" {
  discord_do '{"do": "rest", "what": "html429", "retry_after": 1}'
  run -75 --separate-stderr sophia-discord -t 1 GET /users/@me
  [ "$(jq -r .outcome <<<"$output")" = unsent ]
  run -75 --separate-stderr sophia-discord -t 1 --text GET "$(messages)"
  [ "$stderr" = "sophia-discord: a proxy before Discord refuses this address for now" ] || { echo "$stderr$output"; false; }
}

@test "a program that stands still with the limits in its hands keeps nobody for ever" {
  sophia-discord GET /users/@me >/dev/null
  run -75 --separate-stderr flock "$SOPHIA_HOME/run/limits" sophia-discord -t 1 --text GET /users/@me
  [ "$stderr" = "sophia-discord: it was not its turn in time: Discord's rate limits" ]
}

@test "what a server broke is done again where that is safe" {
  discord_do '{"do": "rest", "what": "status", "status": 502, "times": 2}'
  run -0 sophia-discord GET /users/@me
  discord_do '{"do": "rest", "what": "reset"}'
  run -0 sophia-discord GET /users/@me
  discord_do '{"do": "rest", "what": "lost"}'
  run -0 sophia-discord <<<"$(request POST "$(messages)" '{"repeatable": true,
    "body": {"content": "x", "nonce": "n1", "enforce_nonce": true}}')"
  [ "$(jq .doubtful <<<"$output")" = true ]
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "a page that something else answers with is not taken for Discord's" {
  discord_do '{"do": "rest", "what": "garbage", "times": 2}'
  run -0 sophia-discord GET /users/@me
  [ "$(jq -r .body.id <<<"$output")" = "$discord_bot" ]
  discord_do '{"do": "rest", "what": "garbage"}'
  run -76 sophia-discord POST "$(messages)" '{"content": "x"}'
  discord_do '{"do": "rest", "what": "garbage", "times": 99}'
  run -75 --separate-stderr sophia-discord --text GET /users/@me
  [ "$stderr" = 'sophia-discord: what answers is not Discord' ]
}

@test "a POST that may be done is not done again, and not known" {
  discord_do '{"do": "rest", "what": "lost"}'
  run -76 sophia-discord POST "$(messages)" '{"content": "x"}'
  [ "$(jq -r '"\(.outcome) \(.kind)"' <<<"$output")" = "unknown unknown" ]
  discord_do '{"do": "rest", "what": "status", "status": 500}'
  run -76 sophia-discord POST "$(messages)" '{"content": "y"}'
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "where nobody listens nothing was sent" {
  run -75 env SOPHIA_DISCORD_API=http://127.0.0.1:1/api sophia-discord -t 1 POST "$(messages)" '{"content": "x"}'
  [ "$(jq -r .outcome <<<"$output")" = unsent ]
}

@test "a refused token stops every program, says what to do, and is not shown" {
  run -78 --separate-stderr env DISCORD_TOKEN=wrong.to.ken sophia-discord --text GET /users/@me
  [[ $stderr == "sophia-discord: Discord refuses the token (HTTP 401): make a new one"* ]]
  run -78 --separate-stderr env DISCORD_TOKEN=wrong.to.ken sophia-discord GET "$(messages)"
  [ "$(jq -r .outcome <<<"$output")" = unsent ]
  [[ $output$stderr != *wrong.to.ken* ]]
  [ "$(discord_state .invalid)" = 1 ] || discord_state .invalid
  ! grep -q wrong.to.ken "$SOPHIA_HOME/run/limits"
  run -0 sophia-discord GET /users/@me
}

@test "without a token, or with a bad one or address, nothing is sent" {
  run -78 --separate-stderr env -u DISCORD_TOKEN sophia-discord GET /users/@me
  [[ $stderr == *"there is no DISCORD_TOKEN"* ]]
  run -78 --separate-stderr env DISCORD_TOKEN='Bot x' sophia-discord GET /users/@me
  [[ $stderr == *'without "Bot" before it'* ]]
  run -78 env SOPHIA_DISCORD_API=http://example.org/api sophia-discord GET /users/@me
  run -78 env SOPHIA_DISCORD_API=http://127.0.0.1.example.org/api sophia-discord GET /users/@me
  run -78 env SOPHIA_DISCORD_API=http://localhost@example.org/api sophia-discord GET /users/@me
  run -78 env SOPHIA_DISCORD_API=ftp://127.0.0.1/api sophia-discord GET /users/@me
}

@test "the token doesn't go where the path has one" {
  run -69 sophia-discord POST /webhooks/1/abc '{"content": "x"}'
  [ "$(discord_log 'map(select(.what == "violation")) | length')" = 0 ]
}

@test "stopped by a signal, it tells of what it didn't send" {
  mkfifo "$BATS_TEST_TMPDIR/to"
  discord_do '{"do": "rest", "what": "html429", "retry_after": 1}'
  sophia-discord --serve <"$BATS_TEST_TMPDIR/to" >"$BATS_TEST_TMPDIR/out" 3>&- &
  program=$!
  exec 8>"$BATS_TEST_TMPDIR/to"
  request GET /users/@me '{"id": "a"}' >&8
  discord_until limited.edge
  kill -TERM "$program"
  wait "$program"
  exec 8>&-
  [ "$(jq -r '"\(.id) \(.outcome)"' "$BATS_TEST_TMPDIR/out")" = "a unsent" ]
}

@test "over TLS it trusts the certificates of SSL_CERT_FILE, and no others" {
  discord_stop
  openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -addext 'subjectAltName=IP:127.0.0.1' \
    -keyout "$BATS_TEST_TMPDIR/key" -out "$BATS_TEST_TMPDIR/cert" 2>/dev/null
  discord_start --tls "$BATS_TEST_TMPDIR/cert" "$BATS_TEST_TMPDIR/key"
  [[ $SOPHIA_DISCORD_API == https://* ]]
  run -0 env SSL_CERT_FILE="$BATS_TEST_TMPDIR/cert" sophia-discord GET /users/@me
  run -78 --separate-stderr env -u SSL_CERT_FILE sophia-discord POST "$(messages)" '{"content": "x"}'
  [ "$(jq -r .outcome <<<"$output")" = unsent ]
}

@test "a record with too many files, or a wrong time, is refused" {
  run -65 sophia-discord <<<"$(request POST "$(messages)" "$(jq -cn '{files: [range(11) | {path: "/etc/hostname"}]}')")"
  valid_records <<<"$output"
  run -65 sophia-discord <<<"$(request GET /users/@me '{"timeout_ms": -1}')"
}
