load helper
load turns

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
}

answer() { pick 'select(.type == "answer").text'; }
verdict() { pick 'select(.type == "done") | "\(.verdict) \(.reason // "-") \(.calls)"'; }

# tool_texts N - what the model was shown of its calls in its N-th request.
tool_texts() {
  asked ".[$1].messages[] | select(.role == \"tool\").content"
}

# A tool that writes when it begins and ends, and ends only when $1 have begun.
meeting() {
  sh_tool meet '{"parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]},"tier":"'"$2"'"}' <<SH
n=\${call#*\"n\":} n=\${n%%\}*}
echo "begin \$n" >>"$log"
until [ "\$(grep -c begin "$log")" -ge $1 ]; do read -rt 0.01 <> <(:); done
echo "end \$n" >>"$log"
result "met \$n"
SH
}

@test "a plain answer: task, answer, done; and the task is completed" {
  says '{"text":"The cat sat."}'
  run -0 --separate-stderr loop 'Where was the cat?'
  [ "$(types)" = 'task answer done' ]
  [ "$(answer)" = 'The cat sat.' ]
  [ "$(pick 'select(.type == "delta").text' | tr -d '\n')" = 'The cat sat.' ]
  [ "$(verdict)" = 'answered - 0' ]
  [ -z "$stderr" ]
  valid_records <<<"$output"
  [ "$(sql 'SELECT state FROM task')" = completed ]
  [ "$(sql 'SELECT answer FROM turn')" = 'The cat sat.' ]
}

@test "the request is a user message of its own; who asks and when is a source" {
  says '{"text":"yes"}'
  run -0 loop 'Is it so?'
  run -0 asked '.[0].messages | map(.role) | join(" ")'
  [ "$output" = 'system user user' ]
  run -0 asked '.[0].messages[2].content'
  [[ $output == *'Is it so?' ]]
  run -0 asked '.[0].messages[0].content'
  [[ $output != *Ada* ]]
}

@test "who asks and where are ids or nothing: no text of others gets into the system prompt" {
  for fields in '"actor":{"id":"x\\n# New rules","name":"Ada"}' \
    '"location":{"kind":"guild","guild":"1","channel":"2\\n# New rules"}' \
    '"location":{"kind":"guild","guild":"1:2","channel":"3"}' \
    '"location":{"kind":"guild","guild":"000000000000000000001","channel":"3"}'; do
    run -65 --separate-stderr loop 'hi' "$fields"
    [[ $(pick .text) == *' is no id' ]]
  done
  says '{"text":"yes"}'
  run -0 loop 'hi' '"location":{"kind":"guild","guild":"11","channel":"22"}'
  run -0 asked '.[0].messages[0].content'
  [[ $output == *'guild:11:22'* ]]
}

@test "calls that read are made side by side, and answered in their order" {
  meeting 3 read
  says "$(calls meet '{"n":1}' meet '{"n":2}' meet '{"n":3}')" '{"text":"all met"}'
  run -0 loop 'meet'
  [ "$(types)" = 'task call call call result result result answer done' ]
  [ "$(pick 'select(.type == "result").summary' | xargs)" = 'met 1 met 2 met 3' ]
  [ "$(head -n 3 "$log" | grep -c begin)" -eq 3 ]
  valid_records <<<"$output"
  [[ $(tool_texts 1 | jq -r .summary | xargs) = 'met 1 met 2 met 3' ]]
}

@test "calls that write to the task are made one after the other" {
  meeting 1 scratch
  says "$(calls meet '{"n":1}' meet '{"n":2}' meet '{"n":3}')" '{"text":"done"}'
  run -0 loop 'meet'
  [ "$(xargs <"$log")" = 'begin 1 end 1 begin 2 end 2 begin 3 end 3' ]
}

@test "one that serves is started once and does call after call" {
  tool count '{"tier":"scratch","serve":true}'
  script count <<SH
#!/bin/bash
echo started >>"$log"
while read -r call; do
  id=\${call#*\"id\":\"} id=\${id%%\"*} n=\$((n + 1))
  printf '{"type":"progress","id":"%s","text":"at %d"}\n' "\$id" \$n
  printf '{"type":"result","id":"%s","ok":true,"summary":"%d"}\n' "\$id" \$n
done
SH
  says "$(calls count '{}' count '{}')" "$(calls count '{}')" '{"text":"3"}'
  run -0 loop 'count'
  [ "$(pick 'select(.type == "result").summary' | xargs)" = '1 2 3' ]
  [ "$(pick 'select(.type == "progress").text' | xargs)" = 'at 1 at 2 at 3' ]
  [ "$(cat "$log")" = started ]
  valid_records <<<"$output"
}

@test "the shipped tools answer: sums, notes and lengths, in one batch" {
  says "$(calls evaluate_math '{"expression":"6*7"}' note_add '{"text":"six sevens"}' \
    measure_text_length '{"text":"abc"}')" '{"text":"42"}'
  run -0 --separate-stderr loop 'reckon'
  [ "$(pick 'select(.type == "result").ok' | xargs)" = 'true true true' ]
  [ "$(sql 'SELECT text FROM note')" = 'six sevens' ]
  [ "$(verdict)" = 'answered - 3' ]
  valid_records <<<"$output"
}

@test "a tool nobody knows, and arguments that are wrong, are told and mended" {
  says "$(calls nothing '{}' evaluate_math '{"expr":"1+1"}' evaluate_math '"{\"expression\""')" \
    "$(calls evaluate_math '{"expression":"1+1"}')" '{"text":"2"}'
  run -0 loop 'add'
  [ "$(types)" = 'task call call call error error error call result answer done' ]
  valid_records <<<"$output"
  [ "$(pick 'select(.type == "error").kind' | xargs)" = 'input input input' ]
  run -0 tool_texts 1
  [[ ${lines[0]} == *'there is no tool called nothing; tool_search finds tools'* ]]
  [[ ${lines[1]} == *expression* ]]
  [[ ${lines[2]} == *'the arguments are not a JSON object'* ]]
}

@test "a tool that dies, says nothing, talks nonsense or is late is an error" {
  sh_tool dies <<<'exit 75'
  sh_tool mute <<<':'
  sh_tool odd <<<'echo hello'
  sh_tool killed <<<'kill -9 $$'
  sh_tool late '{"time_limit_s":1}' <<<'exec sleep 30'
  says "$(calls dies '{}' mute '{}' odd '{}' killed '{}' late '{}')" '{"text":"sorry"}'
  run -0 --separate-stderr loop 'try'
  run -0 pick 'select(.type == "error") | "\(.kind) \(.text)"'
  [[ ${lines[0]} == again*'exit code 75' ]]
  [[ ${lines[1]} == internal*'ended without an answer' ]]
  [[ ${lines[2]} == internal*'bad JSON'* ]]
  [[ ${lines[3]} == internal*'killed by signal 9' ]]
  [[ ${lines[4]} == again*'did not answer in time' ]]
}

@test "a result for another call is not taken for this one's" {
  tool cross '{"serve":true,"time_limit_s":1}'
  script cross <<'SH'
#!/bin/bash
while read -r call; do
  echo '{"type":"result","id":"someone.1","ok":true,"summary":"not yours"}'
  echo '{"type":"result","ok":true,"summary":"nobody is named"}'
done
SH
  says "$(calls cross '{}')" '{"text":"no"}'
  run -0 loop 'try'
  [ "$(types)" = 'task call error answer done' ]
  [[ $(tool_texts 1) == *'did not answer in time'* ]]
}

@test "a result that is refused says so, and is no success" {
  sh_tool no <<<'echo "{\"type\":\"result\",\"id\":\"$id\",\"ok\":false,\"summary\":\"empty\"}"'
  says "$(calls no '{}')" '{"text":"nothing"}'
  run -0 loop 'try'
  [ "$(sql 'SELECT state FROM call')" = error ]
}

@test "a result longer than the model is shown stays whole in the store" {
  sh_tool long <<'SH'
printf '{"type":"result","id":"%s","ok":true,"summary":"long","data":"%0200000d"}\n' "$id" 7
SH
  says "$(calls long '{}')" '{"text":"ok"}'
  run -0 loop 'read'
  [ "$(tool_texts 1 | wc -c)" -lt 1000 ]
  [[ $(tool_texts 1) == *query_json* ]]
  [ "$(sql 'SELECT length(output) FROM call')" -gt 200000 ]
}

@test "the same call with new answers may go on" {
  sh_tool next <<SH
echo x >>"$log"
result "\$(wc -l <"$log")"
SH
  says "{\"times\":6,$(calls next '{}' | cut -c2-)" '{"text":"six"}'
  run -0 loop 'count'
  [ "$(verdict)" = 'answered - 6' ]
}

@test "after four failures in a row the model is told, after eight it stops" {
  for n in 1 2 3 4 5 6 7 8 9; do
    says "$(calls evaluate_math '{"expression":"'$n'/0"}')"
  done
  run -75 loop 'divide'
  [ "$(verdict)" = 'paused guard 8' ]
  run -0 asked '.[4].messages[-1].content'
  [[ $output == *'Several calls failed in a row'* ]]
}

@test "calls of tools that nobody knows count as failures, however often" {
  says "{\"times\":0,$(calls no_such_tool '{}' | cut -c2-)"
  run -75 loop 'do it'
  [ "$(verdict)" = 'paused guard 8' ]
}

@test "an empty reply is corrected once, then the task pauses" {
  says '{"text":""}' '{"text":""}' '{"text":"late"}'
  run -75 loop 'hello'
  [ "$(verdict)" = 'paused guard 0' ]
  [[ $(asked '.[1].messages[-1].content') == *'Your reply was empty'* ]]
  provider POST reset '' >/dev/null
  says '{"text":""}' '{"text":"here"}'
  run -0 loop 'hello'
  [ "$(answer)" = here ]
}

@test "a reply that was cut off is asked for again, shorter" {
  says '{"text":"on and on","finish":"length"}' '{"text":"short"}'
  run -0 loop 'tell'
  [ "$(answer)" = short ]
  [[ $(asked '.[1].messages[-1].content') == *'too long'* ]]
}

@test "a content filter is a failure: exit 69" {
  says '{"text":"","finish":"content_filter"}'
  run -69 --separate-stderr loop 'tell'
  [ "$(verdict)" = 'failed refused 0' ]
  [ "$(pick 'select(.type == "error").text')" = "the provider's content filter stopped the answer" ]
  [ -z "$stderr" ]
}

@test "a provider that refuses is a failure, one that is down a pause" {
  says '{"status":401,"body":{"error":{"message":"no"}}}'
  run loop 'tell'
  [ "$status" -ne 0 ] && [ "$status" -ne 75 ]
  [ "$(pick 'select(.type == "done").verdict')" = failed ]
  printf '{"id":"fake","protocol":"chat","base_url":"http://127.0.0.1:9","model":"m","context":32768,"reserve":1024}' \
    >"$SOPHIA_HOME/models/fake.json"
}

source_tool() {
  sh_tool look <<'SH'
printf '{"type":"result","id":"%s","ok":true,"summary":"one","sources":[{"url":"https://discord.com/channels/1/2/3","revision":"0-x","author":{"id":"5","name":"ada"},"channel":{"id":"2","name":"general"},"at":"2026-01-01T00:00:00.000Z","text":"the cat"}]}\n' "$id"
SH
}

@test "a source that is linked is cited, without its text" {
  source_tool
  says "$(calls look '{}')" '{"text":"It sat: https://discord.com/channels/1/2/3"}'
  run -0 loop 'find'
  [ "$(pick 'select(.type == "answer").sources | map(.url) | join(" ")')" = https://discord.com/channels/1/2/3 ]
  [ "$(pick 'select(.type == "answer").sources[0].text')" = null ]
  valid_records <<<"$output"
}

@test "a made-up link is corrected once" {
  source_tool
  says "$(calls look '{}')" '{"text":"See https://discord.com/channels/1/2/999"}' \
    '{"text":"See https://discord.com/channels/1/2/3"}'
  run -0 loop 'find'
  [ "$(answer)" = 'See https://discord.com/channels/1/2/3' ]
  [[ $(asked '.[2].messages[-1].content') == *https://discord.com/channels/1/2/999* ]]
}

@test "finish ends the turn with its text" {
  says "$(calls finish '{"text":"The end."}')" '{"text":"never asked"}'
  run -0 loop 'end'
  [ "$(types)" = 'task call result answer done' ]
  [ "$(answer)" = 'The end.' ]
  [ "$(asked length)" = 1 ]
}

@test "tool_search shows the model a tool that it did not see before" {
  names='.tools | map(.function.name) | index("random_channel_message")'
  says "$(calls tool_search '{"query":"random message by chance"}')" '{"text":"ok"}'
  run -0 loop 'one at random'
  [ "$(asked ".[0] | $names")" = null ]
  [ "$(asked ".[1] | $names")" != null ]
}

@test "a steer from another terminal makes a slow model's answer stale" {
  says '{"hang":"before"}' '{"text":"about dogs"}'
  loop 'about cats' >"$log" &
  pid=$!
  until_true grep -q '"type":"task"' "$log"
  task=$(jq -r 'select(.type == "task").id' "$log")
  sophia-task steer "$task" 'about dogs, please'
  wait "$pid"
  output=$(cat "$log")
  [ "$(answer)" = 'about dogs' ]
  [[ $(asked '.[-1].messages[-1].content') == *'about dogs, please'* ]]
}

@test "a stop from another terminal ends it at once: cancelled, exit 75" {
  says '{"hang":"before"}'
  loop 'wait' >"$log" &
  pid=$!
  until_true grep -q '"type":"task"' "$log"
  sophia-task stop "$(jq -r 'select(.type == "task").id' "$log")"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" -eq 75 ]
  output=$(cat "$log")
  [ "$(verdict)" = 'cancelled - 0' ]
  [ "$(sql 'SELECT state FROM task')" = cancelled ]
}

@test "a task that goes on shows its earlier turns, plan, notes as sources" {
  says "$(calls note_add '{"text":"the cat is grey"}')" '{"text":"It sat."}' '{"text":"Grey."}'
  run -0 loop 'Where was the cat?'
  task=$(pick 'select(.type == "task").id')
  run -0 loop 'Which colour?' "\"task\":\"$task\""
  [ "$(pick 'select(.type == "task").id')" = "$task" ]
  run -0 asked '.[-1].messages | map(select(.role == "user").content) | .[]'
  [[ $output == *'earlier turns'*'Where was the cat?'*'It sat.'*'the cat is grey'*'Which colour?' ]]
  [ "$(sql 'SELECT count(*) FROM task')" = 1 ]
}

@test "too long for the window: the oldest results go first, pairs are kept" {
  profile fake 16384 >"$SOPHIA_HOME/models/fake.json"
  sh_tool big '{"parameters":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}' <<'SH'
n=${call#*\"n\":} n=${n%%\}*}
printf '{"type":"result","id":"%s","ok":true,"summary":"big %s","data":"%012000d"}\n' "$id" "$n" 0
SH
  for n in 1 2 3 4 5; do says "$(calls big "{\"n\":$n}")"; done
  says '{"text":"all read"}'
  run -0 loop 'read all'
  [ "$(answer)" = 'all read' ]
  run -0 asked '.[-1].messages | map(select(.role == "tool").content | test("left out")) | map(tostring) | join(" ")'
  [[ $output == 'true '*' false' ]]
  run -0 asked '.[-1] | (.messages | map(select(.role == "tool").tool_call_id)) == (.messages | map(.tool_calls // [] | .[].id))'
  [ "$output" = true ]
  run -0 asked '.[-1].tools | map(.function.name) | index("query_json") != null'
  [ "$output" = true ]
}

@test "a provider that counts differently: once more with less" {
  sh_tool big <<'SH'
printf '{"type":"result","id":"%s","ok":true,"summary":"big","data":"%020000d"}\n' "$id" 0
SH
  says "$(calls big '{}')" "$(calls evaluate_math '{"expression":"1"}')" \
    '{"status":400,"body":{"error":{"code":"context_length_exceeded","message":"too long"}}}' \
    '{"text":"fits"}'
  profile fake 14000 >"$SOPHIA_HOME/models/fake.json"
  run -0 loop 'read'
  [ "$(answer)" = fits ]
  [[ $(tool_texts 3) == *'left out'* ]]
}

@test "what can't be made to fit pauses the task, with everything kept" {
  profile fake 2048 >"$SOPHIA_HOME/models/fake.json"
  run -75 loop 'anything'
  [ "$(verdict)" = 'paused context 0' ]
  [[ $(pick 'select(.type == "paused").text') == *'sophia task resume'* ]]
  [ "$(asked length)" = 0 ]
}

@test "a profile that isn't there: exit 78, and nothing begins" {
  run -78 --separate-stderr loop 'hello' '"profile":"none"'
  [ "$(types)" = error ]
  [[ $output == *none* && -z $stderr ]]
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
}

@test "a limit on calls pauses the task before it is passed" {
  sophia-settings set runtime.tool_call_limit 2
  says "$(calls evaluate_math '{"expression":"1"}' evaluate_math '{"expression":"2"}')" \
    "$(calls evaluate_math '{"expression":"3"}')"
  run -75 loop 'count'
  [ "$(verdict)" = 'paused budget 2' ]
}

@test "a budget that is used up pauses the task, and no model is asked" {
  sophia-settings set budget.installation 0
  says '{"text":"never asked for"}'
  run -75 loop 'spend'
  [ "$(types)" = 'task paused done' ]
  [ "$(verdict)" = 'paused budget 0' ]
  [ "$(asked length)" = 0 ]
  [ "$(sql 'SELECT count(*) FROM usage')" = 0 ]
  sophia-settings unset budget.installation
  run -0 loop 'spend'
  [ "$(answer)" = 'never asked for' ]
}

@test "what is no turn is refused: exit 65; a turn runs once: exit 69" {
  run -65 --separate-stderr sophia-loop </dev/null
  [ "$output" = '{"type":"error","kind":"input","text":"there is no turn to run","effect":"none"}' ]
  run -65 sophia-loop <<<'{"type":"turn"}'
  run -65 sophia-loop <<<'hello'
  turn 'twice' >"$log"
  run -0 sophia-loop <"$log"
  run -69 sophia-loop <"$log"
}

@test "a steer while calls are made skips those that have not begun" {
  sh_tool gate '{"tier":"scratch"}' <<SH
echo begun >>"$log"
until [ -e "$log.go" ]; do read -rt 0.01 <> <(:); done
result through
SH
  says "$(calls gate '{}' gate '{}')" '{"text":"so be it"}'
  loop 'go' >"$log.out" &
  pid=$!
  until_true [ -e "$log" ]
  task=$(jq -r 'select(.type == "task").id' "$log.out")
  sophia-task steer "$task" 'not that'
  touch "$log.go"
  wait "$pid"
  output=$(cat "$log.out")
  [ "$(cat "$log")" = begun ]
  [[ $(pick 'select(.type == "error").text') == 'skipped: '* ]]
  [ "$(sql 'SELECT group_concat(state) FROM (SELECT state FROM call ORDER BY n)')" = ok,skipped ]
  [[ $(asked '.[1].messages[-1].content') == *'not that'* ]]
}

@test "a result may leave the id out where a program does one call" {
  sh_tool plain <<<'echo "{\"type\":\"result\",\"ok\":true,\"summary\":\"mine\"}"'
  says "$(calls plain '{}')" '{"text":"yes"}'
  run -0 loop 'try'
  [ "$(types)" = 'task call result answer done' ]
  valid_records <<<"$output"
  [ "$(pick 'select(.type == "call").id')" = "$(pick 'select(.type == "result").id')" ]
}

@test "the same call with the same answer: corrected once, then paused" {
  sh_tool same <<<'result same'
  says "{\"times\":9,$(calls same '{}' | cut -c2-)"
  run -75 --separate-stderr loop 'again'
  [ "$(types)" = 'task call result call result call error call error paused done' ]
  [ "$(verdict)" = 'paused guard 4' ]
  [[ $(pick 'select(.type == "error").text') == *'made twice already'* ]]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|guard' ]
}

@test "a result that is too long is an error, not the end" {
  sh_tool huge <<'SH'
{ printf '{"type":"result","ok":true,"summary":"'; head -c 1048530 /dev/zero | tr '\0' x; echo '"}'; }
SH
  says "$(calls huge '{}')" '{"text":"too much"}'
  run -0 --separate-stderr loop 'read'
  [ "$(types)" = 'task call error answer done' ]
}

@test "an answer that is no proper record is an error that names the fault" {
  sh_tool odd <<<'echo "{\"type\":\"error\",\"id\":\"$id\",\"kind\":\"fun\"}"'
  sh_tool odder <<<'echo "{\"type\":\"answer\",\"id\":\"$id\",\"text\":\"hi\"}"'
  says "$(calls odd '{}' odder '{}')" '{"text":"no"}'
  run -0 loop 'try'
  [ "$(types)" = 'task call call error error answer done' ]
  valid_records <<<"$output"
  [[ $(pick 'select(.type == "error").text') == *'odd answered wrongly: '*'odder answered wrongly: '* ]]
}

@test "finish with a made-up link is corrected once, too" {
  source_tool
  says "$(calls look '{}')" \
    "$(calls finish '{"text":"See https://discord.com/channels/1/2/999"}')" \
    "$(calls finish '{"text":"See https://discord.com/channels/1/2/3"}')"
  run -0 loop 'find'
  [ "$(answer)" = 'See https://discord.com/channels/1/2/3' ]
  [[ $(asked '.[2].messages[-1].content') == *https://discord.com/channels/1/2/999* ]]
}

@test "nobody reads the output any more: the task pauses, exit 74" {
  sh_tool wait <<SH
until [ -e "$log.go" ]; do read -rt 0.01 <> <(:); done
result waited
SH
  says "$(calls wait '{}')" '{"text":"heard by nobody"}'
  { ended=0; loop 'speak' 2>"$log.err" || ended=$?; echo "$ended" >"$log.rc"; } |
    { head -n 1 >"$log"; exec <&-; touch "$log.go"; }
  until_true [ -s "$log.rc" ]
  [ "$(cat "$log.rc")" -eq 74 ]
  [ "$(cat "$log.err")" = 'sophia-loop: writing stdout: Broken pipe' ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|interrupted' ]
}

@test "a full disk under the output: the same" {
  says '{"text":"too much"}'
  turn 'speak' >"$log"
  run -74 --separate-stderr sh -c "sophia-loop <'$log' >/dev/full"
  [ "$stderr" = 'sophia-loop: writing stdout: No space left on device' ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|interrupted' ]
}

@test "a full disk under the store: the turn fails, and can go on later" {
  mkdir "$log"
  mount -t tmpfs -o size=1m tmpfs "$log" 2>/dev/null || skip 'no right to mount a small disk'
  sh_tool big <<'SH'
printf '{"type":"result","id":"%s","ok":true,"summary":"big","data":"%0800000d"}\n' "$id" 0
SH
  cp -R "$SOPHIA_HOME/." "$log"
  export SOPHIA_HOME=$log
  says "$(calls big '{}' big '{}' big '{}')" '{"text":"small"}'
  run loop 'fill'
  code=$status failed=$(grep -v '^sophia-loop: ' <<<"$output" | jq -r 'select(.type == "done").verdict')
  mount -o remount,size=8m "$log"
  state=$(sql 'SELECT state, reason FROM task; PRAGMA integrity_check' | xargs)
  run loop 'again' "\"task\":\"$(sql 'SELECT id FROM task')\""
  umount "$log"
  [ "$code" -eq 74 ]
  [ "$failed" = failed ]
  [ "$state" = 'failed|io ok' ]
  [ "$status" -eq 0 ]
}

# swept CALL ERROR N - a turn whose N-th and later such system calls fail.
swept() {
  local state
  provider POST reset '' >/dev/null
  says "$(calls evaluate_math '{"expression":"1"}')" '{"text":"1"}'
  turn 'sum' >"$log"
  ASAN_OPTIONS=detect_leaks=0 run --separate-stderr strace -o /dev/null -e "inject=$1:error=$2:when=$3+" sophia-loop <"$log"
  [ "$status" -eq 74 ] || [ "$status" -eq 0 ]
  [ "$(grep -c '"type":"task"' <<<"$output")" = "$(grep -c '"type":"done"' <<<"$output")" ]
  sophia-task recover >/dev/null || [ $? -eq 1 ]
  state=$(sql 'SELECT group_concat(DISTINCT state) FROM task; PRAGMA integrity_check' | xargs)
  [[ $state != *running* && $state == *ok ]]
  reached+="$status "
}

@test "a disk that fails or fills at any time: one done for each turn begun" {
  run -0 loop 'so that there is a store'
  for n in 1 2 3 4 5 7; do swept fdatasync EIO $n; done
  [[ $reached == *74*0' ' ]]
  for n in 1 6 11 16 21 26 31 36 41; do swept pwrite64 ENOSPC $n; done
}

@test "asked to end it pauses the task in order, and takes its children along" {
  sh_tool deaf <<SH
trap '' TERM
echo "\$\$ \$PPID" >"$log"
until false; do read -rt 0.05 <> <(:); done
SH
  says "$(calls deaf '{}')"
  loop 'wait' >"$log.out" &
  until_true [ -s "$log" ]
  read -r tool loop <"$log"
  kill -TERM "$loop"
  until_true eval "! kill -0 $loop 2>/dev/null"
  run -1 kill -0 "$tool"
  output=$(cat "$log.out")
  [ "$(verdict)" = 'paused interrupted 1' ]
  [ "$(sql 'SELECT state FROM call')" = skipped ]
}

# environment_of PID - its variables that hold secrets of this test, by name.
environment_of() {
  tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/=.*-hush$//p' | sort | xargs
}

@test "a secret reaches the programs whose manifests need it, and no other" {
  [ "$(id -u)" -eq 0 ] || skip 'a process that holds a key can be looked at by root only'
  export PLAY_KEY=a-hush DISCORD_TOKEN=b-hush SOPHIA_SEARCH_KEY=c-hush OTHER_PASSWORD=d-hush
  profile fake 32768 '"key_env":"PLAY_KEY"' >"$SOPHIA_HOME/models/fake.json"
  sh_tool held '{"needs":["search","network"]}' <<SH
echo "\$PPID \$\$" >"$log"
until [ -e "$log.go" ]; do read -rt 0.01 <> <(:); done
result held
SH
  says "$(calls evaluate_math '{"expression":"1"}' note_add '{"text":"x"}')" \
    "$(calls held '{}')" '{"text":"kept"}'
  sophia-ask --json -p fake 'keep it' >"$log.out" &
  until_true [ -s "$log" ]
  read -r loop held <"$log"
  [ "$(environment_of "$loop")" = 'DISCORD_TOKEN PLAY_KEY SOPHIA_SEARCH_KEY' ]
  for child in $(cat "/proc/$loop/task/$loop/children"); do
    name=$(tr '\0' '\n' <"/proc/$child/cmdline" | sed -n '1,2s|.*/||p' | xargs)
    printf '%s (%s)\n' "$name" "$(environment_of "$child")"
  done | sort >"$log.seen"
  touch "$log.go"
  until_true grep -q '"type":"done"' "$log.out"
  cat "$log.seen"
  diff - "$log.seen" <<'EXPECTED'
bash held.sh (SOPHIA_SEARCH_KEY)
sophia-model (PLAY_KEY)
sophia-task ()
sophia-tool ()
EXPECTED
  [ "$(provider GET log '' | jq -r '.[0].headers.authorization')" = 'Bearer a-hush' ]
}

@test "one that serves, but goes after each answer, is started again" {
  tool brief '{"serve":true}'
  script brief <<'SH'
#!/bin/bash
read -r call
id=${call#*\"id\":\"} id=${id%%\"*}
printf '{"type":"result","id":"%s","ok":true,"summary":"%s"}\n' "$id" "$$"
SH
  says "$(calls brief '{}')" "$(calls brief '{}')" '{"text":"twice"}'
  run -0 loop 'try'
  [ "$(types)" = 'task call result call result answer done' ]
  [ "$(pick 'select(.type == "result").summary' | sort -u | wc -l)" -eq 2 ]
}
