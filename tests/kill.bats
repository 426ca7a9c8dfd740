load helper
load turns

# A turn with a call that reads and one that writes is killed at every kind of
# moment: as it enters the n-th system call of a kind, for every n there is.
# Whatever it left behind must be whole, and the work must go on.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  points=0
}

# killed_at CALL N - 1 when the turn has no N-th such system call.
killed_at() {
  local task state
  says "$(calls evaluate_math '{"expression":"6*7"}' note_add '{"text":"42"}')" '{"text":"forty-two"}'
  turn "$1 $2" >"$BATS_TEST_TMPDIR/turn"
  ASAN_OPTIONS=detect_leaks=0 strace -o /dev/null -e trace="$1" -e "inject=$1:signal=KILL:when=$2" \
    sophia-loop <"$BATS_TEST_TMPDIR/turn" >"$BATS_TEST_TMPDIR/out" 2>/dev/null &&
    return 1
  points=$((points + 1))
  echo "$1 $2" >>"$BATS_FILE_TMPDIR/points"
  provider POST reset '' >/dev/null
  says '{"text":"forty-two"}'
  task=$(sql "SELECT id FROM task WHERE objective = '$1 $2'")
  if [ -z "$task" ]; then # it never began: it can begin now
    sophia-loop <"$BATS_TEST_TMPDIR/turn" >"$BATS_TEST_TMPDIR/out"
  elif [ "$(sql "SELECT state FROM task WHERE id = '$task'")" = completed ]; then
    # It was killed after its last commit: it is over, and can't run twice.
    run -69 sophia-loop <"$BATS_TEST_TMPDIR/turn"
    provider POST reset '' >/dev/null
  else
    loop "go on" "\"task\":\"$task\"" >"$BATS_TEST_TMPDIR/out"
    grep -q '"verdict":"answered"' "$BATS_TEST_TMPDIR/out"
  fi
  state=$(sql "SELECT group_concat(DISTINCT state) FROM task; PRAGMA quick_check" | xargs)
  [ "$state" = 'completed ok' ] || { echo "$1 $2: $state"; false; }
}

# sweep CALL STEP - kill at each STEP-th such call.
sweep() {
  local n=1
  while killed_at "$1" "$n"; do n=$((n + $2)); done
}

@test "killed at each record it prints, it leaves a task that can go on" {
  run -0 loop 'so that there is a store'
  sweep write 1
  [ "$points" -ge 6 ]
}

@test "killed at each sync of the disk, the same" {
  run -0 loop 'so that there is a store'
  sweep fdatasync 1
  [ "$points" -ge 4 ]
}

@test "killed between the writes of a commit, the same" {
  run -0 loop 'so that there is a store'
  sweep pwrite64 3
  [ "$points" -ge 8 ]
}

@test "killed as it takes locks, and while it waits, the same" {
  run -0 loop 'so that there is a store'
  sweep flock 1
  sweep poll 3
  [ "$points" -ge 10 ]
}

@test "killed while the store is made, it is made by the next one" {
  for n in 1 5 9 13 17 21; do
    rm -rf "$SOPHIA_HOME"/{tasks.sqlite*,run}
    killed_at pwrite64 $n || break
  done
  [ "$points" -ge 5 ]
  [ "$(wc -l <"$BATS_FILE_TMPDIR/points")" -ge 35 ]
}
