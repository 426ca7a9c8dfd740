load helper
load turns # until_true

# The files of a task by hand: nothing here needs a container.

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR" || return
  sophia-ask hello >/dev/null || :
  task=$(sql 'SELECT id FROM task')
  [ -n "$task" ]
}
sql() { sqlite3 -cmd 'PRAGMA foreign_keys = ON' "$SOPHIA_HOME/tasks.sqlite" "$1"; }
files() { sophia-sandbox files "$@"; }
blobs() { find "$SOPHIA_HOME/blob" -type f 2>/dev/null | wc -l; }
big() { head -c 70000 /dev/zero | tr '\0' "$1"; }

@test "a file is put, listed, read and removed" {
  run -1 --separate-stderr files list "$task"
  [ -z "$output$stderr" ]
  printf 'a,b\n1,2\n' >here.csv
  run -0 files put "$task" data/table.csv here.csv
  valid_records <<<"$output"
  [ "$(jq -r '[.task, .path, .media, .size, .origin, .by] | join(" ")' <<<"$output")" = \
    "$task data/table.csv text/csv 8 put local" ]
  run -0 files list "$task"
  valid_records <<<"$output"
  [ "${#lines[@]}" = 1 ]
  run -0 files get "$task" data/table.csv
  [ "$output" = $'a,b\n1,2' ]
  run -0 files get "$task" data/table.csv there.csv
  cmp here.csv there.csv
  run -0 files rm "$task" data/table.csv
  run -1 --separate-stderr files rm "$task" data/table.csv
  [ "$stderr" = "sophia-sandbox: the task has no file 'data/table.csv'" ]
  run -1 files list "$task"
}

@test "- is stdin and stdout, for bytes of any kind" {
  head -c 100000 /dev/urandom >bytes
  files put "$task" x - <bytes >/dev/null
  files get "$task" x - >again
  cmp bytes again
  files put "$task" empty </dev/null >/dev/null
  files get "$task" empty >again
  [ ! -s again ]
}

@test "people read a table" {
  echo x | files put "$task" a.txt >/dev/null
  run -0 files --text list "$task"
  [ "$output" = '         2  text/plain                a.txt' ]
}

@test "a large file lies beside the store, once, for its owner alone" {
  big a | files put "$task" one >/dev/null
  big a | files put "$task" two >/dev/null
  [ "$(blobs)" = 1 ]
  [ "$(stat -c %a "$SOPHIA_HOME"/blob/*/*)" = 600 ]
  [ "$(stat -c %a "$SOPHIA_HOME"/blob "$SOPHIA_HOME"/blob/*)" = $'700\n700' ]
  files rm "$task" one
  [ "$(blobs)" = 1 ]
  big b | files put "$task" two >/dev/null
  [ "$(blobs)" = 1 ]
  files get "$task" two | cmp - <(big b)
  files rm "$task" two
  [ "$(blobs)" = 0 ]
}

@test "what can't be is said, and nothing is done" {
  run -65 --separate-stderr files list 00000000000000000000
  [ "$stderr" = 'sophia-sandbox: there is no task 00000000000000000000' ]
  run -65 --separate-stderr files get "$task" nothing
  [ "$stderr" = "sophia-sandbox: the task has no file or artifact 'nothing'" ]
  for path in ../x /x a//b . con.txt $'a\nb' $'\xff' "$(printf 'x%.0s' {1..256})"; do
    run -65 files put "$task" "$path" </dev/null
  done
  echo x | files put "$task" a >/dev/null
  run -65 files put "$task" a/b </dev/null
  head -c $((20 * 1024 * 1024 + 1)) /dev/zero >huge
  run -69 --separate-stderr files put "$task" huge - <huge
  [ "$stderr" = 'sophia-sandbox: a file of more than 20 MiB' ]
  run -69 --separate-stderr files put "$task" huge huge
  [ "$stderr" = 'sophia-sandbox: a file of more than 20 MiB' ]
  run -2 files burn "$task"
  run -2 files get "$task"
  run -2 files list
  run -0 files list "$task"
  [ "${#lines[@]}" = 1 ]
  [ "$(blobs)" = 0 ]
}

@test "where there is no task, none is made" {
  export SOPHIA_HOME=$BATS_TEST_TMPDIR/empty
  run -65 files list "$task"
  run -65 files put "$task" x </dev/null
  run -1 sophia-sandbox gc
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
}

# handed CALL FILENAME VERSION - an artifact of small bytes, as a call leaves it.
handed() {
  local hash
  hash=$(printf %s "$2$3" | sha256sum | cut -d' ' -f1)
  sql "INSERT INTO content VALUES ('$hash', 3, CAST('$2$3' AS BLOB));
    INSERT INTO artifact (id, version, task, call, filename, media, kind, size,
      hash, at_ms) VALUES ('0000000000000000000a', $3, '$task', $1, '$2',
      'text/plain', 'text', 3, '$hash', 1)"
}
a_call() {
  sql "INSERT OR IGNORE INTO round (task, n, turn, message, at_ms)
      SELECT '$task', 1, id, '{}', 1 FROM turn;
    INSERT INTO call (task, n, round, capability, arguments, tier, state,
      started_ms, ended_ms) VALUES ('$task', $1, 1, 'x', '{}', 'scratch', 'ok', 1, 1)"
}

@test "an artifact is found by name, id and version" {
  a_call 9
  handed 9 plot 1
  handed 9 plot 2
  run -0 files list "$task"
  valid_records <<<"$output"
  [ "$(jq -r '"\(.type) \(.version)"' <<<"$output")" = $'artifact 1\nartifact 2' ]
  [ "$(files get "$task" plot)" = plot2 ]
  [ "$(files get -n 1 "$task" plot)" = plot1 ]
  [ "$(files get -n -2 "$task" 0000000000000000000a)" = plot1 ]
  run -65 files get -n 3 "$task" plot
  echo mine | files put "$task" plot >/dev/null
  [ "$(files get "$task" plot)" = mine ]
  [ "$(files get -n 2 "$task" plot)" = plot2 ]
}

@test "with its task all of it is gone, and its bytes" {
  printf 'a word: quxquux' | files put "$task" small >/dev/null
  { big a; printf quxquux; } | files put "$task" large >/dev/null
  sophia-task forget "$task"
  [ "$(blobs)" = 0 ]
  [ ! -e "$SOPHIA_HOME/run/file.$task" ]
  run -1 "$top/tests/secret-search" "$SOPHIA_HOME" quxquux
  run -65 files list "$task"
}

# content HASH - as an export on stdin has it.
content() {
  jq -rj --arg h "$1" 'select(.table == "content" and .hash == $h).base64' | base64 -d
}

@test "an export has the files, and what they hold, once" {
  head -c 2000000 /dev/urandom >large
  echo small >small
  : >empty
  for f in large small empty; do files put "$task" "$f" "$f" >/dev/null; done
  files put "$task" twice large >/dev/null
  a_call 9
  handed 9 plot 1
  sophia-task export "$task" >out
  valid_records out
  for f in large small empty twice; do
    hash=$(jq -r --arg p "$f" 'select(.table == "file" and .path == $p).hash' out)
    content "$hash" <out | cmp - "${f/twice/large}"
  done
  [ "$(content "$(jq -r 'select(.table == "artifact").hash' out)" <out)" = plot1 ]
  [ "$(jq -r 'select(.table == "content").from' out | sort -n | xargs)" = '0 0 0 0 786432 1572864' ]
  [ "$(awk '{ if (length > n) n = length } END { print n < 1050000 }' out)" = 1 ]
  sophia-task export -b "$task" >brief
  [ "$(jq -s 'map(select(.table == "content")) | length' brief)" = 0 ]
  diff brief <(grep -v '"table":"content"' out)
  rm "$SOPHIA_HOME"/blob/*/*
  sophia-task export "$task" >out
  valid_records out
  [ "$(jq -r 'select(.error).hash' out | wc -l)" = 1 ]
}

@test "gc removes what a dead writer left, and nothing else" {
  big a | files put "$task" mine >/dev/null
  : >"$(echo "$SOPHIA_HOME"/blob/*/*).abcdef"
  mkdir -p "$SOPHIA_HOME/blob/00"
  : >"$SOPHIA_HOME/blob/00/$(printf '0%.0s' {1..64})"
  run -0 sophia-sandbox gc
  [[ $output == *'2 files removed that nothing needed' ]]
  [ "$(blobs)" = 1 ]
  files get "$task" mine | cmp - <(big a)
  run -1 sophia-sandbox gc
}

@test "damaged bytes are refused, not given" {
  big a | files put "$task" mine >/dev/null
  printf x | dd of="$(echo "$SOPHIA_HOME"/blob/*/*)" conv=notrunc status=none
  run -78 --separate-stderr files get "$task" mine
  [[ $stderr == *'is damaged: restore it from a backup' ]]
}

# ---- killed; with the programs of `make crash-build` ----

# crash_build - they are there; keep the state as it is now.
crash_build() {
  crash=${SOPHIA_CRASH_BIN:-$top/build/crash/bin}
  [ -x "$crash/sophia-sandbox" ] || skip "make crash-build makes the programs that this needs"
  cp -r "$SOPHIA_HOME" before
}
again() {
  rm -r "$SOPHIA_HOME"
  cp -r before "$SOPHIA_HOME"
}

# killed_at POINT PROGRAM ARGUMENT... - it was reached, and that was its end.
killed_at() {
  local rc=0
  SOPHIA_CRASH=$1 "$crash/$2" "${@:3}" >/dev/null 2>&1 || rc=$?
  [ $rc -eq 137 ] || { echo "$1 was not reached"; return 1; }
}

@test "killed at any point of a put: the old file or the new one is there, whole" {
  big a | files put "$task" f >/dev/null
  big b >new
  crash_build
  for point in content.blob file.rename file.rename.done content.blob.done \
    hand.commit hand.commit.done content.sweep content.sweep.done; do
    killed_at $point sophia-sandbox files put "$task" f new
    case $point in
      hand.commit.done | content.sweep*) want=b ;;
      *) want=a ;;
    esac
    files get "$task" f | cmp - <(big $want)
    sophia-sandbox gc || [ $? -eq 1 ]
    files get "$task" f | cmp - <(big $want)
    [ "$(find "$SOPHIA_HOME/blob" -type f | wc -l)" = 1 ]
    files put "$task" f new >/dev/null
    files get "$task" f | cmp - new
    again
  done
}

@test "killed at any point of forgetting a task: repeated, it leaves no byte" {
  { big a; printf quxquux; } | files put "$task" f >/dev/null
  crash_build
  for point in forget.task forget.task.done content.sweep content.sweep.done; do
    killed_at $point sophia-task forget "$task"
    sophia-task forget "$task"
    [ "$(blobs)" = 0 ]
    run -1 "$top/tests/secret-search" "$SOPHIA_HOME" quxquux
    again
  done
}

@test "recovery sweeps what a process left that died with its task" {
  big b >new
  crash_build
  killed_at content.blob.done sophia-sandbox files put "$task" f new
  [ "$(blobs)" = 1 ]
  sql "UPDATE task SET state = 'running', reason = NULL"
  sophia-task recover >/dev/null
  [ "$(blobs)" = 0 ]
}

waits_for_blob() { ls -l "/proc/$1/fd" | grep -q 'run/blob'; }

@test "a file that was renamed, and isn't committed yet, is not swept" {
  big b >new
  crash_build
  SOPHIA_CRASH_HOLD=content.blob.done SOPHIA_CRASH_LOG=$PWD/log \
    "$crash/sophia-sandbox" files put "$task" f new >/dev/null 3>&- &
  put=$!
  until_true test -e log.held
  [ "$(blobs)" = 1 ]
  sophia-sandbox gc 3>&- &
  gc=$!
  until_true waits_for_blob "$gc"
  [ "$(blobs)" = 1 ]
  kill -CONT "$put"
  wait "$put"
  rc=0
  wait "$gc" || rc=$?
  [ $rc -eq 1 ]
  files get "$task" f | cmp - new
}
