# effects.bash - for suites about changes: a tool of the tests that counts what
# it did, and a person who decides. Load helper and turns before.

# effects_use - in setup, after provider_use: Ada (5) may change things in server
# 11 without being asked, Bo (6) with; and so may a tool `change` of each tier:
# `change`, which is write, and `burn`, which is destructive.
effects_use() {
  effects=$BATS_TEST_TMPDIR/effects seen=$BATS_TEST_TMPDIR/seen
  hold=$BATS_TEST_TMPDIR/hold
  export effects seen hold
  : >"$effects" && : >"$seen"
  sophia-settings set discord.guilds 11,12 >/dev/null
  sophia-settings set discord.users '*' >/dev/null
  sophia-access grant -u 5 -g 11 -t destructive -m auto >/dev/null
  sophia-access grant -u 5 -g 12 -t destructive -m auto >/dev/null
  sophia-access grant -u 6 -g 11 -t destructive -m ask >/dev/null
  changer change '{"tier":"write"}'
  changer burn '{"tier":"destructive"}'
}

# changer NAME JSON-FIELDS - one more tool whose program is peers/changer.
changer() {
  tool "$1" "$(jq -n --argjson more "$2" --arg program "$BATS_TEST_DIRNAME/peers/changer" \
    '{check: true, serve: true, command: [$program], parameters: {type: "object",
      properties: {how: {type: "string"}, guild: {type: "string"},
        n: {type: "integer"}}, required: []}} + $more')"
}

ada='"actor":{"id":"5","name":"Ada"},"location":{"kind":"guild","guild":"11","channel":"22"},"approval":"auto"'
bo='"actor":{"id":"6","name":"Bo"},"location":{"kind":"guild","guild":"11","channel":"22"},"approval":"auto"'

# did - how many effects there were; receipts - the states of all of them.
did() { wc -l <"$effects" | tr -d ' '; }
receipts() { sql 'SELECT state FROM receipt ORDER BY task, call' | xargs; }

# decide VERDICT [CHOSEN-PLACES] - as the adapter does when a person decides what
# is pending: waits until something is.
decide() {
  until_true eval '[ -n "$(sql "SELECT id FROM approval WHERE verdict IS NULL" 2>/dev/null)" ]'
  /usr/bin/python3 - "$SOPHIA_HOME/tasks.sqlite" "$@" <<'PY'
import json, sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)
verdict, chosen = sys.argv[2], sys.argv[3:]
db.execute("BEGIN IMMEDIATE")
id, task, asked = db.execute("SELECT id, task, asked FROM approval WHERE verdict IS NULL").fetchone()
now = int(time.time() * 1000)
if chosen:
    db.execute("UPDATE approval_item SET chosen = i IN (SELECT value FROM json_each(?)) WHERE approval = ?",
        (chosen[0], id))
remark = "paint the other one" if verdict == "correct" else None
db.execute("UPDATE approval SET verdict = ?, remark = ?, decider = ?, decided_ms = ? WHERE id = ?",
    (verdict, remark, asked, now, id))
db.execute("INSERT INTO control (task, kind, actor, actor_name, data, at_ms) VALUES (?, 'decision', ?, 'Bo', ?, ?)",
    (task, asked, json.dumps({"approval": id}), now))
db.execute("COMMIT")
PY
}

# begin_loop TEXT FIELDS - run a turn beside the test: $loop_pid, its output is
# in $log; end_loop waits for it, and leaves $output and $status.
begin_loop() {
  turn "$@" >"$BATS_TEST_TMPDIR/turn"
  sophia-loop <"$BATS_TEST_TMPDIR/turn" >"$log" 2>"$log.err" 7>&- &
  loop_pid=$!
}

end_loop() {
  status=0
  wait "$loop_pid" || status=$?
  output=$(cat "$log")
}
