load helper
load turns
load media

setup_file() {
  provider_start
}

teardown_file() {
  provider_stop
}

setup() {
  state_folder
  provider_use
  profile fake 32768 '"inputs":["text","image","audio"]' \
    >"$SOPHIA_HOME/models/fake.json"
  cd "$BATS_TEST_TMPDIR"
  sophia-model <<<"$(shows hi)" >/dev/null # which makes the store
  provider POST reset '' >/dev/null
  sql_now 'DELETE FROM usage'
}

sql_now() { sqlite3 "$SOPHIA_HOME/tasks.sqlite" "$1"; }

# shows TEXT [EXHIBIT...] - a request with one message that shows them.
shows() {
  jq -nc --arg text "$1" '{type: "request", id: "r1", profile: "fake",
    purpose: "task", stream: false, tools: [],
    messages: [{role: "user", $text, media: $ARGS.positional}]}' \
    --jsonargs "${@:2}"
}

@test "a picture arrives to the byte, and so do all kinds of them" {
  for kind in png jpeg gif webp; do
    picture "a.$kind" '#10a0f0' 64 48
    hash=$(keep "a.$kind")
    run -0 sophia-model <<<"$(shows 'what is it?' "$(exhibit image "image/$kind" "a.$kind" "$hash")")"
    [ "$(saw '.[0] | [.type, .width, .height, .sha256]')" = "[\"image/$kind\",64,48,\"$hash\"]" ]
  done
  [ "$(asked '.[0].messages[0].content | map(.type) | join(" ")')" = "text image_url" ]
  [ -z "$(wrong)" ]
}

@test "a sound arrives to the byte, and it can be 180 s long" {
  sound a.wav 180
  hash=$(keep a.wav)
  run -0 sophia-model <<<"$(shows 'what is said?' "$(exhibit audio audio/wav a.wav "$hash")")"
  [ "$(saw '.[0] | [.format, .seconds, .rate, .sha256]')" = "[\"wav\",180,16000,\"$hash\"]" ]
  [ -z "$(wrong)" ]
}

@test "the five largest pictures that may be are one good request" {
  media=()
  for i in 1 2 3 4 5 6; do
    noise "$i.png" $((3584 * 1024))
    media+=("$(exhibit image image/png "$i.png" "$(keep "$i.png")")")
  done
  run -0 sophia-model <<<"$(shows 'compare' "${media[@]}")"
  [ "$(saw 'map(.bytes) | add')" = $((5 * 3584 * 1024)) ]
  [ -z "$(wrong)" ]
  [ "$(asked '.[0].messages[0].content[0].text')" = 'compare
[not shown]
{"name":"1.png","type":"image/png","why":"only the newest 5 are"}' ]
}

@test "what can't be shown is words, and the request is good all the same" {
  picture big.png red 1600 10
  picture a.png
  printf 'GIF89a but no more' >bad.gif
  noise long.png $((3584 * 1024 + 1))
  gone=$(printf '%064d' 7)
  run -0 sophia-model <<<"$(shows 'well?' \
    "$(exhibit image image/png gone.png "$gone")" \
    "$(exhibit image image/png big.png "$(keep big.png)")" \
    "$(exhibit image image/jpeg a.jpg "$(keep a.png)")" \
    "$(exhibit image image/png bad.gif "$(keep bad.gif)")" \
    "$(exhibit image image/png long.png "$(keep long.png)")" \
    "$(exhibit audio audio/wav a.wav "$(keep a.png)")")"
  [ "$(saw length)" = 0 ]
  [ -z "$(wrong)" ]
  [ "$(asked '.[0].messages[0].content' | tail -n +3 | jq -r '"\(.name): \(.why)"')" = \
'gone.png: it is not kept any more
big.png: it is larger than 1568 pixels
a.jpg: it is image/png, and not what it is said to be
bad.gif: it is image/gif, and not what it is said to be
long.png: it is too large
a.wav: it is neither WAV nor MP3' ]
}

@test "a content that was damaged on the disk is words, and said on stderr" {
  noise a.png 300000
  hash=$(keep a.png)
  printf x | dd of="$SOPHIA_HOME/blob/${hash:0:2}/$hash" bs=1 seek=99 conv=notrunc status=none
  run -0 --separate-stderr sophia-model <<<"$(shows 'well?' "$(exhibit image image/png a.png "$hash")")"
  [ "$(saw length)" = 0 ]
  [[ "$(asked '.[0].messages[0].content')" == *'"why":"it can'"'"'t be read"}' ]]
  [[ $stderr == *"$hash"*damaged* ]]
}

@test "a profile of texts has no byte of a picture read, not even the store opened" {
  profile fake 32768 >"$SOPHIA_HOME/models/fake.json"
  picture a.png
  hash=$(keep a.png)
  run -0 env ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat -o trace sophia-model <<<"$(shows 'well?' \
    "$(exhibit image image/png a.png "$hash")" \
    '{"kind":"image","type":"image/png","name":"b.png","url":"https://cdn.discordapp.com/b.png"}' \
    "$(exhibit audio audio/wav c.wav "$hash")")"
  [ "$(saw length)" = 0 ]
  [[ "$(asked '.[0].messages[0].content')" == *'"why":"this model takes no images"}'*'"why":"this model takes no sound"}' ]]
  ! grep -q "blob/" trace
}

@test "a picture by its address goes as it is" {
  run -0 sophia-model <<<"$(shows 'well?' \
    '{"kind":"image","type":"image/png","name":"b.png","url":"https://cdn.discordapp.com/attachments/1/2/b.png?ex=1"}')"
  [ "$(saw '.[0].url')" = '"https://cdn.discordapp.com/attachments/1/2/b.png?ex=1"' ]
  [ -z "$(wrong)" ]
}

@test "a provider that refuses a picture is asked again without it, once" {
  picture a.png
  hash=$(keep a.png)
  says '{"status":400,"body":{"error":{"code":"invalid_image_url","type":"invalid_request_error","message":"Error while downloading it."}}}' \
    '{"text":"I see nothing."}'
  run -0 --separate-stderr sophia-model <<<"$(shows 'well?' "$(exhibit image image/png a.png "$hash")")"
  [[ $output == *'"text":"I see nothing."'* ]]
  [[ $stderr == *"asked again without pictures"* ]]
  [ "$(asked length)" = 2 ]
  [[ "$(asked '.[1].messages[0].content')" == *'"why":"the provider refused a request with it"}' ]]
  [ "$(sql 'SELECT count(*), group_concat(state) FROM usage')" = '2|error,ok' ]
  says '{"status":400,"times":2,"body":{"error":{"message":"No."}}}'
  run -69 sophia-model <<<"$(shows 'well?' "$(exhibit image image/png a.png "$hash")")"
  [ "$(asked length)" = 4 ]
}

@test "what is wrong with something else is not blamed on the pictures" {
  picture a.png
  x=$(exhibit image image/png a.png "$(keep a.png)")
  says '{"status":401,"body":{"error":{"message":"no"}}}'
  run -78 sophia-model <<<"$(shows 'well?' "$x")"
  says '{"status":400,"body":{"error":{"message":"maximum context length is 5 tokens"}}}'
  run -65 sophia-model <<<"$(shows 'well?' "$x")"
  [ "$(asked length)" = 2 ]
}

@test "the profile without a model says that it looked at nothing" {
  run -0 sophia-model -p extractive <<<"$(shows '' "$(exhibit image image/png a.png "$(printf '%064d' 7)")")"
  [ "$(pick 'select(.type == "delta").text')" = \
    "Nothing was asked in words, and what is attached can't be looked at without a model." ]
}
