load helper
load turns
load effects
load media

# Whole turns whose model runs code: the real loop, the real engine, and a
# provider that says what the test tells it to.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  cd "$BATS_TEST_TMPDIR"
}

# Whatever a test did, no container is left, and no lock of one.
teardown() {
  [ -z "$(ls "$SOPHIA_HOME/run/sandbox" 2>/dev/null)" ]
}

engine() {
  docker version >/dev/null 2>&1 || skip "no docker answers here"
  [ "$(docker image inspect --format '{{index .Config.Labels "org.sophia.sandbox"}}' "$image" 2>/dev/null)" = 1 ] ||
    skip "there is no image $image: make sandbox-image"
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
}

# code LANGUAGE CODE [MORE] - a step that runs it; MORE are further arguments.
code() {
  calls sandbox_run "$(jq -nc --arg l "$1" --arg c "$2" --argjson more "${3:-"{}"}" \
    '{language: $l, code: $c} + $more')"
}

# result JQ - of the results and errors of the calls, in order.
result() { pick "select(.type == \"result\" or .type == \"error\") | $1"; }
printed() { result .data.stdout.text; }
task_of() { pick 'select(.type == "task").id' | head -n 1; }
files() { sql 'SELECT path FROM file ORDER BY path' | xargs; }

# running - wait until a container of this state folder runs code; its name.
running() {
  until_true eval 'name=$(ls "$SOPHIA_HOME/run/sandbox" 2>/dev/null | grep .) &&
    [ "$(docker inspect --format "{{.State.Running}}" "$name" 2>/dev/null)" = true ]'
}
gone() { until_true is_gone "$1"; }
is_gone() { ! docker inspect "$1" >/dev/null 2>&1; }

@test "switched off, the tool says so and what to do, and the turn goes on" {
  says "$(code python 'print(1)')" '{"text":"It is switched off."}'
  run -0 loop 'count'
  [ "$(types)" = 'task call error answer done' ]
  [ "$(result '"\(.kind) \(.effect) \(.text)"')" = 'config none running code is switched off: `sophia settings set sandbox.enabled on` switches it on' ]
}

@test "no image, no engine: an error of the installation, with the command that mends it" {
  engine
  sophia-settings set sandbox.image sophia-none:7 >/dev/null
  says "$(code python 'print(1)')" '{"text":"no"}'
  run -0 loop 'count'
  [ "$(result '"\(.kind) \(.text)"')" = 'config there is no image sophia-none:7: make it with `make sandbox-image`, or name another with `sophia settings set sandbox.image`' ]
  sophia-settings set sandbox.image "$image" >/dev/null
  sophia-settings set sandbox.engine podman >/dev/null
  command -v podman >/dev/null && return 0
  says "$(code python 'print(1)')" '{"text":"no"}'
  run -0 loop 'count'
  [ "$(result '"\(.kind) \(.text)"')" = 'config there is no podman here: install it (apt-get install podman), or name another with `sophia settings set sandbox.engine`' ]
}

@test "a story: files persist over calls, a plot is handed over and addressed at once, and a new loop finds it all" {
  engine
  says "$(code shell 'printf "day,visits\n1,4\n2,9\n3,16\n" >visits.csv')" \
    "$(code python $'import pandas as p, matplotlib.pyplot as m\nt = p.read_csv("visits.csv")\nt.plot(x="day"); m.savefig("plot.png")\na = attach("plot.png")\nprint(t.visits.sum(), a["version"], a["media"], len(read_attachment(a["id"])) == a["size"])')" \
    "$(code javascript 'const {readFileSync, writeFileSync} = require("fs"), {execFileSync} = require("child_process")
      writeFileSync("n.json", JSON.stringify(readFileSync("visits.csv", "utf8").trim().split("\n").length - 1))
      console.log(execFileSync("attach", ["--list"]).toString().includes("plot.png"))')" \
    '{"text":"Here is the plot."}'
  run -0 --separate-stderr loop 'plot the visits'
  valid_records <<<"$output"
  [ "$(types | sed 's/ progress//g')" = 'task call result call result call result answer done' ]
  [ "$(result .summary | head -n 1)" = 'The code ended with exit code 0. Files changed: visits.csv.' ]
  [ "$(result .summary | sed -n 2p)" = 'The code ended with exit code 0. Files changed: plot.png. Handed over: plot.png (version 1).' ]
  [ "$(printed | xargs)" = '29 1 image/png True true' ]
  task=$(task_of)
  run -0 jq -c '[.version, .filename, .media, .kind, .call]' <<<"$(result '.artifacts[]?')"
  [ "$output" = '[1,"plot.png","image/png","image","'"$task"'.2"]' ]
  [ "$(files)" = 'n.json plot.png visits.csv' ]

  says "$(code python $'print(open("n.json").read(), get_attachment("plot.png")["call"], attach(b"2", "plot.png")["version"], get_attachment("plot.png", -2)["version"])')" \
    '{"text":"Three days."}'
  run -0 loop 'how many days?' "\"task\":\"$task\""
  [ "$(printed)" = "3 $task.2 2 1" ]
  [ "$(result .summary)" = 'The code ended with exit code 0. Handed over: plot.png (version 2).' ]
}

@test "by hand code runs on copies of a task's files, and puts what it changed into a folder" {
  engine
  says "$(code shell 'echo old >kept.txt')" '{"text":"no"}'
  run -0 loop 'go'
  task=$(task_of)
  run -0 --separate-stderr sophia-sandbox run --text -l shell --task "$task" -o out - <<<'cat kept.txt; echo new >kept.txt'
  [ "$output" = old ]
  [ "$stderr" = 'changed   kept.txt (4 bytes)' ]
  [ "$(cat out/kept.txt) $(sophia-sandbox files get "$task" kept.txt)" = 'new old' ]
  run -65 sophia-sandbox run -l shell --task 00000000000000000000 - <<<true
  run -2 sophia-sandbox run -l shell --task "$task" -i out - <<<true
}

@test "code that fails is an ordinary result: its exit code, what it printed, and the files it wrote" {
  engine
  says "$(code python $'open("half.txt", "w").write("x")\nprint("so far")\n1 / 0')" '{"text":"It divides by 0."}'
  run -0 loop 'divide'
  [ "$(result '"\(.ok) \(.data.exit) \(.data.stdout.text)"')" = $'true 1 so far' ]
  [[ $(result .data.stderr.text) = *ZeroDivisionError* ]]
  [ "$(files)" = half.txt ]
}

@test "code that is stopped is told apart: no file has changed, and what was handed over stays" {
  engine
  says "$(code shell 'echo old >kept.txt')" \
    "$(code python $'open("kept.txt", "w").write("new")\nattach(b"early", "early.txt")\nprint("at it", flush=True)\nwhile True: pass' '{"time":1}')" \
    "$(code python $'print(open("kept.txt").read(), read_attachment("early.txt"))\nx = []\nwhile True: x.append(bytearray(10 ** 7))')" \
    "$(code shell 'echo x >kept.txt; ln -s kept.txt link')" \
    '{"text":"no"}'
  run -0 loop 'go'
  valid_records <<<"$output"
  [ "$(result .ok | xargs)" = 'true false false false' ]
  [ "$(result '.data.stopped // "-"' | sed -n 2p)" = 'the code ran longer than 1 s, and was ended' ]
  [ "$(result .summary | sed -n 2p)" = 'Stopped: the code ran longer than 1 s, and was ended. The files are as they were before. Handed over: early.txt (version 1).' ]
  [ "$(printed | sed -n 2p)" = 'at it' ]
  [ "$(printed | grep old)" = 'old' ]
  [[ $(result '.data.stopped // "-"' | sed -n 3p) = *'maybe for its memory' ]]
  [[ $(result '.data.stopped // "-"' | sed -n 4p) = *"a link: 'link'"* ]]
  [ "$(files)" = kept.txt ]
}

@test "only the files that were picked go in; what isn't there, or is too much, is said" {
  engine
  says "$(code shell 'mkdir a; echo 1 >a/x; echo 2 >b; seq 98 | while read n; do echo >"a/$n"; done')" \
    "$(code shell 'echo 3 >c')" \
    "$(code shell 'find . -type f' '{"files":["b"]}')" \
    "$(code shell 'ls' '{"files":["d"]}')" \
    "$(code shell 'ls' '{"files":["a"]}')" \
    "$(code shell 'ls')" \
    "$(code shell 'ls' "{\"files\":$(jq -nc '[range(101) | "b"]')}")" \
    '{"text":"no"}'
  run -0 loop 'go'
  [ "$(result '.text // .data.stdout.text' | xargs -d '\n')" = '  ./b  there is no file d a  more than 100 files at once: split the work files: at most 100 paths' ]
  [ "$(result '.kind // "-"' | xargs)" = '- - - input - refused input' ]
}

@test "more than 20 MiB don't go at once, but any part of them does, and none" {
  engine
  says "$(code shell 'head -c 11000000 /dev/zero >one')" "$(code shell 'head -c 11000000 /dev/zero >two' '{"files":[]}')" \
    "$(code shell 'ls')" "$(code shell 'ls' '{"files":["two"]}')" '{"text":"no"}'
  run -0 loop 'go'
  [ "$(result '.text // .data.stdout.text' | xargs -d '\n')" = '  files of more than 20 MiB at once: split the work two ' ]
  [ "$(files)" = 'one two' ]
}

@test "a long output: the model sees both ends of it, and query_json reads more" {
  engine
  says "$(code shell 'seq 1 100000')" '{"text":"wait"}'
  run -0 loop 'count'
  task=$(task_of)
  [[ $(result .summary) = *"query_json with call $task.1 reads more of it"* ]]
  run -0 asked '.[1].messages[] | select(.role == "tool").content'
  [ "${#output}" -lt 16384 ]
  run -0 jq -r .data.stdout.text <<<"$output"
  [ "${lines[0]} ${lines[-1]}" = '1 100000' ]
  [[ $output = *' bytes left out ...]'* ]]
  says '{"calls":[{"name":"query_json","arguments":{"call":"'"$task"'.1","filter":".more.stdout | split(\"\\n\") | length"}}]}' '{"text":"many"}'
  run -0 loop 'how many?' "\"task\":\"$task\""
  [ "$(result '.data[0]')" -gt 50000 ]
}

@test "two runs of one task at once, in two programs, come one after the other" {
  engine
  sh_tool hold '{"tier":"scratch","time_limit_s":60}' <<SH
until [ -e "$BATS_TEST_TMPDIR/over" ]; do read -rt 0.02 <> <(:); done
result over
SH
  add='{"language":"python","code":"import os, time\nn = int(open(\"n\").read()) if os.path.exists(\"n\") else 0\ntime.sleep(1.5)\nopen(\"n\", \"w\").write(str(n + 1))\nprint(n)"}'
  say='{"language":"python","code":"print(open(\"n\").read())"}'
  says "$(calls hold '{}' sandbox_run "$say" sandbox_run "$say")" '{"text":"2"}'
  begin_loop 'add'
  sql_is 'SELECT count(*) FROM call' 3
  task=$(sql 'SELECT id FROM task') turn=$(sql 'SELECT id FROM turn')
  for n in 2 3; do
    printf '{"type":"call","id":"%s.%d","capability":"sandbox_run","arguments":%s,"tier":"scratch","context":{"actor":{"id":"local","name":"Ada"},"location":{"kind":"local"},"task":"%s","turn":"%s","visibility":"private"}}\n' \
      "$task" "$n" "$add" "$task" "$turn" | sophia-sandbox --serve >"out.$n" 7>&- &
    pids+=" $!"
  done
  wait $pids
  grep -q 'waiting for another call' out.2 out.3
  [ "$(jq -r 'select(.type == "result").data.stdout.text' out.2 out.3 | sort | xargs)" = '0 1' ]
  touch over
  end_loop
  [ "$(printed | xargs)" = 'null 2 2' ]
}

@test "stop ends the run at once: its container is gone, and its files are as they were" {
  engine
  says "$(code shell 'echo old >kept.txt')" "$(code shell 'echo new >kept.txt; sleep 100' '{"time":200}')" '{"text":"no"}'
  begin_loop 'go'
  until_true eval 'sql_is "SELECT count(*) FROM call" 2'
  running
  sophia-task stop "$(sql 'SELECT id FROM task')" >/dev/null
  end_loop
  [ "$(pick 'select(.type == "done").verdict')" = cancelled ]
  gone "$name"
  until_true eval '[ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]'
  [ "$(files)" = kept.txt ]
  [ "$(sql 'SELECT size FROM file')" = 4 ]
}

@test "the program killed in the middle of a run: the model is told, and no container stays" {
  engine
  says "$(code shell 'echo old >kept.txt')" "$(code shell 'echo new >kept.txt; sleep 100' '{"time":200}')" \
    "$(code shell 'cat kept.txt')" '{"text":"no"}'
  begin_loop 'go'
  sql_is "SELECT count(*) FROM call" 2
  running
  pkill -KILL -P "$loop_pid" -f sophia-sandbox
  gone "$name"
  end_loop
  [ "$(result '.kind // "-"' | xargs)" = '- internal -' ]
  [ "$(printed | tail -n 2 | xargs)" = old ]
}

@test "all killed in the middle of a run: no container stays, nothing is lost, and the task goes on" {
  engine
  says "$(code shell 'echo old >kept.txt')" "$(code shell 'echo new >kept.txt; sleep 100' '{"time":200}')"
  begin_loop 'go'
  sql_is "SELECT count(*) FROM call" 2
  running
  child=$(pgrep -P "$loop_pid" -f sophia-sandbox)
  kill -KILL "$loop_pid" "$child"
  wait "$loop_pid" || :
  gone "$name"
  task=$(sql 'SELECT id FROM task')
  says "$(code shell 'cat kept.txt')" '{"text":"old"}'
  run -0 loop 'go on' "\"task\":\"$task\""
  [ "$(printed)" = old ]
  [ "$(sql 'SELECT state, summary FROM call WHERE n = 2')" = 'error|interrupted' ]
  [ "$(sql 'SELECT state FROM task')" = completed ]
}

@test "a picture that is handed over is seen next, as a checked copy, and in later turns; a broken one is no harm" {
  engine
  profile fake 32768 '"inputs":["text","image"]' >"$SOPHIA_HOME/models/fake.json"
  says "$(code python $'from PIL import Image\nImage.new("RGB", (3000, 1000), "#00ff00").save("wide.png")\nattach("wide.png")\nImage.new("RGB", (9, 9), "#0000ff").save("small.png")\nattach("small.png"); attach("small.png")\nattach(open("wide.png", "rb").read()[:200], "cut.png")')" \
    '{"text":"I see it."}'
  run -0 --separate-stderr loop 'draw'
  valid_records <<<"$output"
  task=$(task_of)
  [ "$(result '[.media[].name] | join(",")')" = 'wide.png,small.png,small.png (version 2)' ]
  [ "$(saw 'map([.width, .height, .middle] | join(" ")) | join(",")')" = '"1568 523 00ff00,9 9 0000ff,9 9 0000ff"' ]
  [ -z "$(wrong)" ]
  [ "$(sql 'SELECT count(*) FROM artifact WHERE wire IS NULL')" = 1 ] # cut.png
  says '{"text":"Still there."}'
  run -0 loop 'and now?' "\"task\":\"$task\""
  [ "$(saw length)" = 3 ]
  [ -z "$(wrong)" ]
}

@test "for a model of texts no copy is made" {
  engine
  says "$(code python $'from PIL import Image\nImage.new("RGB", (9, 9)).save("a.png")\nattach("a.png")')" '{"text":"Drawn."}'
  run -0 loop 'draw'
  [ "$(result '.media')" = null ]
  [ "$(sql 'SELECT count(*), count(wire) FROM artifact')" = '1|0' ]
}
