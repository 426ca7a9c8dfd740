load helper
load turns

# A spare container: kept by `sophia-sandbox spare`, used by one run.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR"
  docker version >/dev/null 2>&1 || skip "no docker answers here"
  [ "$(docker image inspect --format '{{index .Config.Labels "org.sophia.sandbox"}}' "$image" 2>/dev/null)" = 1 ] ||
    skip "there is no image $image: make sandbox-image"
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
  keeper=
}

teardown() {
  [ -z "$keeper" ] || { kill "$keeper" && wait "$keeper"; } 2>/dev/null || :
  cat keeper.err 2>/dev/null || :
  [ ! -d "$SOPHIA_HOME/run/sandbox" ] || until_true none
}

keep() {
  sophia-sandbox spare 3>&- 2>keeper.err &
  keeper=$!
  until_true ready
}
none() { [ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]; }
names() { ls "$SOPHIA_HOME/run/sandbox" 2>/dev/null; }

# ready - one container is there, and its guest waits: it runs for the engine.
ready() {
  spare=$(names) && [ "$(wc -w <<<"$spare")" = 1 ] &&
    [ "$(docker inspect --format '{{.State.Running}}' "$spare" 2>/dev/null)" = true ]
}
other() { ready && [ "$spare" != "$1" ]; }
gone() { ! docker inspect "$1" >/dev/null 2>&1; }
code() { sophia-sandbox run --text "$@"; }

@test "a run takes the spare one, the next run another one, and each is removed" {
  keep
  local first=$spare
  mkdir in out
  printf a >in/a
  run -0 code -i in -o out -l shell - <<<'ls; echo b >b; ls /tmp'
  [[ $output = *$'\na\n'* || $output = $'a\n'* ]]
  [ "$(cat out/b)" = b ]
  until_true gone "$first"
  until_true other "$first"
  run -0 code -l shell - <<<'ls -A /workspace | grep -v "^\.sophia" | wc -l'
  [ "${lines[0]}" = 0 ]
  run -0 code - <<<'print(attach(b"x", "x.txt")["version"])'
  [ "${lines[0]}" = 1 ]
}

@test "it is the same as a container of one's own: limits, user, network" {
  local what='id -u; cat /proc/self/status | grep -E "^(Cap|NoNewPrivs|Seccomp):"; ulimit -a; cat /sys/fs/cgroup/{memory,pids}.max; grep -c : /proc/net/dev; mount | sed "s/[a-z0-9]\{26,\}//g" | grep -v overlay; env | sort'
  run -0 code -l shell - <<<"$what"
  local alone=$output
  keep
  run -0 code -l shell - <<<"$what"
  diff <(echo "$alone") <(echo "$output")
}

@test "two at once: one gets the spare, the other one its own" {
  keep
  code -l shell - <<<'sleep 1; echo one' >one &
  local pid=$!
  code -l shell - <<<'sleep 1; echo two' >two
  wait $pid
  [ "$(cat one two)" = $'one\ntwo' ]
}

@test "a run that is too long, and one that is interrupted: gone when it ends" {
  keep
  local first=$spare
  run -75 code -t 1 -l shell - <<<'sleep 60'
  [[ $output = *'ran longer than 1 s'* ]]
  gone "$first"
  until_true other "$first"
  first=$spare
  sophia-sandbox run --text -l shell - <<<'echo begun; sleep 60' >said 2>&1 &
  local pid=$!
  until_true grep -q begun said
  kill -TERM $pid
  local verdict=0
  wait $pid || verdict=$?
  [ $verdict = 75 ]
  gone "$first"
}

@test "who used it is killed: its container is ended, and the next one is ready" {
  keep
  local first=$spare
  sophia-sandbox run --text -l shell - <<<'echo begun; sleep 60' >said 2>&1 &
  local pid=$!
  until_true grep -q begun said
  kill -KILL $pid
  wait $pid || :
  until_true gone "$first"
  until_true other "$first"
}

@test "the keeper is killed: the run that has its container fails, and says so; then each makes its own" {
  keep
  local first=$spare
  sophia-sandbox run --text -l shell - <<<'echo begun; sleep 60' >said 2>&1 &
  local pid=$!
  until_true grep -q begun said
  kill -KILL "$keeper"
  wait "$keeper" 2>/dev/null || :
  keeper=
  local verdict=0
  wait $pid || verdict=$?
  [ $verdict = 75 ]
  grep -q 'broke off' said
  gone "$first"
  run -0 code - <<<'print(7)'
  [ "${lines[-1]}" = 7 ]
}

@test "the spare one dies: it is told, and another one comes" {
  keep
  docker kill "$spare" >/dev/null
  until_true other "$spare"
  [ -s keeper.err ]
}

@test "the image is changed: the spare one is, too, and nobody gets the old one" {
  keep
  local first=$spare
  docker tag "$image" sophia-sandbox-other:1
  sophia-settings set sandbox.image sophia-sandbox-other:1 >/dev/null
  until_true other "$first"
  [ "$(docker inspect --format '{{.Config.Image}}' "$spare")" = sophia-sandbox-other:1 ]
  run -0 code -l shell - <<<'echo here'
  docker rmi sophia-sandbox-other:1 >/dev/null 2>&1 || :
}

@test "a second keeper ends: exit 75; switched off, it won't: exit 78" {
  keep
  run -75 sophia-sandbox spare
  sophia-settings set sandbox.enabled off >/dev/null
  until_true none
  run -78 sophia-sandbox spare
  keeper=
}
