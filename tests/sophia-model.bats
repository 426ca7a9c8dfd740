load helper
key=sk-test-0123456789abcdef

setup() {
  export SOPHIA_HOME=$BATS_TEST_TMPDIR/home SOPHIA_SHARE=$top/share
  export T_KEY=$key
  unset SOPHIA_SECRETS DISCORD_TOKEN http_proxy https_proxy all_proxy
  mkdir -p "$SOPHIA_HOME/models"
  port=
}

teardown() {
  [ -z "$port" ] || exec {provider[1]}>&-
}

# provider [OPTION ...] - start one, and a profile `t` that asks it.
provider() {
  coproc provider { exec "$top/tests/peers/provider" --key "$key" "$@"; }
  read -r port <&"${provider[0]}"
  profile t "{}"
}

# profile NAME JSON - a profile; the fields given go over the defaults.
profile() {
  jq -n --arg id "$1" --arg url "http://127.0.0.1:${port:-1}/v1" \
    --argjson own "$2" '{id: $id, protocol: "chat", base_url: $url,
    model: "m", key_env: "T_KEY", context: 8000, reserve: 1000} + $own' \
    >"$SOPHIA_HOME/models/$1.json"
}

control() { curl -s "http://127.0.0.1:$port/control/$1" "${@:2}"; }
steps() { control steps -d "$1" >/dev/null; }
log() { control log | jq -c "$1"; }

# request [JSON] - a request line; the fields given go over the defaults.
request() {
  jq -nc --argjson own "${1:-null}" '{type: "request", id: "r1", profile: "t",
    purpose: "task", stream: true, tools: [],
    messages: [{role: "user", text: "hi", label: "request"}]} + ($own // {})'
}

# serve - start one that serves: write to $to, read from $from.
serve() {
  mkfifo "$BATS_TEST_TMPDIR/to" "$BATS_TEST_TMPDIR/from"
  sophia-model --serve <"$BATS_TEST_TMPDIR/to" >"$BATS_TEST_TMPDIR/from" &
  server=$!
  exec {to}>"$BATS_TEST_TMPDIR/to" {from}<"$BATS_TEST_TMPDIR/from"
}

usage() { sqlite3 "$SOPHIA_HOME/tasks.sqlite" "SELECT $1 FROM usage"; }

@test "a streamed answer comes as it is said, then usage and the verdict" {
  provider
  steps '[{"text": "Hello, Ada. How are you?", "usage":
    {"prompt_tokens": 9, "completion_tokens": 4}}]'
  run -0 --separate-stderr sophia-model <<<"$(request)"
  [ "$output" = '{"type":"delta","id":"r1","text":"Hello, Ada. How "}
{"type":"delta","id":"r1","text":"are you?"}
{"type":"usage","id":"r1","profile":"t","model":"m","purpose":"task","input":9,"output":4,"estimated":false}
{"type":"finish","id":"r1","reason":"stop"}' ]
  [ -z "$stderr" ]
}

@test "a whole answer says the same" {
  provider
  steps '[{"text": "Hello", "usage": null}]'
  run -0 --separate-stderr sophia-model <<<"$(request '{"stream": false}')"
  [ "$output" = '{"type":"delta","id":"r1","text":"Hello"}
{"type":"finish","id":"r1","reason":"stop"}' ]
  [ "$(log '.[0].body.stream')" = false ]
}

@test "calls come complete and under the names that the request gave" {
  provider
  steps '[{"cut": 1, "usage": null, "calls": [
    {"name": "guild_list", "arguments": {"of": "x"}}]}]'
  run -0 sophia-model <<<"$(request '{"tools": [{"name": "guild.list",
    "description": "d", "parameters": {"type": "object", "properties": {},
    "required": []}}]}')"
  [ "$output" = '{"type":"tool_call","id":"r1","index":0,"call":"call_0","name":"guild.list","arguments":"{\"of\": \"x\"}"}
{"type":"finish","id":"r1","reason":"calls"}' ]
}

@test "the provider's specification accepts what is sent" {
  [ -f "${SOPHIA_FIXTURES:-$top/../shared/fixtures}/model/specs/openai-openapi-subset.json" ] ||
    skip "no specification of a provider is here"
  provider
  run -0 sophia-model <<<"$(request '{"messages": [
    {"role": "system", "text": "One."}, {"role": "system", "text": "Two."},
    {"role": "user", "text": "hi", "label": "source"},
    {"role": "assistant", "text": "", "calls": [
      {"id": "c1", "name": "a", "arguments": "{}"},
      {"id": "c2", "name": "b.c", "arguments": "not JSON"}]},
    {"role": "tool", "call": "c2", "text": ""},
    {"role": "tool", "call": "c9", "text": "nobody asked"},
    {"role": "assistant", "text": "Done."}],
    "tools": [{"name": "a", "description": "d", "parameters": {
      "type": "object", "properties": {"x": {"type": "string"}},
      "required": []}}], "max_output": 77}')"
  [ "$(log '.[0].problems')" = '[]' ]
  [ "$(log '.[0].body.messages | map(.role)')" = \
    '["system","user","assistant","tool","tool","assistant"]' ]
  [ "$(log '.[0].body.max_tokens')" = 77 ]
  # and a body that is wrong would have been noticed
  run -0 curl -s -H "Authorization: Bearer $key" \
    -d '{"messages": [{"role": "tool"}]}' "http://127.0.0.1:$port/v1/x"
  [[ $output == *invalid_request_error* ]]
}

@test "what produced nothing is tried again, as the server asks" {
  provider
  steps '[{"status": 429, "headers": {"retry-after-ms": "1"}},
    {"status": 503, "headers": {"retry-after-ms": "1"}}, {"text": "there"}]'
  run -0 sophia-model <<<"$(request)"
  [[ $output == *'"text":"there"'* ]]
  [ "$(log length)" = 3 ]
  [ "$(usage state)" = 'error
error
ok' ]
}

@test "three times is enough, and a long wait is told instead" {
  provider
  steps '[{"status": 500, "headers": {"retry-after-ms": "1"}, "times": 3}]'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [ "$(log length)" = 3 ]
  control reset -X POST
  steps '[{"status": 429, "headers": {"retry-after": "3600"},
    "body": {"error": {"message": "slow down"}}}]'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [ "$output" = '{"type":"error","id":"r1","kind":"again","text":"the provider (HTTP 429): slow down","code":"rate_limit","wait_ms":3600000,"effect":"none"}' ]
  [ "$(log length)" = 1 ]
}

@test "no retry without credit, and not where the server says no" {
  provider
  steps '[{"status": 402, "body": {"error": {"message": "pay"}}},
    {"status": 500, "headers": {"x-should-retry": "false"}, "body": "oops"}]'
  run -78 sophia-model <<<"$(request)"
  run -75 sophia-model <<<"$(request)"
  [ "$(log length)" = 2 ]
}

@test "an error after some text keeps the text, and is not tried again" {
  provider
  steps '[{"chunks": "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\ndata: {\"error\":{\"message\":\"gone\",\"code\":502}}\n\n"}]'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [ "$output" = '{"type":"delta","id":"r1","text":"Hel"}
{"type":"error","id":"r1","kind":"again","text":"the provider (HTTP 502): gone","code":"provider","effect":"none"}' ]
  [ "$(log length)" = 1 ]
}

@test "everything it writes is a valid record" {
  provider
  steps '[{"text": "a", "reasoning": "b"}, {"calls": [{"name": "f"}]},
    {"status": 400, "body": {"error": {"code": "context_length_exceeded",
    "message": "maximum context length is 10 tokens. However, you requested 19"
    }}}]'
  sophia-model --serve < <(request; request; request) >"$BATS_TEST_TMPDIR/out"
  sophia-model --list >>"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  [ "$(grep -c '"limit":10,"over":9' "$BATS_TEST_TMPDIR/out")" = 1 ]
}

@test "a reply that breaks off is an error" {
  provider
  steps '[{"text": "a long answer that is never finished", "truncate": 400}]'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [[ ${lines[-1]} == *'"code":"truncated"'* ]]
  [ "$(log length)" = 1 ]
}

@test "a server that falls silent is given up after idle_s" {
  provider
  profile t '{"idle_s": 1}'
  steps '[{"hang": "before"}]'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [[ $output == *"no byte came for 1 s"* ]]
}

@test "comments keep a connection alive, but not for ever" {
  provider
  profile t '{"idle_s": 1, "silent_s": 2}'
  steps "$(jq -n '[{chunks: (": keep-alive\n\n" * 100), cut: 14, gap_ms: 200}]')"
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [ "$output" = '{"type":"error","id":"r1","kind":"again","text":"the provider said nothing for 2 s, though it is there","code":"timeout","effect":"none"}' ]
  [ "$(log length)" = 1 ]
  [ "$(usage state)" = error ]
}

@test "a slow answer is none that says nothing" {
  provider
  profile t '{"silent_s": 1}'
  steps "$(jq -n '[{text: ("slow" * 24), cut: 220, gap_ms: 250}]')"
  run -0 --separate-stderr sophia-model <<<"$(request)"
  [[ ${lines[-1]} == *'"reason":"stop"'* ]]
}

@test "comments after the last event are no error" {
  provider
  profile t '{"silent_s": 1}'
  steps "$(jq -n '[{chunks: ("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n"
    + ": keep-alive\n\n" * 100), cut: 200, gap_ms: 400}]')"
  run -0 --separate-stderr sophia-model <<<"$(request)"
  [[ ${lines[-1]} == *'"reason":"stop"'* ]]
}

@test "a certificate that nobody vouches for is refused, and no key is sent" {
  openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 \
    -addext subjectAltName=IP:127.0.0.1 -keyout "$BATS_TEST_TMPDIR/key" \
    -out "$BATS_TEST_TMPDIR/cert" 2>/dev/null
  cat "$BATS_TEST_TMPDIR/cert" "$BATS_TEST_TMPDIR/key" >"$BATS_TEST_TMPDIR/pem"
  provider --tls "$BATS_TEST_TMPDIR/pem"
  profile t "{\"base_url\": \"https://127.0.0.1:$port/v1\"}"
  run -78 --separate-stderr sophia-model <<<"$(request)"
  [[ $output == *'"code":"connect"'* ]]
  [[ $output == *certificate* ]]
  [ "$(curl -sk "https://127.0.0.1:$port/control/log" | jq length)" = 0 ]
  [ "$(usage count\(*\))" = 1 ]
}

@test "a server that is not there is tried three times" {
  profile t '{"base_url": "http://127.0.0.1:1/v1"}'
  run -75 --separate-stderr sophia-model <<<"$(request)"
  [[ $output == *'"code":"connect"'* ]]
  [ "$(usage count\(*\))" = 3 ]
}

@test "the proxy of the environment is used only where a profile says so" {
  provider
  export http_proxy=http://127.0.0.1:1
  run -0 sophia-model <<<"$(request)"
  profile t '{"proxy": true}'
  run -75 --separate-stderr env no_proxy= sophia-model <<<"$(request)"
  [[ $output == *'"code":"connect"'* ]]
}

@test "silence after the last event is no error" {
  provider
  profile t '{"idle_s": 1}'
  steps '[{"hang": "after", "usage": null}]'
  run -0 sophia-model <<<"$(request)"
  [[ ${lines[-1]} == *'"reason":"stop"'* ]]
}

@test "cancel closes the connection at once, and the next request works" {
  provider
  steps '[{"hang": "middle", "text": "begun"}]'
  serve
  request '{"id": "r1"}' >&"$to"
  read -r line <&"$from"
  [[ $line == *begun* ]]
  echo '{"type":"cancel","id":"r1"}' >&"$to"
  read -r line <&"$from"
  [ "$line" = '{"type":"error","id":"r1","kind":"again","text":"it was cancelled","code":"cancelled","effect":"none"}' ]
  request '{"id": "r2"}' >&"$to"
  read -r line <&"$from"
  [ "$line" = '{"type":"delta","id":"r2","text":"ok"}' ]
  until [ "$(log '.[0].closed')" = true ]; do :; done
  read -r line <&"$from"
  read -r line <&"$from"
  exec {to}>&-
  wait "$server"
  [ "$(usage state)" = 'cancelled
ok' ]
}

@test "cancel reaches a request that waits, and only that one" {
  provider
  steps '[{"hang": "middle", "text": "begun"}]'
  serve
  request '{"id": "r1"}' >&"$to"
  read -r line <&"$from"
  [[ $line == *begun* ]]
  { request '{"id": "r2"}'; request '{"id": "r3"}'
    echo '{"type":"cancel","id":"r2"}'; echo '{"type":"cancel","id":"none"}'
  } >&"$to"
  read -r line <&"$from"
  [ "$line" = '{"type":"error","id":"r2","kind":"again","text":"it was cancelled","code":"cancelled","effect":"none"}' ]
  echo '{"type":"cancel","id":"r1"}' >&"$to"
  exec {to}>&-
  cat <&"$from" >"$BATS_TEST_TMPDIR/rest"
  wait "$server"
  [ "$(jq -r 'select(.type != "usage") | .id + " " + .type' \
    "$BATS_TEST_TMPDIR/rest" | tr '\n' ,)" = 'r1 error,r3 delta,r3 finish,' ]
  # what was cancelled while it waited was never sent
  [ "$(usage state)" = 'cancelled
ok' ]
}

@test "SIGTERM answers those that wait, too" {
  provider
  steps '[{"hang": "middle", "text": "begun"}]'
  serve
  request '{"id": "r1"}' >&"$to"
  read -r line <&"$from"
  # that r3 is answered shows that r2 was read
  { request '{"id": "r2"}'; request '{"id": "r3"}'
    echo '{"type":"cancel","id":"r3"}'; } >&"$to"
  read -r line <&"$from"
  [[ $line == *'"id":"r3"'* ]]
  kill -TERM "$server"
  read -r line <&"$from"
  [[ $line == '{"type":"error","id":"r2"'*'"code":"cancelled"'* ]]
  read -r line <&"$from"
  [[ $line == '{"type":"error","id":"r1"'*'"code":"cancelled"'* ]]
  wait "$server" || [ $? -eq 1 ]
  [ "$(usage state)" = cancelled ]
}

@test "--serve keeps the connection for the next request" {
  provider
  run -0 sophia-model --serve < <(request; request '{"id": "r2"}')
  [[ ${lines[-1]} == *'"id":"r2","reason":"stop"'* ]]
  [ "$(log 'map(.port) | unique | length')" = 1 ]
}

@test "a request that is wrong doesn't end --serve" {
  provider
  run -0 sophia-model --serve < <(echo junk; echo '{"type":"request","id":"r0"}'; request)
  [[ ${lines[0]} == *'"kind":"input"'* ]]
  [[ ${lines[1]} == '{"type":"error","id":"r0","kind":"input","text":"request: profile is missing"'* ]]
  [[ ${lines[-1]} == *'"id":"r1","reason":"stop"'* ]]
}

@test "without its key a profile names the variable, exit 78" {
  provider
  run -78 --separate-stderr env -u T_KEY sophia-model <<<"$(request)"
  [ "$stderr" = "sophia-model: profile t: its key is missing; set T_KEY" ]
  [[ $output == *'"code":"key"'* ]]
  [ "$(log length)" = 0 ]
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
}

@test "the key may come from the secrets file" {
  provider
  echo "T_KEY=$key" >"$BATS_TEST_TMPDIR/secrets"
  chmod 600 "$BATS_TEST_TMPDIR/secrets"
  run -0 env -u T_KEY SOPHIA_SECRETS="$BATS_TEST_TMPDIR/secrets" \
    sophia-model <<<"$(request)"
}

@test "a key that a provider quotes is blotted out" {
  provider
  run -78 env T_KEY=another-key-4711 sophia-model <<<"$(request)"
  [[ $output == *"Incorrect API key provided: ****************"* ]]
  [[ $output != *4711* ]]
}

@test "nor is it told by an error inside a stream, or one that is cut off" {
  provider
  steps "$(jq -n --arg text "data: {\"error\":{\"message\":\"bad key $key\"}}

" '[{chunks: $text}]')"
  run -75 sophia-model <<<"$(request)"
  [[ $output == *"bad key ************************"* ]]
  [[ $output != *"$key"* ]]
  steps "$(jq -n --arg text "$(printf '%0400d' 7) $key" \
    '[{status: 400, body: {error: {message: $text}}}]')"
  run -69 sophia-model <<<"$(request)"
  [[ $output == *'7 ***'* ]]
  [[ $output != *"${key:0:7}"* ]]
}

@test "the key is in no argument, no file and no answer" {
  provider
  run -0 env ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=execve,write -s 4096 -o "$BATS_TEST_TMPDIR/trace" \
    sophia-model <<<"$(request)"
  ! grep -q "$key" "$BATS_TEST_TMPDIR/trace"
  [[ $output != *"$key"* ]]
  ! grep -rq "$key" "$SOPHIA_HOME"
}

@test "a profile that is wrong is exit 78 and names the field" {
  while read -r field json; do
    profile bad "$json"
    run -78 --separate-stderr sophia-model -l bad
    [[ $stderr == *"bad.json: $field:"* ]] || { echo "$field: $stderr"; false; }
  done <<'END'
context {"context": "8000"}
reserve {"reserve": 7000}
base_url {"base_url": "ftp://x"}
base_url {"base_url": "http://example.org/v1"}
base_url {"base_url": "https://user@example.org"}
protocol {"protocol": "smoke"}
protocol {"protocol": "responses"}
key_env {"key_env": "sk-0123"}
inputs {"inputs": ["video"]}
echo {"echo": "perhaps"}
token_parameter {"token_parameter": "tokens"}
proxy {"proxy": "yes"}
idle_s {"idle_s": 0}
silent_s {"silent_s": 0}
silent_s {"silent_s": 3601}
silent_s {"silent_s": "300"}
prices.input {"prices": {"input": "cheap", "output": "1"}}
prices {"prices": {"input": "1"}}
headers.Authorization {"headers": {"Authorization": "Bearer x"}}
headers.A:B {"headers": {"A:B": "x"}}
modle {"modle": "m"}
id {"id": "good"}
END
}

@test "the responses protocol says that it is not there yet" {
  profile r '{"protocol": "responses"}'
  run -78 --separate-stderr sophia-model -l r
  [[ $stderr == *"responses is not available yet"* ]]
}

@test "a profile in the state folder hides the shared one" {
  profile ollama '{"model": "mine"}'
  run -0 sophia-model --jq .model --list ollama
  [ "$output" = '"mine"' ]
}

@test "the profiles that come with Sophia are valid" {
  run -0 --separate-stderr sophia-model --list
  [ "$(jq -r .id <<<"$output" | tr '\n' ' ')" = "extractive llamacpp ollama openrouter " ]
  [ -z "$stderr" ]
}

@test "no name reaches outside the folders of profiles" {
  run -78 --separate-stderr sophia-model -l ../settings
  [ "$stderr" = "sophia-model: '../settings' is no name of a profile" ]
}

@test "prices give an estimate, exact; a cost that is told goes before it" {
  provider
  profile t '{"prices": {"input": "0.15", "cached": "0.075", "output": "0.6"}}'
  steps '[{"usage": {"prompt_tokens": 1001, "completion_tokens": 3,
      "prompt_tokens_details": {"cached_tokens": 1}}},
    {"usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 9.6e-6}}]'
  run -0 sophia-model --serve < <(request; request)
  [ "$(grep usage <<<"$output" | jq -c '[.cost, .estimated]')" = \
    '["0.000151875",true]
["0.0000096",false]' ]
}

@test "a request in the background waits while a person's does" {
  provider
  printf '{"version": 1, "model": {"slots": 1}}' >"$SOPHIA_HOME/settings.json"
  steps '[{"hang": "middle", "text": "long"}]'
  serve
  request '{"actor": "1"}' >&"$to"
  read -r line <&"$from"
  [[ $line == *long* ]]
  # the only slot is taken, so neither of these gets one yet
  request '{"purpose": "dream", "actor": "3"}' |
    sophia-model >"$BATS_TEST_TMPDIR/dream" &
  dream=$!
  request '{"actor": "2"}' | sophia-model >"$BATS_TEST_TMPDIR/person" &
  person=$!
  until flock -n -x "$SOPHIA_HOME/run/model.waiting" true; [ $? -eq 1 ]; do :; done
  [ "$(log length)" = 1 ]
  steps '[{"text": "first"}, {"text": "second"}]'
  echo '{"type":"cancel","id":"r1"}' >&"$to"
  wait "$dream" "$person"
  grep -q first "$BATS_TEST_TMPDIR/person"
  grep -q second "$BATS_TEST_TMPDIR/dream"
  exec {to}>&-
}

@test "a server that reads far less than was sent is warned of" {
  provider
  steps '[{"text": "a", "usage": {"prompt_tokens": 4096}}]'
  long=$(printf 'word %.0s' {1..12000})
  run -0 --separate-stderr sophia-model < <(request "$(jq -nc --arg t "$long" \
    '{messages: [{role: "user", text: $t}]}')")
  [ "$stderr" = "sophia-model: profile t: the server read 4096 tokens of about 17146: it may cut requests to its own window, which must be raised there" ]
}

@test "SIGTERM settles what was under way" {
  provider
  steps '[{"hang": "middle", "text": "begun"}]'
  serve
  request >&"$to"
  read -r line <&"$from"
  kill -TERM "$server"
  read -r line <&"$from"
  [[ $line == *'"code":"cancelled"'* ]]
  wait "$server" || [ $? -eq 1 ]
  [ "$(usage state)" = cancelled ]
}

@test "whoever closes the pipe ends the request, and it is settled" {
  provider
  steps '[{"text": "one long text that comes in many small pieces, one by one",
    "gap_ms": 10, "cut": 40}]'
  request | { sophia-model || true; } 2>/dev/null | head -c 1 >/dev/null
  [ "$(usage state)" = cancelled ]
  until [ "$(log '.[0].closed')" = true ]; do :; done
}

@test "extractive asks for a search in the question's words" {
  run -0 --separate-stderr sophia-model <<<"$(request '{"profile": "extractive",
    "tools": [{"name": "retrieve_messages", "description": "d",
    "parameters": {}}]}')"
  [ "$output" = '{"type":"tool_call","id":"r1","index":0,"call":"call_0","name":"retrieve_messages","arguments":"{\"query\":\"hi\",\"limit\":8}"}
{"type":"finish","id":"r1","reason":"calls"}' ]
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
}

@test "extractive needs no network and no libcurl start-up" {
  run -0 env ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=socket,connect -o "$BATS_TEST_TMPDIR/trace" \
    sophia-model <<<"$(request '{"profile": "extractive"}')"
  ! grep -q AF_INET "$BATS_TEST_TMPDIR/trace"
}

@test "the manual's example of a profile is valid" {
  awk '/^.Bd/ { on = 1; next } /^.Ed/ { on = 0 } on' \
    "$top/man/sophia-models.5" >"$SOPHIA_HOME/models/house.json"
  run -0 sophia-model -l house --jq .key
  [ "$output" = '"missing"' ]
}

@test "words are asked of the profile that is named" {
  provider
  run -0 sophia-model -p t -- what is up --text
  [ "$(log '.[0].body.messages[0].content')" = '"what is up --text"' ]
  run -2 --separate-stderr sophia-model what is up
}
