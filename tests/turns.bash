# turns.bash - for suites that run whole turns: the real loop, the real model
# program, and a provider on 127.0.0.1 that says what the test tells it to.

# In setup_file: one provider for the suite. It ends when its input does.
provider_start() {
  mkfifo "$BATS_FILE_TMPDIR/provider.in" "$BATS_FILE_TMPDIR/provider.out"
  "$BATS_TEST_DIRNAME/peers/provider" "$@" <"$BATS_FILE_TMPDIR/provider.in" \
    >"$BATS_FILE_TMPDIR/provider.out" 3>&- &
  provider_pid=$!
  exec 7>"$BATS_FILE_TMPDIR/provider.in"
  read -r port <"$BATS_FILE_TMPDIR/provider.out"
  export port provider_pid
}

# In teardown_file.
provider_stop() {
  kill "$provider_pid"
}

# In setup: forget what came before, and make the profile `fake`.
provider_use() {
  provider POST reset '' >/dev/null
  mkdir -p "$SOPHIA_HOME/models"
  profile fake 32768 >"$SOPHIA_HOME/models/fake.json"
}

# profile NAME CONTEXT [MORE] - a profile that asks the provider.
profile() {
  printf '{"id":"%s","protocol":"chat","base_url":"http://127.0.0.1:%s/v1",' "$1" "$port"
  printf '"model":"m","context":%s,"reserve":1024%s}\n' "$2" "${3:+,$3}"
}

# provider METHOD WHAT BODY - a request to its controls; prints the answer.
provider() {
  local LC_ALL=C line
  exec 9<>"/dev/tcp/127.0.0.1/$port"
  printf '%s /control/%s HTTP/1.0\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s' \
    "$1" "$2" "${#3}" "$3" >&9
  while read -r line <&9 && [ "$line" != $'\r' ]; do :; done
  cat <&9
  exec 9>&-
}

# says STEP... - what the model says next; see peers/provider.
says() {
  local IFS=,
  provider POST steps "[$*]" >/dev/null
}

# asked [JQ] - what the provider was sent, a list of request bodies.
asked() {
  provider GET log '' | jq -r "map(.body) | ${1:-.}"
}

# calls [NAME ARGUMENTS]... - a step that calls those tools.
calls() {
  local list=
  while [ $# -gt 0 ]; do
    list+=${list:+,}"{\"name\":\"$1\",\"arguments\":$2}"
    shift 2
  done
  printf '{"calls":[%s]}' "$list"
}

# turn TEXT [JSON-FIELDS] - a turn record that asks the profile `fake`.
turn() {
  printf '{"type":"turn","id":"0z%018d","actor":{"id":"local","name":"Ada"},' \
    "${EPOCHREALTIME/./}"
  printf '"location":{"kind":"local"},"visibility":"private","text":"%s",' "$1"
  printf '"attachments":[],"approval":"ask","profile":"fake"%s}\n' "${2:+,$2}"
}

# loop TEXT [JSON-FIELDS] - run that turn.
loop() {
  turn "$@" | sophia-loop
}

# types - the types of the records in $output, without the pieces of text.
types() {
  jq -r '.type | select(. != "delta" and . != "usage")' <<<"$output" | xargs
}

# pick JQ - of the records in $output.
pick() {
  jq -r "$1" <<<"$output"
}

# sh_tool NAME [JSON-FIELDS] - a tool whose program is the shell text on stdin.
# It finds the call in $call, its id in $id, and answers with `result TEXT`.
sh_tool() {
  tool "$1" "${2:-"{}"}"
  script "$1" <<SH
#!/bin/bash
read -r call
id=\${call#*\"id\":\"} id=\${id%%\"*}
result() {
  printf '{"type":"result","id":"%s","ok":true,"summary":"%s"}\n' "\$id" "\$1"
}
$(cat)
SH
}

# sql QUERY - of the store of tasks.
sql() {
  sqlite3 -readonly "$SOPHIA_HOME/tasks.sqlite" "$1"
}

# until_true COMMAND... - look again until it is; $patience s at most, or 10.
until_true() {
  local end=$((SECONDS + ${patience:-10}))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || { echo "never: $*" >&2; return 1; }
    read -rt 0.02 <> <(:) || :
  done
}

# asked_times N - wait until the provider was asked so often; sql_is QUERY VALUE.
asked_times() {
  until_true eval '[ "$(provider GET log "" | jq length)" -ge '"$1"' ]'
}

sql_is() {
  until_true eval '[ "$(sql "'"$1"'" 2>/dev/null)" = "'"$2"'" ]'
}
export -f provider until_true asked_times sql sql_is
