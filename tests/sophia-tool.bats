load helper

value() { jq -r .data.value; }
# The names of those in share/tools, in order.
shipped() { (cd "$top/share/tools" && printf '%s\n' *.json | sed 's/\.json$//'); }
math() { sophia-tool run evaluate_math "{\"expression\":\"$1\"}"; }

@test "list gives a valid record for each tool, by name" {
  sophia-tool list >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r .name "$BATS_TEST_TMPDIR/out"
  [ "${lines[*]}" = "$(shipped | xargs)" ]
}

@test "list for people is a line for each tool" {
  run -0 sophia-tool list --text
  grep -qx 'evaluate_math             Calculate exactly, with decimals of any length.' <<<"$output"
  [ "${#lines[@]}" -eq "$(shipped | wc -l)" ]
}

@test "show gives the schema, and for people its arguments" {
  sophia-tool show tool_search >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c '.parameters.required' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '["query"]' ]
  run -0 sophia-tool show --text tool_search
  [ "${lines[3]}" = '  query (string, needed)  What the tool should do, in a few words.' ]
}

@test "a tool that isn't there: exit 65" {
  run -65 --separate-stderr sophia-tool show nothing
  [ "$stderr" = 'sophia-tool: there is no tool nothing; see sophia tool list' ]
  [ -z "$output" ]
}

@test "wrong usage is exit 2, with the usage" {
  run -2 --separate-stderr sophia-tool
  [ "${stderr_lines[0]}" = 'sophia-tool: what is to be done?' ]
  run -2 sophia-tool show
  run -2 sophia-tool dance
}

@test "the manifests that are shipped have no fault" {
  run -0 sophia-tool check "$top"/share/tools/evaluate_math.json
  for program in sophia-retrieve sophia-task sophia-loop; do
    printf '#!/bin/sh\n' >"$BATS_TEST_TMPDIR/$program"
    chmod +x "$BATS_TEST_TMPDIR/$program"
  done
  PATH=$PATH:$BATS_TEST_TMPDIR run -0 sophia-tool check
  [ "$output" = "{\"type\":\"check\",\"tools\":$(shipped | wc -l),\"faults\":[]}" ]
}

@test "check names every fault, with file and field" {
  tool bad '{"parameters":{"type":"object"},"tier":"much","visible":"yes","colour":1}'
  echo '{' >"$SOPHIA_HOME/tools/worse.json"
  run -78 --separate-stderr sophia-tool check "$SOPHIA_HOME"/tools/{bad,worse}.json
  valid_records <<<"$output"
  run -0 jq -r '.faults[]' <<<"$output"
  here=$SOPHIA_HOME/tools
  [ "${lines[0]}" = "$here/bad.json: parameters: an object needs properties, even if empty" ]
  [ "${lines[1]}" = "$here/bad.json: parameters: an object needs required, even if empty" ]
  [ "${lines[2]}" = "$here/bad.json: tier: must be read, scratch, write or destructive" ]
  [ "${lines[3]}" = "$here/bad.json: visible: must be true or false" ]
  [ "${lines[4]}" = "$here/bad.json: colour: is no field of a manifest" ]
  [[ ${lines[5]} == "$here/worse.json: bad JSON at byte "* ]]
  [ "${#lines[@]}" -eq 6 ]
}

@test "a bad manifest stops every use: exit 78, naming file and field" {
  tool bad '{"time_limit_s":0}'
  run -78 --separate-stderr sophia-tool list
  [ "$stderr" = "sophia-tool: $SOPHIA_HOME/tools/bad.json: time_limit_s: must be from 1 to 86400" ]
}

@test "a manifest is called after its file" {
  tool one '{"name":"two"}'
  run -78 --separate-stderr sophia-tool list
  [[ $stderr == *"one.json: name: must be the file's name without .json" ]]
}

@test "a tool of five lines, dropped into the state folder, works at once" {
  tool greet '{"parameters":{"type":"object","required":["who"],"properties":{"who":{"type":"string"}}}}'
  script greet <<'SH'
#!/bin/sh
read -r call
who=$(printf '%s' "$call" | jq -r .arguments.who)
printf '{"type":"progress","text":"thinking"}\n'
jq -nc --arg s "Hello, $who." '{type: "result", ok: true, summary: $s}'
SH
  run -0 --separate-stderr sophia-tool run greet '{"who":"Ada"}'
  [ "${lines[0]}" = '{"type":"progress","text":"thinking"}' ]
  [ "${lines[1]}" = '{"type":"result","ok":true,"summary":"Hello, Ada."}' ]
  [ -z "$stderr" ]
  valid_records <<<"$output"
  run -0 sophia-tool run --text greet '{"who":"Ada"}'
  [ "$output" = 'Hello, Ada.' ]
}

@test "a manifest of the state folder goes before a shared one of its name" {
  tool finish '{"description":"Another end."}'
  run -0 sophia-tool show --jq .description finish
  [ "$output" = '"Another end."' ]
  run -0 sophia-tool list --jq .name
  [ "${#lines[@]}" -eq "$(shipped | wc -l)" ]
}

@test "the call that a program gets is a valid record" {
  tool echo_call '{"tier":"scratch"}'
  script echo_call <<SH
#!/bin/sh
cat >"$BATS_TEST_TMPDIR/call"
echo '{"type":"result","ok":true,"summary":"done"}'
SH
  sophia-tool run echo_call
  valid_records "$BATS_TEST_TMPDIR/call"
  run -0 jq -c '[.capability, .tier, .arguments, .context.actor.id]' "$BATS_TEST_TMPDIR/call"
  [ "$output" = '["echo_call","scratch",{},"local"]' ]
}

@test "arguments are checked before a program is started" {
  tool never '{"parameters":{"type":"object","required":[],"properties":{"n":{"type":"integer","maximum":100}}}}'
  script never <<SH
#!/bin/sh
touch "$BATS_TEST_TMPDIR/started"
SH
  run -65 --separate-stderr sophia-tool run never '{"n":500,"m":1}'
  [ "$stderr" = 'sophia-tool: arguments.n: 500 is more than 100;arguments.m: is not known here; there is n' ]
  [ ! -e "$BATS_TEST_TMPDIR/started" ]
}

@test "arguments come from stdin, too; what is no JSON is exit 65" {
  run -0 sophia-tool run evaluate_math - <<<'{"expression":"2^10"}'
  [ "$(value <<<"$output")" = 1024 ]
  run -65 --separate-stderr sophia-tool run evaluate_math '{'
  [[ $stderr == 'sophia-tool: arguments: bad JSON '* ]]
}

@test "an error of a tool is the exit code, and its text is passed on" {
  tool fails '{}'
  script fails <<'SH'
#!/bin/sh
echo '{"type":"error","kind":"denied","text":"not for you","effect":"none"}'
SH
  run -77 --separate-stderr sophia-tool run fails
  [ "$stderr" = 'sophia-tool: not for you' ]
  [ -z "$output" ]
}

@test "a result that is not ok is exit 1" {
  tool no '{}'
  script no <<'SH'
#!/bin/sh
echo '{"type":"result","ok":false,"summary":"no"}'
SH
  run -1 sophia-tool run no
}

@test "a program that dies, says nothing or talks nonsense is an error" {
  tool odd '{}'
  script odd <<<'#!/bin/sh
exit 75'
  run -75 --separate-stderr sophia-tool run odd
  script odd <<<'#!/bin/sh
:'
  run -70 --separate-stderr sophia-tool run odd
  [ "$stderr" = 'sophia-tool: the tool ended without a result' ]
  script odd <<<'#!/bin/sh
echo hello'
  run -70 --separate-stderr sophia-tool run odd
  [[ $stderr == 'sophia-tool: the tool wrote a bad record: bad JSON '* ]]
  script odd <<<'#!/bin/sh
kill -9 $$'
  run -70 --separate-stderr sophia-tool run odd
  [[ $stderr == *'killed by signal 9' ]]
}

@test "past its time a tool is 'again', and one that changes something was only checked" {
  tool slow '{"time_limit_s":1}'
  script slow <<<'#!/bin/sh
exec sleep 30'
  run -75 --separate-stderr sophia-tool run slow
  [ "$stderr" = 'sophia-tool: slow took longer than 1 s' ]
  tool slow '{"time_limit_s":1,"tier":"write","check":true}'
  run -75 sophia-tool run slow
}

@test "by hand a tool that changes something only says what it would do: exit 79" {
  tool paint '{"tier":"write","check":true}'
  script paint <<SH
#!/bin/sh
read -r call
printf '%s\n' "\$call" >>"$BATS_TEST_TMPDIR/calls"
case \$call in
  *'"phase":"check"'*) echo '{"type":"proposal","text":"paint it red","targets":[{"kind":"channel","id":"7"}]}' ;;
  *) touch "$BATS_TEST_TMPDIR/painted"; echo '{"type":"result","ok":true,"summary":"painted"}' ;;
esac
SH
  sophia-tool run --json paint >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || [ $? -eq 79 ]
  valid_records "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/calls"
  run -0 jq -r '[.type, .text] | join(": ")' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'proposal: paint it red' ]
  [[ $(<"$BATS_TEST_TMPDIR/err") == 'sophia-tool: paint changes something: it was only checked.'* ]]
  run -0 jq -r .phase "$BATS_TEST_TMPDIR/calls"
  [ "$output" = check ]
  run -79 sophia-tool run --text paint
  [ "${lines[0]}" = 'paint it red' ]
  [ ! -e "$BATS_TEST_TMPDIR/painted" ]
}

@test "by hand a tool that acts where it should check is not believed" {
  tool wild '{"tier":"write","check":true}'
  script wild <<<'#!/bin/sh
echo "{\"type\":\"result\",\"ok\":true,\"summary\":\"done\"}"'
  run -70 --separate-stderr sophia-tool run wild
  [ "$stderr" = 'sophia-tool: the tool ended without a result' ]
}

@test "a tool that changes something must say that it can check" {
  tool rash '{"tier":"write"}'
  tool timid '{"check":true}'
  run -78 sophia-tool check "$SOPHIA_HOME/tools/rash.json" "$SOPHIA_HOME/tools/timid.json"
  [[ $output == *'rash.json: check: must be true for a tool that changes something'* ]]
  [[ $output == *'timid.json: check: is for tools that change something'* ]]
}

@test "a child gets no secret that its manifest doesn't need" {
  export DISCORD_TOKEN=t0p SOPHIA_SEARCH_KEY=s3cret MY_API_KEY=k3y SOPHIA_SECRETS=/s
  export HARMLESS=yes
  for needs in '[]' '["discord"]' '["search","network"]' '["task","index"]'; do
    tool look "{\"needs\":$needs}"
    script look <<SH
#!/bin/sh
tr '\\0' '\\n' </proc/\$\$/environ >"$BATS_TEST_TMPDIR/env"
echo '{"type":"result","ok":true,"summary":"seen"}'
SH
    sophia-tool run look
    got=$(grep -E '^(DISCORD_TOKEN|SOPHIA_SEARCH_KEY|MY_API_KEY|SOPHIA_SECRETS|HARMLESS)=' \
      "$BATS_TEST_TMPDIR/env" | cut -d= -f1 | sort | tr '\n' ' ')
    case $needs in
      *discord*) want='DISCORD_TOKEN HARMLESS SOPHIA_SECRETS ' ;;
      *search*) want='HARMLESS SOPHIA_SEARCH_KEY SOPHIA_SECRETS ' ;;
      *) want='HARMLESS ' ;;
    esac
    [ "$got" = "$want" ] || { echo "$needs: $got"; return 1; }
    grep -qx "SOPHIA_HOME=$SOPHIA_HOME" "$BATS_TEST_TMPDIR/env"
  done
}

@test "evaluate_math is exact, and says when it isn't" {
  run -0 math '0.1 + 0.2'
  [ "$(jq -c .data <<<"$output")" = '{"value":"0.3","exact":true}' ]
  run -0 math '1/3'
  [ "$(jq -c .data.exact <<<"$output")" = false ]
  run -65 --separate-stderr math '9^9^9'
  [ "$stderr" = 'sophia-tool: this exponent is too big' ]
}

@test "measure_text_length counts what people see" {
  run -0 sophia-tool run measure_text_length '{"text":"na\u00efve \ud83d\udc4d\ud83c\udffd"}'
  [ "$(jq -c .data <<<"$output")" = '{"characters":7,"words":1,"lines":1,"code_points":8,"utf16_units":10,"bytes":15}' ]
}

@test "tool_search reveals what is hidden and fits" {
  run -0 sophia-tool run tool_search '{"query":"how long is this text in characters","limit":2}'
  [ "$(jq -c '[.data[].name]' <<<"$output")" = '["measure_text_length","tool_search"]' ] ||
    [ "$(jq -c '.data[0].name' <<<"$output")" = '"measure_text_length"' ]
  [ "$(jq -c '.reveal[0]' <<<"$output")" = '"measure_text_length"' ]
  run -0 sophia-tool run tool_search '{"query":"zzz"}'
  [ "$(jq -c '[.summary, .data, .reveal]' <<<"$output")" = '["no tool fits",[],[]]' ]
}

sift() {
  sophia-tool run query_json "$(jq -nc --arg f "$1" --arg d "${2:-[1,2,3]}" '{filter: $f, data: $d}')"
}

@test "query_json gives each output of the filter" {
  run -0 sift '.[] | select(. > 1)'
  [ "$(jq -c '[.summary, .data]' <<<"$output")" = '["2 results",[2,3]]' ]
  run -0 sift empty
  [ "$(jq -c '[.summary, .data]' <<<"$output")" = '["0 results",[]]' ]
}

@test "query_json says what is wrong with a filter, its input and itself" {
  run -65 --separate-stderr sift '.a['
  [[ $stderr == 'sophia-tool: filter: jq: error: syntax error'* ]]
  run -65 --separate-stderr sift '.a'
  [ "$stderr" = 'sophia-tool: Cannot index array with string "a"' ]
  run -65 --separate-stderr sift . '{'
  [[ $stderr == 'sophia-tool: arguments.data: bad JSON '* ]]
  run -65 --separate-stderr sophia-tool run query_json '{"filter":"."}'
  [ "$stderr" = 'sophia-tool: give either data or the id of a call' ]
  run -65 --separate-stderr sophia-tool run query_json '{"filter":".","call":"x.1"}'
  [ "$stderr" = 'sophia-tool: this task has no call x.1' ]
}

@test "a filter sees no environment and no file, and reads no more input" {
  export SECRETLESS=here
  run -0 sift 'env, $ENV'
  [ "$(jq -c .data <<<"$output")" = '[{},{}]' ]
  echo '{"leak":1}' >"$BATS_TEST_TMPDIR/x.json"
  run -65 sift "import \"x\" as \$x {search:\"$BATS_TEST_TMPDIR\"}; \$x"
  [[ $output != *leak* ]]
  run -65 --separate-stderr sift 'input'
  [ "$stderr" = 'sophia-tool: there is no more input' ]
  run -0 --separate-stderr sift '.[0] | debug'
  [ "$(jq -c .data <<<"$output")" = '[1]' ]
  [ -z "$stderr" ]
}

@test "a filter that never ends, or never stops growing, is ended" {
  run -69 --separate-stderr sift 'def f: f; f'
  [ "$stderr" = 'sophia-tool: the filter takes too long: 5 s' ]
  run -69 --separate-stderr sift 'range(1e9)'
  [ "$stderr" = 'sophia-tool: the result is more than 262144 bytes' ]
}

@test "inspect_runtime shows what there is, and nothing secret" {
  mkdir "$SOPHIA_HOME/models"
  echo '{"protocol":"chat","model":"m","key_env":"MY_API_KEY","headers":{"X":"h1dden"}}' \
    >"$SOPHIA_HOME/models/mine.json"
  echo '{"version":1,"profile":"mine"}' >"$SOPHIA_HOME/settings.json"
  export MY_API_KEY=k3y
  run -0 --separate-stderr sophia-tool run inspect_runtime
  [ "$(jq -c '.data.profile' <<<"$output")" = '{"id":"mine","protocol":"chat","model":"m"}' ]
  [ "$(jq -c '.data.permissions.tiers | map(.decision)' <<<"$output")" = '["allow","allow","ask","ask"]' ]
  [ "$(jq -c '.data.task' <<<"$output")" = null ]
  [[ $output != *k3y* && $output != *h1dden* ]]
  run -0 sophia-tool run inspect_runtime '{"part":"version"}'
  [ "$(jq -r '.data.version.sophia' <<<"$output")" = "$(sophia-tool --version | cut -d' ' -f2)" ]
}

@test "finish is the loop's: it can't be run by hand" {
  run -69 --separate-stderr sophia-tool run finish '{"text":"x"}'
  [ "$stderr" = 'sophia-tool: finish is done by the loop itself, in a task' ]
}

call() {
  jq -nc --arg c "$1" --argjson a "$2" '{type: "call", id: "00000000000000000000.7",
    capability: $c, arguments: $a, tier: "read", context: {visibility: "private",
    actor: {id: "local", name: "x"}, location: {kind: "local"}}}'
}

@test "--serve answers call after call, each with its id, whatever comes" {
  { call evaluate_math '{"expression":"1+1"}'
    echo nonsense
    echo '{"type":"cancel","id":"x"}'
    echo '{"type":"call","id":"a.1"}'
    call no_such '{}'
    call evaluate_math '{"expression":"1+"}'
    call evaluate_math '{}'
    call measure_text_length '{"text":""}'
  } >"$BATS_TEST_TMPDIR/in"
  run -0 --separate-stderr sophia-tool --serve <"$BATS_TEST_TMPDIR/in"
  [ -z "$stderr" ]
  [ "${#lines[@]}" -eq 7 ]
  [ "${lines[0]}" = '{"type":"result","id":"00000000000000000000.7","ok":true,"summary":"2","data":{"value":"2","exact":true}}' ]
  [ "$(jq -c '[.type, .id, .kind]' <<<"$output" | tr '\n' ' ')" = '["result","00000000000000000000.7",null] ["error",null,"input"] ["error","a.1","input"] ["error","00000000000000000000.7","input"] ["error","00000000000000000000.7","input"] ["error","00000000000000000000.7","input"] ["result","00000000000000000000.7",null] ' ]
  sed 3d <<<"$output" | valid_records
}

# A task of the local operator, with one call that is done and one that is not.
make_task() {
  /usr/bin/python3 - "$top/share/schema/tasks" "$SOPHIA_HOME/tasks.sqlite" "$1" <<'PY'
import pathlib, sqlite3, sys
folder, path, task = sys.argv[1:]
db = sqlite3.connect(path)
files = sorted(pathlib.Path(folder).glob("*.sql"))
for f in files:
    db.executescript(f.read_text())
db.execute(f"PRAGMA user_version = {len(files)}")
db.execute("PRAGMA application_id = 0x536f7068")
def put(table, **row):
    db.execute(f"INSERT INTO {table} ({','.join(row)}) VALUES ({','.join('?' * len(row))})", [*row.values()])
put("task", id=task, owner="local", owner_name="x", location="local", visibility="private",
    objective="count things", approval="ask", profile="extractive", state="running",
    created_ms=0, changed_ms=0, calls=2)
put("turn", id=task[::-1], task=task, n=1, actor="local", actor_name="x", text="count things",
    record="{}", state="running", started_ms=0)
put("round", task=task, n=1, turn=task[::-1], message="{}", at_ms=0)
put("call", task=task, n=1, round=1, capability="x", arguments="{}", tier="read",
    state="ok", output='{"type":"result","ok":true,"summary":"s","data":{"n":[3,4]}}',
    started_ms=0, ended_ms=1)
put("call", task=task, n=2, round=1, capability="x", arguments="{}", tier="read",
    state="open", started_ms=0)
db.commit()
PY
}

@test "query_json and inspect_runtime see the task of the call, and no other" {
  id=06h2v0zj22khph25hpd0
  make_task $id
  run -0 --separate-stderr sophia-tool run -t $id query_json "{\"filter\":\".data.n|add\",\"call\":\"$id.1\"}"
  [ "$(jq -c .data <<<"$output")" = '[7]' ]
  run -65 --separate-stderr sophia-tool run -t $id query_json "{\"filter\":\".\",\"call\":\"$id.2\"}"
  [ "$stderr" = "sophia-tool: this task has no call $id.2, or it has not ended" ]
  run -65 --separate-stderr sophia-tool run query_json "{\"filter\":\".\",\"call\":\"$id.1\"}"
  [ "$stderr" = "sophia-tool: this task has no call $id.1" ]
  run -65 sophia-tool run -t 06h2v0zj22khph25hpd1 query_json "{\"filter\":\".\",\"call\":\"$id.1\"}"
  run -0 sophia-tool run -t $id inspect_runtime '{"part":"task"}'
  [ "$(jq -c '.data.task | [.id, .state, .objective, .calls]' <<<"$output")" = "[\"$id\",\"running\",\"count things\",2]" ]
  echo secret | sophia-sandbox files put $id data/x.txt >/dev/null
  run -0 sophia-tool run -t $id inspect_runtime '{"part":"files"}'
  [ "$(jq -c '.data.files | [(.list[0] | .path, .media, .size), .count, .bytes, .artifacts]' <<<"$output")" = \
    '["data/x.txt","text/plain",7,1,7,[]]' ]
  [[ $output != *secret* ]]
  run -0 sophia-tool run inspect_runtime '{"part":"files"}'
  [ "$(jq -c .data <<<"$output")" = '{"files":null}' ]
}
