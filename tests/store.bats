load helper

task=0000000000000000000a

store() { sophia-task --serve </dev/null; }

sql() { sqlite3 "$SOPHIA_HOME/tasks.sqlite" "$1"; }

# A task that is worked on, and a call that adds a note to it.
working() {
  store
  sql "INSERT INTO task (id, owner, owner_name, location, visibility, objective,
    approval, profile, state, created_ms, changed_ms) VALUES ('$task', 'local',
    '', 'local', 'private', 'x', 'ask', 'extractive', 'running', 1, 1)"
}

note() {
  jq -cn --arg task $task '{type: "call", id: "\($task).1", capability: "note_add",
    arguments: {text: "a finding"}, tier: "scratch", context: {actor: {id: "local",
    name: "n"}, location: {kind: "local"}, $task, visibility: "private"}}'
}

# broken CALL FAULT COMMAND... - run it with a fault put into a system call.
broken() {
  strace -f -o "$BATS_TEST_TMPDIR/trace" -e trace="$1" -e inject="$1:$2" "${@:3}"
}

# A schema with few pages, so that there are few steps to be killed at.
small() {
  export SOPHIA_SHARE=$BATS_TEST_TMPDIR/share
  mkdir -p "$SOPHIA_SHARE/schema/tasks"
  echo 'CREATE TABLE a (x TEXT) STRICT;' >"$SOPHIA_SHARE/schema/tasks/0001.sql"
}

@test "a store whose making is killed at any write or sync is made by the next" {
  local n=0 rc=137
  small
  while [ $rc -eq 137 ]; do
    n=$((n + 1)) rc=0
    rm -rf "$SOPHIA_HOME"
    broken pwrite64,fdatasync,fsync,ftruncate "signal=SIGKILL:when=$n" \
      sophia-task --serve </dev/null 2>/dev/null || rc=$?
    store
    [ "$(sql 'PRAGMA integrity_check; PRAGMA user_version')" = $'ok\n1' ]
  done
  [ $rc -eq 0 ]
  [ $n -gt 10 ]
}

@test "a sync that fails keeps nothing, and says so" {
  working
  for error in EIO ENOSPC; do
    note | broken fdatasync error=$error sophia-task --serve >"$BATS_TEST_TMPDIR/out"
    run -0 jq -c '[.type, .kind, .effect]' "$BATS_TEST_TMPDIR/out"
    [ "$output" = '["error","io","none"]' ]
  done
  [ "$(sql 'SELECT count(*) FROM note; PRAGMA integrity_check')" = $'0\nok' ]
}

@test "a note whose commit is killed at any write or sync is there or isn't" {
  local n=0 rc=137 before after
  working
  while [ $rc -eq 137 ]; do
    n=$((n + 1)) rc=0
    before=$(sql 'SELECT count(*) FROM note')
    note >"$BATS_TEST_TMPDIR/in"
    broken pwrite64,fdatasync,fsync "signal=SIGKILL:when=$n" \
      sophia-task --serve <"$BATS_TEST_TMPDIR/in" >"$BATS_TEST_TMPDIR/out" 2>/dev/null || rc=$?
    after=$(sql 'SELECT count(*) FROM note')
    [ "$(sql 'PRAGMA integrity_check')" = ok ]
    # What was acknowledged is there.
    [ ! -s "$BATS_TEST_TMPDIR/out" ] || [ "$after" -gt "$before" ]
  done
  [ $n -gt 2 ]
}

@test "a store of another program is refused, and left as it is" {
  sql 'CREATE TABLE theirs (x); PRAGMA user_version = 1'
  before=$(sha256sum "$SOPHIA_HOME/tasks.sqlite")
  run -78 --separate-stderr sophia-task list
  [ "$stderr" = "sophia-task: tasks.sqlite: not a store of Sophia's" ]
  run -78 sophia-task --serve </dev/null
  [ "$(sha256sum "$SOPHIA_HOME/tasks.sqlite")" = "$before" ]
}

@test "one store is never taken for another, whatever a setting says" {
  working
  note | sophia-task --serve >/dev/null
  sophia-settings set index.path "$SOPHIA_HOME/tasks.sqlite"
  before=$(sql .dump | sha256sum)
  for verb in status 'import -' 'reset -y' rebuild; do
    run -78 --separate-stderr sophia-index $verb </dev/null
    [[ $stderr == *"another store of Sophia's" ]]
  done
  [ "$(sql .dump | sha256sum)" = "$before" ]
}

@test "a state folder that can't be written: exit 78, and which" {
  [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
  chmod 500 "$SOPHIA_HOME"
  run -78 sophia-task --serve </dev/null
}

@test "a state folder that can't be entered is not taken for an empty one" {
  echo no folder >"$BATS_TEST_TMPDIR/file"
  export SOPHIA_HOME=$BATS_TEST_TMPDIR/file/home
  run -78 --separate-stderr sophia-retrieve kiln
  [ "$stderr" = "sophia-retrieve: $SOPHIA_HOME/settings.json: Not a directory" ]
  run -78 --separate-stderr sophia-task list
  [ "$stderr" = "sophia-task: $SOPHIA_HOME/tasks.sqlite: Not a directory" ]
}

@test "an upgrade killed at any write or sync is done by the next, after a backup" {
  local n=0 rc=137
  small
  store
  sql "INSERT INTO a VALUES ('kept')"
  cp -r "$SOPHIA_HOME" "$BATS_TEST_TMPDIR/old"
  echo 'CREATE TABLE b (x TEXT) STRICT; ALTER TABLE a ADD COLUMN y TEXT;' \
    >"$SOPHIA_SHARE/schema/tasks/0002.sql"
  while [ $rc -eq 137 ]; do
    n=$((n + 1)) rc=0
    rm -rf "$SOPHIA_HOME"
    cp -r "$BATS_TEST_TMPDIR/old" "$SOPHIA_HOME"
    broken pwrite64,fdatasync,fsync,rename,unlink "signal=SIGKILL:when=$n" \
      sophia-task --serve </dev/null 2>/dev/null || rc=$?
    store
    [ "$(sql 'PRAGMA integrity_check; PRAGMA user_version; SELECT x, y FROM a')" = \
      $'ok\n2\nkept|' ]
    [ "$(sqlite3 "$SOPHIA_HOME/tasks.sqlite.v1.bak" 'PRAGMA integrity_check;
      PRAGMA user_version; SELECT * FROM a')" = $'ok\n1\nkept' ]
  done
  [ $rc -eq 0 ]
  [ $n -gt 10 ]
}

@test "approvals of the version that knew one call each are kept, item by item" {
  local db=$SOPHIA_HOME/tasks.sqlite
  mkdir -p "$SOPHIA_HOME"
  cat "$top"/share/schema/tasks/000[123].sql | sqlite3 "$db"
  sql "PRAGMA application_id = 0x536f7068; PRAGMA user_version = 3;
    INSERT INTO task (id, owner, owner_name, location, visibility, objective,
      approval, profile, state, reason, created_ms, changed_ms) VALUES ('$task',
      'local', '', 'local', 'private', 'x', 'ask', 'extractive', 'paused', 'approval', 1, 1);
    INSERT INTO turn VALUES ('t', '$task', 1, 'local', '', 'x', '{}', 'paused', NULL, 1, 2);
    INSERT INTO round VALUES ('$task', 1, 't', '{}', 1);
    INSERT INTO call VALUES ('$task', 1, 1, 'paint', '{\"a\":1}', 'write', 'skipped', NULL, NULL, 1, 2);
    INSERT INTO approval VALUES ('one', '$task', 1, 'paint it', 'local', 5, 'correct', 'green', 6),
      ('two', '$task', 1, 'paint it', 'local', 7, NULL, NULL, NULL)"
  run -1 sophia-task recover # nothing is to be recovered
  run -0 sql 'SELECT id, turn, text, asked, asked_ms, verdict, remark, decided_ms FROM approval ORDER BY id'
  [ "${lines[0]}" = 'one|t|paint it|local|5|correct|green|6' ]
  [ "${lines[1]}" = 'two|t|paint it|local|7|||' ]
  run -0 sql 'SELECT approval, i, call, n, capability, tier, arguments, text, chosen FROM approval_item ORDER BY approval'
  [ "${lines[0]}" = 'one|1|1|0|paint|write|{"a":1}|paint it|1' ]
  [ "${#lines[@]}" = 2 ]
  [ "$(sql 'PRAGMA foreign_key_check; PRAGMA integrity_check')" = ok ]
}
