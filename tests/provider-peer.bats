# The fake provider itself: what it takes and refuses is what the real ones do.
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
  provider POST reset '' >/dev/null
  cd "$BATS_TEST_TMPDIR"
}

# post MESSAGES - prints the status.
post() {
  printf '{"model":"m","messages":%s}' "$1" |
    curl -s -o answer -w '%{http_code}' --data-binary @- "http://127.0.0.1:$port/v1/chat/completions"
}

# part FILE TYPE - an image part of its bytes; as its type says.
part() {
  base64 -w0 "$1" | jq -Rc --arg type "$2" \
    '{type: "image_url", image_url: {url: "data:\($type);base64,\(.)"}}'
}

user() { local IFS=,; printf '[{"role":"user","content":[%s]}]' "$*"; }

@test "the schema takes every recorded request that was answered" {
  folder=${SOPHIA_FIXTURES:-$top/../shared/fixtures}/model
  [ -d "$folder" ] || skip "no fixtures"
  /usr/bin/python3 - "$top/tests/peers/chat" "$folder" <<'PY'
import json, pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import seen
checked = media = 0
for kind in "chat-json", "chat-sse":
    for path in sorted(pathlib.Path(sys.argv[2], kind).glob("*.req.json")):
        if path.name.startswith("mistral"):
            continue  # whose pictures and sounds are texts, not objects
        try:
            body = json.loads(path.read_text())
        except ValueError:
            continue  # cut off by whoever recorded it
        # What we don't write isn't in our schema: files, servers' own tools.
        if any(p.get("type") not in ("text", "image_url", "input_audio")
               for p in seen.parts_of(body)) or "messages" not in body or \
                any(t["type"] != "function" for t in body.get("tools") or []):
            continue
        if body.get("tools") == []:
            del body["tools"]  # which OpenAI refuses, and others don't
        checked += 1
        said = seen.problems(body)
        assert not said, (path.name, said)
        media += any(p["type"] != "text" for p in seen.parts_of(body))
print(checked, "requests,", media, "with media")
assert checked > 100 and media > 3
PY
}

@test "a good picture is decoded, and the log has no byte of it" {
  picture a.png '#0a141e' 40 30
  [ "$(post "$(user '{"type":"text","text":"x"}' "$(part a.png image/png)")")" = 200 ]
  [ "$(saw '.[0] | [.width, .height, .middle]')" = '[40,30,"0a141e"]' ]
  [ "$(asked '.[0].messages[0].content[1].image_url.url')" = 'data:image/png;base64,...' ]
}

@test "pictures that the real ones refuse are refused" {
  picture a.png
  head -c 60 a.png >cut.png
  picture wide.png red 8001 1
  /usr/bin/python3 -c 'import os; open("long.png", "wb").write(open("a.png", "rb").read() + os.urandom(4 << 20))'
  for x in "a.png image/jpeg" "cut.png image/png" "wide.png image/png" "long.png image/png"; do
    # shellcheck disable=SC2086
    [ "$(post "$(user "$(part $x)")")" = 400 ] || { echo "taken: $x"; return 1; }
  done
  p=$(part a.png image/png)
  [ "$(post "$(user "$p" "$p" "$p" "$p" "$p" "$p")")" = 400 ]
  [[ "$(<answer)" == *"more than 5 images"* ]]
}

@test "so are shapes that they refuse" {
  while read -r messages; do
    [ "$(post "$messages")" = 400 ] || { echo "taken: $messages"; return 1; }
  done <<'END'
[]
[{"role":"user","content":null}]
[{"role":"user","content":[]}]
[{"role":"user","content":[{"type":"text","text":""}]}]
[{"role":"user","content":[{"type":"image_url","image_url":"https://x"}]}]
[{"role":"user","content":[{"type":"image_url","image_url":{"url":"ftp://x"}}]}]
[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"data:audio/wav;base64,AA==","format":"wav"}}]}]
[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}]}]
[{"role":"user","content":[{"type":"input_audio","input_audio":{"data":"AAAA","format":"ogg"}}]}]
[{"role":"system","content":[{"type":"image_url","image_url":{"url":"https://x"}}]},{"role":"user","content":"x"}]
[{"role":"tool","tool_call_id":"a","content":"x"}]
[{"role":"assistant","content":null}]
[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"x"}]
[{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"a.b","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"}]
END
}
