load helper
load turns

# Every program that is a parent, over children that do their worst to its
# pipes: no hang, no memory, the right verdict. What they do: peers/tormentor.c

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  peers=${SOPHIA_PEERS:-$top/build/peers}
  case ${SOPHIA_PEERS:-} in */san/*) memory=400000 ;; *) memory=32000 ;; esac
}

# under MODE COMMAND... - run it over a tormentor: it must end by itself, and
# never have had more than 32 MB, its children included.
under() {
  export TORMENT=$1
  shift
  run --separate-stderr timeout -k 1 20 "$peers/peak" "$log.kib" "$@"
  echo "$TORMENT: exit $status, $(cat "$log.kib") KiB; $stderr"
  [ "$(cat "$log.kib")" -lt "$memory" ]
}

# tormented NAME FIELDS - a tool that is a tormentor.
tormented() {
  tool "$1" "$2"
  cp "$peers/tormentor" "$SOPHIA_HOME/tools/$1.new" # the last may still run
  mv "$SOPHIA_HOME/tools/$1.new" "$SOPHIA_HOME/tools/$1.sh"
}

# stand_in NAME - a folder of programs in which that one is a tormentor.
stand_in() {
  stage=$BATS_TEST_TMPDIR/stage
  mkdir -p "$stage"
  for program in sophia-ask sophia-loop sophia-model sophia-tool; do
    cp "$(command -v $program)" "$stage"
  done
  cp "$peers/tormentor" "$stage/$1"
}

# What a tool's run comes to in each mode: the kind, and words of the text.
expected='answer ok
orphan ok
drip ok
flood again|did not answer in time
stall again|did not answer in time
shut again|did not answer in time
strays internal|nobody asked
garbage internal|bad JSON
endless internal|longer than 1048576 bytes
midline internal|cut off before its newline
heir internal|ended without an answer'

each_tool_mode() {
  local mode want limit
  while read -r mode want; do
    case $mode in drip) limit=15 ;; *) limit=1 ;; esac
    tormented worst "{\"time_limit_s\":$limit,\"serve\":$1}"
    provider POST reset '' >/dev/null
    says "$(calls worst '{}')" '{"text":"so it is"}'
    turn "$mode" >"$log.turn"
    under "$mode" sh -c "exec sophia-loop <'$log.turn' >'$log'"
    [ "$status" -eq 0 ]
    output=$(grep -v '"type":"progress"' "$log")
    if [ "$want" = ok ]; then
      [ "$(types)" = 'task call result answer done' ]
    else
      [ "$(pick 'select(.type == "error").kind')" = "${want%%|*}" ]
      [[ $(pick 'select(.type == "error").text') == *"${want#*|}"* ]]
    fi
  done <<<"$expected"
}

@test "sophia-loop over a tool for one call" {
  expected=$(grep -v ^strays <<<"$expected")
  each_tool_mode false
}

@test "sophia-loop over a tool that serves" {
  expected=$(grep -v -e ^drip -e ^flood <<<"$expected") # as above
  each_tool_mode true
}

@test "sophia-loop over its model" {
  stand_in sophia-model
  for mode in answer orphan drip; do
    turn "$mode" >"$log.turn"
    under $mode sh -c "exec '$stage/sophia-loop' <'$log.turn'"
    [ "$status" -eq 0 ]
    [ "$(types)" = 'task answer done' ]
  done
  for mode in flood strays garbage endless midline heir; do
    turn "$mode" >"$log.turn"
    under $mode sh -c "exec '$stage/sophia-loop' <'$log.turn'"
    [ "$status" -eq 70 ]
    [ "$(types)" = 'task error done' ]
    [ "$(pick 'select(.type == "done") | .verdict + " " + .reason')" = 'failed internal' ]
  done
}

@test "sophia-loop over a model that is silent, or deaf, can be stopped" {
  stand_in sophia-model
  for mode in stall shut; do
    turn "$mode" >"$log.turn"
    TORMENT=$mode "$stage/sophia-loop" <"$log.turn" >"$log" &
    pid=$!
    sql_is "SELECT count(*) FROM task WHERE objective = '$mode'" 1
    run -0 sophia-task stop "$(sql "SELECT id FROM task WHERE objective = '$mode'")"
    echo "$output"
    ended=0
    wait "$pid" || ended=$?
    [ "$ended" -eq 75 ]
    [ "$(jq -r 'select(.type == "done").verdict' "$log")" = cancelled ]
  done
}

@test "sophia-ask over its loop" {
  stand_in sophia-loop
  for mode in answer orphan drip; do
    under $mode "$stage/sophia-ask" --text hello
    [ "$status" -eq 0 ]
    [[ $output == fine* ]]
  done
  for mode in garbage endless midline heir; do
    under $mode "$stage/sophia-ask" --text hello
    [ "$status" -eq 70 ]
    [ -z "$output" ]
    [ "${#stderr_lines[@]}" -eq 1 ]
  done
}

@test "sophia-ask over a loop that never ends, or is deaf, can be interrupted" {
  stand_in sophia-loop
  for mode in flood strays stall shut; do
    TORMENT=$mode "$peers/peak" "$log.kib" "$stage/sophia-ask" --json hello \
      >"$log.out" 2>"$log" &
    pid=$!
    until_true pgrep -P "$pid" >/dev/null
    ask=$(pgrep -P "$pid")
    until_true grep -q sophia-ask "/proc/$ask/cmdline"
    until_true pgrep -P "$ask" >/dev/null
    kill -TERM "$ask"
    ended=0
    wait "$pid" || ended=$?
    echo "$mode: exit $ended, $(cat "$log.kib") KiB; $(cat "$log")"
    [ "$ended" -eq 75 ]
    [ "$(cat "$log.kib")" -lt "$memory" ]
    [ "$(wc -l <"$log")" -eq 1 ]
    : >"$log.out"
  done
}

@test "sophia-tool run over a tool" {
  while read -r mode code; do
    case $mode in drip) limit=15 ;; *) limit=1 ;; esac
    tormented worst "{\"time_limit_s\":$limit}"
    under "$mode" sh -c 'exec sophia-tool run --text worst {} >/dev/null'
    [ "$status" -eq "$code" ]
  done <<'EXPECTED'
answer 0
orphan 0
drip 0
flood 75
strays 75
stall 75
shut 75
garbage 70
endless 70
midline 70
heir 70
EXPECTED
}
