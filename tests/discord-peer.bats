load helper
load discord

# The Discord that the other suites trust: does it behave as the real one is
# documented to? Here with curl, and a small client for the gateway.

setup() {
  state_folder
  discord_start
  general=$discord_channel discord_unruly=1
}
teardown() { discord_stop; }

# of CODE - the request was refused with that code.
of() { [ "$(jq .code <<<"$output")" = "$1" ]; }

@test "a request without the token is 401, and counts as invalid" {
  run -0 curl -sS -o /dev/null -w '%{http_code}' "$SOPHIA_DISCORD_API/users/@me"
  [ "$output" = 401 ]
  [ "$(discord_state .count.invalid_requests)" = 1 ]
  discord_rest GET /users/@me
  [ "$status" = 200 ]
  [ "$(jq -r .username <<<"$output")" = sophia ]
}

@test "what is not there is 404, what is not allowed 403" {
  discord_rest GET /nothing
  [ "$status" = 404 ] && of 0
  discord_rest GET /channels/1
  [ "$status" = 404 ] && of 10003
  discord_rest GET /channels/1200000000000000404/messages
  [ "$status" = 403 ] && of 50001
  discord_rest DELETE /gateway
  [ "$status" = 405 ]
}

@test "history comes newest first, in pages that exclude their bounds" {
  discord_do '{"do":"fill","channel":"general","count":250}'
  discord_rest GET "/channels/$general/messages?limit=100"
  [ "$(jq length <<<"$output")" = 100 ]
  last=$(jq -r '.[-1].id' <<<"$output")
  [ "$(jq 'map(.id | tonumber) | . == (sort | reverse)' <<<"$output")" = true ]
  discord_rest GET "/channels/$general/messages?limit=100&before=$last"
  [ "$(jq --arg l "$last" 'map(.id) | index($l)' <<<"$output")" = null ]
  [ "$(jq length <<<"$output")" = 100 ]
  discord_rest GET "/channels/$general/messages?limit=2&after=$last"
  [ "$(jq length <<<"$output")" = 2 ]
  discord_rest GET "/channels/$general/messages?limit=5&around=$last"
  [ "$(jq --arg l "$last" 'map(.id) | index($l)' <<<"$output")" = 2 ]
  discord_rest GET "/channels/$general/messages?limit=101"
  [ "$status" = 400 ] && of 50035
}

@test "a nonce that is enforced makes one message, for a while" {
  body='{"content":"hello","nonce":"abc","enforce_nonce":true}'
  discord_rest POST "/channels/$general/messages" "$body"
  first=$(jq -r .id <<<"$output")
  discord_rest POST "/channels/$general/messages" "$body"
  [ "$(jq -r .id <<<"$output")" = "$first" ]
  discord_do '{"do":"time","advance_s":301}'
  discord_rest POST "/channels/$general/messages" "$body"
  [ "$(jq -r .id <<<"$output")" != "$first" ]
  [ "$(discord_state '.sent | length')" = 2 ]
  [ "$(discord_state '.sent[0].repeats')" = 1 ]
  [ "$(discord_state '.doubled[0]')" = abc ]
}

@test "bodies are held to the limits, and the faults are named" {
  long=$(printf 'x%.0s' {1..2001})
  discord_rest POST "/channels/$general/messages" "{\"content\":\"$long\"}"
  [ "$status" = 400 ] && of 50035
  [ "$(jq -r '.errors.content._errors[0].code' <<<"$output")" = BASE_TYPE_MAX_LENGTH ]
  discord_rest POST "/channels/$general/messages" '{}'
  [ "$status" = 400 ] && of 50006
  discord_rest POST "/channels/$general/messages" '{"content"'
  [ "$status" = 400 ] && of 50109
  discord_rest POST "/channels/$general/messages" '{"content":"x","flags":32768,
    "components":[{"type":10,"content":"y"}]}'
  [ "$status" = 400 ] && of 50035
}

@test "only own messages can be edited, and others deleted with permission" {
  id=$(discord_do '{"do":"say","user":"ada","channel":"general","text":"hi"}' | jq -r .id)
  discord_rest PATCH "/channels/$general/messages/$id" '{"content":"no"}'
  [ "$status" = 403 ] && of 50005
  discord_rest DELETE "/channels/$general/messages/$id"
  [ "$status" = 403 ] && of 50013
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL","MANAGE_MESSAGES"]}'
  discord_rest DELETE "/channels/$general/messages/$id"
  [ "$status" = 204 ]
}

@test "a bucket that is used up answers 429 until its window ends" {
  for _ in 1 2 3 4 5; do
    discord_rest POST "/channels/$general/messages" '{"content":"x"}'
    [ "$status" = 200 ]
  done
  discord_rest POST "/channels/$general/messages" '{"content":"x"}'
  [ "$status" = 429 ]
  [ "$(jq .global <<<"$output")" = false ]
  [ "$(discord_state .limited.user)" = 1 ]
  discord_rest POST /channels/1200000000000000403/messages '{"content":"x"}'
  [ "$status" = 200 ] # another channel is another bucket
  discord_do '{"do":"time","advance_s":6}'
  discord_rest POST "/channels/$general/messages" '{"content":"x"}'
  [ "$status" = 200 ]
}

@test "limits can be switched off" {
  discord_do '{"do":"limits","mode":"off"}'
  for _ in 1 2 3 4 5 6 7 8; do
    discord_rest POST "/channels/$general/messages" '{"content":"x"}'
    [ "$status" = 200 ]
  done
}

@test "an answer that is lost was done, a request that is reset was not" {
  discord_do '{"do":"rest","what":"lost","route":"POST /channels"}'
  discord_rest POST "/channels/$general/messages" '{"content":"one"}'
  [ "$status" = 000 ]
  discord_do '{"do":"rest","what":"reset","route":"POST /channels"}'
  discord_rest POST "/channels/$general/messages" '{"content":"two"}'
  [ "$status" = 000 ]
  [ "$(discord_state '.sent | map(.content) | join(",")')" = one ]
}

@test "too many invalid requests ban the client at the edge" {
  discord_do '{"do":"limits","invalid_max":3}'
  for _ in 1 2 3; do
    discord_rest GET /channels/1200000000000000404
    [ "$status" = 403 ]
  done
  discord_rest GET /users/@me
  [ "$status" = 429 ]
  [[ $output == *'<html>'* ]]
}

@test "an attachment's URL is signed, and expires" {
  discord_do '{"do":"say","user":"ada","channel":"general","text":"",
    "attachments":[{"name":"tide.txt","text":"high","type":"text/plain"}]}' >"$BATS_TEST_TMPDIR/said"
  url=$(jq -r '.attachments[0].url' "$BATS_TEST_TMPDIR/said")
  run -0 curl -sS "$url"
  [ "$output" = high ]
  discord_do '{"do":"time","advance_s":90000}'
  run -22 curl -sSf "$url"
  discord_rest GET "/channels/$general/messages/$(jq -r .id "$BATS_TEST_TMPDIR/said")"
  run -0 curl -sS "$(jq -r '.attachments[0].url' <<<"$output")"
  [ "$output" = high ]
}

@test "a file of the CDN goes wrong as it is told, and a token there is told of" {
  discord_do '{"do":"say","user":"ada","channel":"general","text":"",
    "attachments":[{"name":"tide.txt","text":"high","type":"text/plain"}]}' >"$BATS_TEST_TMPDIR/said"
  url=$(jq -r '.attachments[0].url' "$BATS_TEST_TMPDIR/said")
  discord_do '{"do":"cdn","what":"redirect"}'
  run -0 curl -sS -o /dev/null -w '%{http_code} %{redirect_url}' "$url"
  [[ $output == '302 '*/attachments/elsewhere ]]
  discord_do '{"do":"cdn","what":"longer","more":3}'
  [ "$(curl -sS "$url" | wc -c)" = 7 ]
  discord_do '{"do":"cdn","what":"cut"}'
  run -18 curl -sS "$url"
  discord_do '{"do":"cdn","what":"lies","more":3}'
  run -18 curl -sS "$url"
  discord_do '{"do":"cdn","what":"drip","seconds":0.01}'
  run -0 curl -sS "$url"
  [ "$output" = high ]
  discord_do '{"do":"cdn","what":"status","status":503}'
  run -22 curl -sSf "$url"
  discord_do '{"do":"cdn","what":"endless"}'
  [ "$(curl -sS "$url" | head -c 1000000 | wc -c)" = 1000000 ]
  [ "$(discord_state '.violations | length')" = 0 ]
  curl -sS -H 'Authorization: Bot x' "$url"
  [ "$(discord_state '.violations | map(.what) | join(",")')" = 'a token was sent to the CDN' ]
  discord_do '{"do":"clear","books":true}'
}

# upload METHOD PATH JSON SIZE... - a form of that JSON and of files so large;
# $status and $output are the answer.
upload() {
  local method=$1 path=$2 json=$3 n=0 answer
  local parts=(-F "payload_json=$json;type=application/json")
  shift 3
  for size in "$@"; do
    head -c "$size" /dev/zero >"$BATS_TEST_TMPDIR/$n.bin"
    parts+=(-F "files[$n]=@$BATS_TEST_TMPDIR/$n.bin")
    n=$((n + 1))
  done
  answer=$(curl -sS --max-time 30 -X "$method" -w '\n%{http_code}' "${parts[@]}" \
    -H "Authorization: Bot $DISCORD_TOKEN" -A 'DiscordBot (https://example.invalid, 1)' \
    "$SOPHIA_DISCORD_API$path")
  status=${answer##*$'\n'} output=${answer%$'\n'*}
}

@test "files go with a message, up to 10 MiB each and 25 MiB in all" {
  upload POST "/channels/$general/messages" '{"content":"x"}' 3 $((10 << 20))
  [ "$status" = 200 ]
  [ "$(jq -c '[.attachments[] | .filename, .size]' <<<"$output")" = '["0.bin",3,"1.bin",10485760]' ]
  [ "$(discord_state '.sent[0].files | map(.size) | add')" = 10485763 ]
  upload POST "/channels/$general/messages" '{}' $(((10 << 20) + 1))
  [ "$status $(jq .code <<<"$output")" = '413 40005' ]
  upload POST "/channels/$general/messages" '{}' $((9 << 20)) $((9 << 20)) $((9 << 20))
  [ "$status $(jq .code <<<"$output")" = '413 40005' ]
  upload POST "/channels/$general/messages" '{"attachments":[{"id":1}]}' 3
  [ "$status $(jq .code <<<"$output")" = '400 50035' ]
  [ "$(discord_state '.count.files')" = 2 ]
}

@test "a file goes with the answer to an interaction, and replaces it when sent again" {
  discord_rest POST "/applications/$discord_bot/commands" '{"name":"talk","description":"Talk"}'
  discord_do '{"do":"command","user":"ada","channel":"general","name":"talk"}' >"$BATS_TEST_TMPDIR/made"
  hook=/webhooks/$discord_bot/$(jq -r .token "$BATS_TEST_TMPDIR/made")
  unset DISCORD_TOKEN
  upload POST "/interactions/$(jq -r .id "$BATS_TEST_TMPDIR/made")/$(jq -r .token "$BATS_TEST_TMPDIR/made")/callback" \
    '{"type":4,"data":{"content":"x","flags":64}}' $(((10 << 20) + 1))
  [ "$status" = 413 ]
  upload POST "/interactions/$(jq -r .id "$BATS_TEST_TMPDIR/made")/$(jq -r .token "$BATS_TEST_TMPDIR/made")/callback" \
    '{"type":5,"data":{"flags":64}}'
  [ "$status" = 204 ]
  for _ in 1 2; do
    upload PATCH "$hook/messages/@original" '{"content":"here","attachments":[{"id":0,"filename":"a.bin"}]}' 5
    [ "$status $(jq -c '[.attachments[].filename]' <<<"$output")" = '200 ["a.bin"]' ]
  done
  upload POST "$hook" '{"content":"more","flags":64}' 6
  [ "$(jq '.attachments[0].size' <<<"$output")" = 6 ]
  upload PATCH "$hook/messages/@original" '{}' $(((10 << 20) + 1))
  [ "$status $(jq .code <<<"$output")" = '413 40005' ]
}

@test "archived threads page by time, private ones of mine by id" {
  for n in 1 2 3; do
    id=$(discord_do "{\"do\":\"thread\",\"user\":\"ada\",\"channel\":\"random\",\"name\":\"t$n\"}" | jq -r .id)
    discord_do "{\"do\":\"archive\",\"channel\":\"$id\",\"at_ms\":170000000${n}000}"
  done
  discord_rest GET '/channels/1200000000000000403/threads/archived/public?limit=2'
  [ "$(jq -r '[.threads[].name] | join(",")' <<<"$output")" = t3,t2 ]
  [ "$(jq .has_more <<<"$output")" = true ]
  before=$(jq -r '.threads[-1].thread_metadata.archive_timestamp' <<<"$output")
  discord_rest GET "/channels/1200000000000000403/threads/archived/public?before=${before/+/%2B}"
  [ "$(jq -r '[.threads[].name] | join(",")' <<<"$output")" = t1 ]
  discord_rest GET '/channels/1200000000000000403/threads/archived/public?before=1200000000000000403'
  [ "$status" = 400 ]
}

@test "search says 202 until there is an index" {
  discord_do '{"do":"search","indexed":false}'
  discord_rest GET "/guilds/$discord_guild/messages/search?content=harbour"
  [ "$status" = 202 ] && of 110000
  discord_do '{"do":"search","indexed":true}'
  discord_rest GET "/guilds/$discord_guild/messages/search?content=harbour"
  [ "$(jq -r '.messages[0][0].content' <<<"$output")" = 'The harbour is open.' ]
}

@test "without MESSAGE_CONTENT, only what concerns the bot has content" {
  discord_do '{"do":"portal","intents":[]}'
  discord_do '{"do":"say","user":"ada","channel":"general","text":"<@sophia> hi"}'
  discord_rest GET "/channels/$general/messages?limit=2"
  [ "$(jq -r '.[1].content' <<<"$output")" = '' ]
  [ "$(jq -r '.[0].content' <<<"$output")" = "<@$discord_bot> hi" ]
}

@test "what it answers is as Discord's OpenAPI file says" {
  discord_do '{"do":"judge","answers":true}'
  discord_do '{"do":"limits","mode":"off"}'
  message=$(discord_do '{"do":"say","user":"ada","channel":"general","text":"<@sophia> hi",
    "attachments":[{"name":"a.txt","text":"x"}]}' | jq -r .id)
  discord_do "{\"do\":\"react\",\"user\":\"bob\",\"message\":\"$message\",\"emoji\":\"👍\"}"
  discord_do '{"do":"thread","user":"ada","channel":"ideas","name":"an idea","text":"this"}'
  old=$(discord_do '{"do":"thread","user":"ada","channel":"general","name":"old"}' | jq -r .id)
  discord_do "{\"do\":\"archive\",\"channel\":\"$old\"}"
  discord_do '{"do":"role","role":"Sophia","permissions":["ADMINISTRATOR"]}'
  c=/channels/$general g=/guilds/$discord_guild a=/applications/$discord_bot
  while read -r want method path body; do
    discord_rest "$method" "$path" "$body"
    [ "$status" = "$want" ] || { echo "$method $path: $status $output" && false; }
  done <<ASK
200 GET /gateway/bot
200 GET /users/@me
200 GET /users/@me/guilds
200 GET /applications/@me
200 GET $g?with_counts=true
200 GET $g/channels
200 GET $g/roles
200 GET $g/members?limit=10
200 GET $g/members/search?query=ad
200 GET $g/members/1200000000000000201
200 GET $g/threads/active
200 GET $g/audit-logs
200 GET $g/messages/search?content=harbour
200 GET $c
200 GET $c/messages
200 GET $c/messages/$message
200 GET $c/messages/pins
200 GET $c/threads/archived/public
200 GET $c/threads/archived/private
200 GET $c/users/@me/threads/archived/private
200 POST $c/messages {"content":"x","message_reference":{"message_id":"$message"}}
200 POST $c/messages {"flags":32768,"components":[{"type":17,"components":[{"type":10,"content":"x"},{"type":1,"components":[{"type":2,"style":1,"label":"x","custom_id":"a"}]}]}]}
200 POST $c/messages {"embeds":[{"title":"x","fields":[{"name":"a","value":"b"}]}]}
200 POST $c/messages {"poll":{"question":{"text":"?"},"answers":[{"poll_media":{"text":"a"}}]}}
204 POST $c/typing
204 PUT $c/messages/$message/reactions/%F0%9F%91%8D/@me
200 GET $c/messages/$message/reactions/%F0%9F%91%8D
204 PUT $c/messages/pins/$message
200 GET $c/messages/pins
201 POST $c/threads {"name":"new","type":11}
201 POST $c/messages/$message/threads {"name":"on it"}
201 POST /channels/1200000000000000405/threads {"name":"post","message":{"content":"x"}}
200 POST /users/@me/channels {"recipient_id":"1200000000000000201"}
201 POST $a/commands {"name":"ping","description":"is it there"}
200 PUT $a/guilds/$discord_guild/commands [{"name":"talk","description":"say","options":[{"type":3,"name":"message","description":"what","required":true}]}]
200 GET $a/commands
404 GET /channels/1
204 DELETE $c/messages/$message
ASK
  run -0 discord_state '.problems | .requests[], .answers[] | "\(.route): \(.wrong[:2])"'
  echo "$output"
  [ -z "$output" ]
}

# part NAME - the cases in peers/discord/test_NAME.py.
part() {
  /usr/bin/python3 -W ignore -B "$top/tests/peers/discord/test_$1.py"
}

@test "the gateway keeps its rules, and fails only on demand" {
  run -0 part gateway
}

@test "interactions keep their deadlines, and private answers private" {
  run -0 part interactions
}

@test "channels and roles: who may, how many, and what everybody is told" {
  run -0 part places
}

@test "what a client sends against the OpenAPI file is told of" {
  discord_rest POST "/channels/$general/messages" '{"content":"x"}'
  discord_clean
  discord_rest POST "/channels/$general/messages" '{"content":"x","contents":"y"}'
  [ "$status" = 200 ]
  [ -f "${SOPHIA_FIXTURES:-$top/../shared/fixtures}/discord/openapi/openapi.json" ] ||
    skip "Discord's OpenAPI file is not there"
  run -1 discord_clean
  [ "$output" = 'POST /channels/{channel_id}/messages: body.contents: no such field' ]
}

@test "its own notices can't be answered, some not deleted; a thread follows its channel's rules" {
  discord_do '{"do": "limits", "mode": "off"}'
  discord_rest GET "/channels/$general/messages?limit=1"
  notice=$(jq -r '.[0].id' <<<"$output")
  discord_do "{\"do\": \"edit\", \"message\": \"$notice\", \"quiet\": true, \"more\": {\"type\": 21}}" >/dev/null
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY",
    "MANAGE_MESSAGES", "SEND_MESSAGES_IN_THREADS", "CREATE_PUBLIC_THREADS"]}' >/dev/null
  discord_rest POST "/channels/$general/messages" "{\"content\": \"x\", \"message_reference\": {\"message_id\": \"$notice\"}}"
  [ "$status" = 400 ] && of 50035
  discord_rest DELETE "/channels/$general/messages/$notice"
  [ "$status" = 403 ] && of 50021
  discord_rest POST "/channels/$general/messages/$notice/threads" '{"name": "x"}'
  [ "$status" = 400 ] && of 50068
  discord_rest POST /channels/1200000000000000406/threads '{"name": "x", "type": 11}'
  [ "$status" = 400 ] && of 50024
  discord_rest POST /channels/1200000000000000405/threads '{"name": "x", "applied_tags": ["1"], "message": {"content": "x"}}'
  [ "$status" = 404 ] && of 10087
  discord_rest POST /channels/1200000000000000408/messages '{"content": "x"}'
  mine=$(jq -r .id <<<"$output")
  discord_do '{"do": "archive", "channel": "works"}'
  discord_rest PATCH "/channels/1200000000000000408/messages/$mine" '{"content": "y"}'
  [ "$status" = 400 ] && of 50083
}

@test "a member of a thread is removed by who manages threads" {
  discord_rest POST "/channels/$general/threads" '{"name":"t","type":11,"auto_archive_duration":null}'
  thread=/channels/$(jq -r .id <<<"$output")/thread-members/1200000000000000201
  discord_rest PUT "$thread"
  [ "$status" = 204 ]
  discord_rest DELETE "$thread"
  [ "$status" = 204 ]
  discord_rest GET "$thread"
  [ "$status" = 404 ]
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL"]}'
  discord_rest DELETE "$thread"
  [ "$status" = 403 ] && of 50013
}

# heads PATH - the headers of its answer.
heads() {
  curl -sS -o /dev/null -D - -H "Authorization: Bot $DISCORD_TOKEN" "${@:2}" "$SOPHIA_DISCORD_API$1"
}

@test "headers tell the bucket, which routes share and channels don't" {
  run -0 heads "/channels/$general/messages"
  [[ $output == *$'X-RateLimit-Limit: 5\r'* ]]
  [[ $output == *$'X-RateLimit-Remaining: 4\r'* ]]
  [[ $output =~ X-RateLimit-Reset-After:\ [0-9]+\.[0-9]+ ]]
  bucket() { sed -n 's/X-RateLimit-Bucket: //p' <<<"$output"; }
  listing=$(bucket)
  [[ $listing =~ ^[0-9a-f]{32} ]]
  run -0 heads /channels/1200000000000000403/messages
  [ "$(bucket)" = "$listing" ]
  [[ $output == *$'X-RateLimit-Remaining: 4\r'* ]]
  run -0 heads "/channels/$general/messages/pins/1" -X PUT
  pin=$(bucket)
  run -0 heads "/channels/$general/messages/pins/1" -X DELETE
  [ "$(bucket)" = "$pin" ]
  [[ $output == *$'X-RateLimit-Remaining: 3\r'* ]]
}

@test "more than the bot may do in a second is refused for all routes" {
  discord_do '{"do":"limits","global":3}'
  for _ in 1 2 3; do discord_rest GET /users/@me; done
  run -0 heads "/channels/$general"
  [[ $output == *' 429 '* ]]
  [[ $output == *$'X-RateLimit-Global: true\r'* ]]
  [[ $output == *$'X-RateLimit-Scope: global\r'* ]]
  [[ $output == *$'Retry-After: 1\r'* ]]
  discord_do '{"do":"time","advance_s":1}'
  discord_rest GET "/channels/$general"
  [ "$status" = 200 ]
}

@test "what others used up is shared, and not counted as invalid" {
  discord_do '{"do":"rest","what":"limited","scope":"shared","retry_after":2.5}'
  run -0 heads "/channels/$general"
  [[ $output == *$'X-RateLimit-Scope: shared\r'* ]]
  [[ $output == *$'Retry-After: 3\r'* ]]
  [ "$(discord_state '.count.invalid_requests // 0')" = 0 ]
  discord_do '{"do":"rest","what":"html429","retry_after":7}'
  run -0 heads "/channels/$general"
  [[ $output == *$'Retry-After: 7\r'* && $output == *text/html* ]]
  [[ $output != *X-RateLimit* ]]
  [ "$(discord_state .count.invalid_requests)" = 1 ]
}

@test "each interaction is answered within limits of its own" {
  for n in {1..20}; do
    discord_rest POST "/interactions/$n/token/callback" '{"type":5}'
    [ "$status" = 404 ] && of 10062
  done
}

@test "the torture test sees what is wrong, and only that" {
  run -0 /usr/bin/python3 -B "$top/tests/torture-discord/test_verdict.py"
}
