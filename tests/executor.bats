load helper
load turns
load effects
load discord

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
  log=$BATS_TEST_TMPDIR/log
  effects_use
}

errors() { pick 'select(.type == "error").text'; }

@test "what is granted is done, once, and the intent is on the disk before" {
  says "$(calls change '{"n":4}')" '{"text":"painted"}'
  run -0 --separate-stderr loop 'paint' "$ada"
  [ "$(types)" = 'task call result answer done' ]
  valid_records <<<"$output"
  [ "$(did)" = 1 ]
  [ "$(cat "$seen")" = 'intent 0' ]
  [ "$(receipts)" = succeeded ]
  [ "$(sql 'SELECT text, arguments, plan, guild FROM receipt')" = 'paint wall 4 (77)|{"n":4}|{"colour":"red"}|11' ]
  run -0 sql "SELECT json_extract(outcome, '$.data.plan.colour') FROM receipt"
  [ "$output" = red ]
  [ "$(sql 'SELECT nonce FROM receipt')" = "$(cut -d' ' -f2 "$effects")" ]
  [[ $(cut -d' ' -f2 "$effects") =~ ^[0-9a-z]{25}$ ]]
  [ "$(sql 'SELECT count(*) FROM approval')" = 0 ]
}

@test "bad arguments, a check that fails and a wild tool: an answer, no receipt, no effect" {
  says "$(calls change '{"n":"x"}' change '{"how":"deny"}' change '{"how":"result"}' change '{"how":"die-check"}')" \
    '{"text":"no"}'
  run -0 loop 'paint' "$ada"
  [[ $(errors) == *'arguments.n'*'the wall is gone'*'asked what it would do, and answered with a result'*'exit code 3'* ]]
  [ "$(did)" = 0 ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "without a grant it is denied, before the tool is even asked" {
  touch "$hold"
  says "$(calls change '{"how":"held-check"}')" '{"text":"no"}'
  run -0 loop 'paint' "${ada/\"5\"/\"9\"}"
  [ "$(pick 'select(.type == "error").kind')" = denied ]
  [[ $(errors) == 'change: there is no grant for write calls here' ]]
  [ ! -e "$hold.waits" ]
  [ "$(did)" = 0 ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "what must be asked waits for the person, in one approval for all in a row" {
  says "$(calls change '{"n":1}' burn '{"how":"items"}')" '{"text":"done"}'
  begin_loop 'paint' "$bo"
  decide approve '[1,2,4]'
  end_loop
  [ "$status" = 0 ]
  [ "$(types)" = 'task call call approval decision progress progress result result answer done' ]
  valid_records <<<"$output"
  run -0 pick 'select(.type == "approval") | [.confirm, (.items | length), (.items | map(.text) | join("; "))] | @csv'
  [ "$output" = 'true,4,"paint wall 1 (77); wall 1; wall 2; wall 3"' ]
  [ "$(did)" = 3 ]
  [ "$(cut -d' ' -f3 "$effects" | xargs)" = '1 3' ]
  [ "$(receipts)" = 'succeeded succeeded' ]
  [ "$(sql 'SELECT items FROM receipt WHERE items IS NOT NULL')" = '[1,3]' ]
  [ "$(sql 'SELECT count(*) FROM receipt r JOIN approval a ON a.id = r.approval')" = 2 ]
  [ "$(cat "$seen" | xargs)" = 'intent 0 intent 1 intent 2' ]
}

@test "a denial, and what was left out, are told to the model and never made" {
  says "$(calls change '{"n":1}' change '{"n":2}')" "$(calls change '{"n":3}')" '{"text":"so be it"}'
  begin_loop 'paint' "$bo"
  decide approve '[2]'
  decide deny
  end_loop
  [ "$status" = 0 ]
  [ "$(did)" = 1 ]
  [[ $(asked '.[1].messages[-2].content') == *'approved other changes, and not this one'* ]]
  [[ $(asked '.[2].messages[-1].content') == *'the person denied this'* ]]
  [ "$(receipts)" = succeeded ]
}

@test "a correction goes to the model in the person's words" {
  says "$(calls change '{"n":1}')" '{"text":"I see"}'
  begin_loop 'paint' "$bo"
  decide correct
  end_loop
  [ "$status" = 0 ]
  [ "$(did)" = 0 ]
  [[ $(asked '.[1].messages[-1] | [.role, .content] | join(" ")') == 'user '*'paint the other one'* ]]
  [ "$(pick 'select(.type == "error").code')" = corrected ]
}

@test "stop, said to an approval, cancels the turn: no other model call" {
  says "$(calls change '{"n":1}')" '{"text":"never"}'
  begin_loop 'paint' "$bo"
  decide stop
  end_loop
  [ "$status" = 75 ]
  [ "$(pick 'select(.type == "decision").verdict')" = stop ]
  [ "$(sql 'SELECT state FROM task')" = cancelled ]
  [ "$(asked length)" = 1 ]
  [ "$(did)" = 0 ]
}

@test "where nobody can be asked the task pauses: exit 79, and may be resumed" {
  says "$(calls change '{"n":1}')" "$(calls change '{"n":1}')" '{"text":"done"}'
  begin_loop 'paint' "$bo"
  decide invalid
  end_loop
  [ "$status" = 79 ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|approval' ]
  [ "$(pick 'select(.type == "done").reason')" = approval ]
  [ "$(asked length)" = 1 ]
  begin_loop 'again' "$bo,\"task\":\"$(sql 'SELECT id FROM task')\""
  decide approve
  end_loop
  [ "$status" = 0 ]
  [ "$(did)" = 1 ]
}

@test "a grant that is revoked while a person decides is a denial after all" {
  says "$(calls change '{"n":1}')" '{"text":"no"}'
  begin_loop 'paint' "$bo"
  until_true grep -q '"type":"approval"' "$log"
  sophia-access revoke -u 6 -g 11
  decide approve
  end_loop
  [ "$status" = 0 ]
  [ "$(did)" = 0 ]
  [[ $(errors) == *'there is no grant'* ]]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "a rule that asks, made after it was decided, is not passed over" {
  says "$(calls change '{"how":"hold","guild":"11"}' change '{"n":2}')" '{"text":"no"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  sophia-access rule -c change add ask
  touch "$hold"
  end_loop
  [ "$status" = 0 ]
  [ "$(did)" = 1 ]
  [[ $(errors) == *'must be asked about now'* ]]
}

@test "protected: not even approved" {
  sophia-access protect -g 11 --channel 70
  says "$(calls burn '{"n":1}')" '{"text":"no"}'
  run -0 loop 'burn' "$ada"
  [[ $(errors) == *'channel 70 is protected'* ]]
  [ "$(did)" = 0 ]
}

@test "an approval that somebody steers away is void, and what was wanted is skipped" {
  says "$(calls change '{"n":1}')" '{"text":"the other one then"}'
  begin_loop 'paint' "$bo"
  until_true grep -q '"type":"approval"' "$log"
  sophia-task steer "$(sql 'SELECT id FROM task')" 'not that one'
  end_loop
  [ "$status" = 0 ]
  [ "$(pick 'select(.type == "decision").verdict')" = invalid ]
  [[ $(errors) == 'skipped: '* ]]
  [ "$(sql "SELECT verdict FROM approval")" = invalid ]
  [ "$(sql "SELECT state FROM call")" = skipped ]
  [ "$(did)" = 0 ]
  [[ $(asked '.[1].messages[-1].content') == *'not that one'* ]]
}

@test "a stop lets what is sent end, and skips the rest" {
  says "$(calls change '{"how":"hold"}' change '{"n":2}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  sophia-task stop "$(sql 'SELECT id FROM task')"
  until_true grep -q '"stop"' <(sql "SELECT '\"' || kind || '\"' FROM control")
  kill -0 "$loop_pid"
  touch "$hold"
  end_loop
  [ "$status" = 75 ]
  [ "$(did)" = 1 ]
  [ "$(receipts)" = succeeded ]
  [ "$(sql 'SELECT state FROM call ORDER BY n' | xargs)" = 'ok skipped' ]
  [ "$(sql 'SELECT state FROM task')" = cancelled ]
  [ "$(asked length)" = 1 ]
}

@test "a signal, or an output that nobody takes, lets what is sent end and then pauses" {
  says "$(calls change '{"how":"hold"}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  kill -TERM "$loop_pid"
  touch "$hold"
  end_loop
  [ "$status" = 75 ]
  [ "$(receipts)" = succeeded ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|interrupted' ]
  [ "$(did)" = 1 ]
}

@test "parts: each is on the disk before it is sent, and what was done in part is told" {
  says "$(calls change '{"how":"parts"}')" "$(calls change '{"how":"parts-fail","n":2}')" '{"text":"so far"}'
  run -0 loop 'paint' "$ada"
  [ "$(did)" = 5 ]
  [ "$(head -n 3 "$seen" | xargs)" = 'intent 1 intent 2 intent 3' ]
  [ "$(receipts)" = 'succeeded partial' ]
  [ "$(sql "SELECT group_concat(state) FROM receipt_part WHERE call = 2")" = succeeded,succeeded,failed ]
  [[ $(asked '.[2].messages[-1].content') == *'Done in part: 2 of 3 requests succeeded, then: wall 3 is wet'*'"wall"'* ]]
}

@test "a stop between two parts leaves the others" {
  says "$(calls change '{"how":"parts hold"}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  sophia-task stop "$(sql 'SELECT id FROM task')"
  touch "$hold"
  end_loop
  [ "$status" = 75 ]
  [ "$(did)" = 1 ]
  [ "$(receipts)" = partial ]
  [ "$(sql "SELECT group_concat(state) FROM receipt_part")" = succeeded ]
}

@test "a tool that dies after it was sent, or says it doesn't know, pauses at once" {
  for how in die dead doubt; do
    provider POST reset '' >/dev/null
    : >"$effects"
    says "$(calls change "{\"how\":\"$how\"}" change '{"n":2}')" '{"text":"never"}'
    run -76 loop "$how" "$ada"
    [ "$(pick 'select(.type == "done") | "\(.verdict) \(.reason)"')" = 'paused unknown' ]
    [[ $(pick 'select(.type == "paused").text') == *'paint wall 1 (77) (call '*'Look whether it did'* ]]
    valid_records <<<"$output"
    [ "$(asked length)" = 1 ]
    [ "$(wc -l <"$effects")" = "$([ $how = die ] && echo 0 || echo 1)" ]
    task=$(pick 'select(.type == "task").id')
    [ "$(sql "SELECT group_concat(state) FROM call WHERE task = '$task'")" = unknown,skipped ]
    [ "$(sql "SELECT state || outcome FROM receipt WHERE task = '$task'" | cut -c 1-14)" = 'unknown{"type"' ]
    [ "$(sql "SELECT count(*) FROM outbox WHERE task = '$task' AND kind = 'paused'")" = 1 ]
    run -69 loop 'again' "$ada,\"task\":\"$task\""
    [[ $(errors) == *'is unknown: settle it first'* ]]
  done
}

@test "what was attested settles a change, once, and the task goes on" {
  says "$(calls change '{"how":"die"}')" '{"text":"then it is so"}'
  run -76 loop 'paint' "$ada"
  task=$(pick 'select(.type == "task").id')
  run -2 sophia-task attest "$task.1" perhaps so
  run -65 sophia-task attest "$task.2" not 'there is none'
  [ "$output" = "sophia-task: $task.2 is no call that changed something" ]
  run -65 sophia-task attest "$task" not 'no call'
  run -0 sophia-task attest "$task.1" not 'the wall is as it was'
  [ "$(sql 'SELECT kind, happened, actor, text FROM settlement')" = 'attested|0|local|the wall is as it was' ]
  run -0 sophia-task show --text "$task"
  [[ $output == *$'\nsettled\n  .1 has not happened (attested by local): the wall is as it was\n'* ]]
  run -69 --separate-stderr sophia-task attest "$task.1" happened 'or not'
  [[ $stderr == *'settled before'* ]]
  run -0 loop 'go on' "$ada,\"task\":\"$task\""
  [ "$(did)" = 0 ]
}

@test "roles are asked for anew each time; a look-up that fails confers nothing" {
  jq '.guilds[0].members[3].roles = ["keeper"] | .guilds[0].roles[2].permissions += ["MANAGE_ROLES"]' "$top/tests/peers/discord/world.json" >"$BATS_TEST_TMPDIR/world.json"
  discord_start --world "$BATS_TEST_TMPDIR/world.json"
  sophia-settings set discord.guilds "$discord_guild"
  discord_rest GET "/guilds/$discord_guild/roles"
  keeper=$(jq -r '.[] | select(.name == "keeper").id' <<<"$output")
  sophia-access grant -r "$keeper" -g "$discord_guild" -t write -m auto
  eve='"actor":{"id":"1200000000000000203","name":"Eve"},"location":{"kind":"guild","guild":"'$discord_guild'","channel":"'$discord_channel'"},"approval":"auto"'
  change() { says "$(calls change "{\"guild\":\"$discord_guild\"}")" '{"text":"so"}'; run -0 loop 'paint' "$eve"; }
  change
  [ "$(did)" = 1 ]
  discord_rest PATCH "/guilds/$discord_guild/members/1200000000000000203" '{"roles":[]}'
  change
  [ "$(did)" = 1 ]
  [[ $(errors) == *'there is no grant for write calls here' ]]
  discord_rest PATCH "/guilds/$discord_guild/members/1200000000000000203" "{\"roles\":[\"$keeper\"]}"
  change
  [ "$(did)" = 2 ]
  kill "$discord_pid"
  change
  [ "$(did)" = 2 ]
  [[ $(errors) == *'there is no grant for write calls here' ]]
}

@test "past its time limit the outcome is unknown" {
  changer slow '{"tier":"write","time_limit_s":1}'
  says "$(calls slow '{"how":"late"}')" '{"text":"never"}'
  run -76 loop 'paint' "$ada"
  [ "$(receipts)" = unknown ]
  [ "$(did)" = 1 ]
}

@test "a tool that certainly did nothing is an ordinary failure" {
  says "$(calls change '{"how":"fail"}')" '{"text":"no"}'
  run -0 loop 'paint' "$ada"
  [ "$(receipts)" = failed ]
  [ "$(errors)" = 'it is wet' ]
}

@test "a tool that sends parts without waiting is not believed" {
  says "$(calls change '{"how":"rash"}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  end_loop
  # every part was stored as it came: what it said holds, or is in doubt
  [[ $(receipts) == succeeded || $(receipts) == unknown ]]
}

@test "killed at any moment, nothing is done twice, and nothing is dropped" {
  for where in check asked intent effect; do
    rm -f "$hold" "$hold.waits"
    : >"$effects"
    provider POST reset '' >/dev/null
    who=$ada how=hold
    case $where in
      check) how=held-check ;;
      asked) who=$bo how= ;;
      effect) how=late ;;
    esac
    says "$(calls change "{\"how\":\"$how\"}")" '{"text":"never"}'
    begin_loop "$where" "$who"
    if [ $where = asked ]; then
      until_true grep -q '"type":"approval"' "$log"
    else
      until_true test -e "$hold.waits"
    fi
    task=$(jq -r 'select(.type == "task").id' "$log")
    kill -9 "$loop_pid"
    end_loop
    touch "$hold"
    run sophia-task recover
    case $where in
      check) want='interrupted||0' ;;
      asked) want='interrupted||0' ;;
      intent) want='unknown|unknown|0' ;;
      effect) want='unknown|unknown|1' ;;
    esac
    got=$(sql "SELECT reason, (SELECT state FROM receipt WHERE task = t.id) FROM task t WHERE id = '$task'")
    [ "$got|$(did)" = "$want" ]
    [ "$(sql "SELECT count(*) FROM approval WHERE verdict IS NULL")" = 0 ]
    [ "$(sql "SELECT count(*) FROM outbox WHERE task = '$task'")" = 1 ]
  done
}

@test "changes in one server are made one at a time, in others meanwhile" {
  says "$(calls change '{"how":"hold"}')" "$(calls change '{"n":2}')"
  begin_loop 'first' "$ada"
  first=$loop_pid
  until_true test -e "$hold.waits"
  cp "$log" "$log.first"
  turn 'second' "$ada" | sophia-loop >"$log.second" 7>&- &
  second=$!
  until_true grep -q 'Waiting for another change' "$log.second"
  [ "$(did)" = 0 ]
  says "$(calls change '{"guild":"12"}')" '{"text":"elsewhere"}'
  run -0 loop 'third' "${ada/\"guild\":\"11\"/\"guild\":\"12\"}"
  [ "$(did)" = 1 ]
  says '{"text":"one"}' '{"text":"two"}'
  touch "$hold"
  wait "$first" "$second"
  [ "$(did)" = 3 ]
  [ "$(receipts)" = 'succeeded succeeded succeeded' ]
}

@test "a full disk: no effect without a stored intent" {
  says "$(calls change '{"how":"held-check"}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  # nothing can be written any more
  /usr/bin/python3 - "$SOPHIA_HOME/tasks.sqlite" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TRIGGER full BEFORE INSERT ON receipt BEGIN SELECT RAISE(ABORT, 'disk'); END")
db.commit()
PY
  touch "$hold"
  end_loop
  [ "$(did)" = 0 ]
  [ "$(sql 'SELECT count(*) FROM receipt')" = 0 ]
}

@test "an outcome that can't be stored is unknown" {
  says "$(calls change '{"how":"late"}')" '{"text":"never"}'
  begin_loop 'paint' "$ada"
  until_true test -e "$hold.waits"
  /usr/bin/python3 - "$SOPHIA_HOME/tasks.sqlite" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("CREATE TRIGGER full BEFORE UPDATE OF outcome ON receipt BEGIN SELECT RAISE(ABORT, 'disk'); END")
db.commit()
PY
  touch "$hold"
  end_loop
  [ "$status" = 76 ]
  [ "$(did)" = 1 ]
  [ "$(receipts)" = unknown ]
  [ "$(sql 'SELECT state, reason FROM task')" = 'paused|unknown' ]
  [ "$(asked length)" = 1 ]
}

@test "receipts of the version before keep what they say, with their parts and settlements" {
  /usr/bin/python3 - "$SOPHIA_HOME/tasks.sqlite" "$top/share/schema/tasks" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for n in range(1, 5):
    db.executescript(open(f"{sys.argv[2]}/{n:04}.sql", encoding="utf-8").read())
db.execute(f"PRAGMA application_id = {0x536f7068}")
db.execute("PRAGMA user_version = 4")
t = "0" * 19 + "t"
db.execute("INSERT INTO task (id, owner, owner_name, location, visibility, objective, approval, profile, state, reason, created_ms, changed_ms) VALUES (?, 'local', 'l', 'local', 'private', 'o', 'ask', 'p', 'paused', 'unknown', 1, 1)", (t,))
db.execute("INSERT INTO turn VALUES (?, ?, 1, 'local', 'l', 't', '{}', 'paused', NULL, 1, 2)", (t, t))
db.execute("INSERT INTO round VALUES (?, 1, ?, '{}', 1)", (t, t))
for n, state, outcome, end in ((1, "unknown", None, 2), (2, "succeeded", '{"a":1}', 2), (3, "failed", None, 2)):
    db.execute("INSERT INTO call VALUES (?, ?, 1, 'send', '{}', 'write', 'ok', NULL, NULL, 1, 2)", (t, n))
    db.execute("INSERT INTO receipt VALUES (?, ?, 'send', '{}', ?, ?, ?, 1, ?)", (t, n, f"n{n}", state, outcome, end))
db.execute("INSERT INTO receipt_part VALUES (?, 1, 1, 'unknown', NULL, 2)", (t,))
db.execute("INSERT INTO settlement VALUES (?, 1, 'attested', 1, 'local', 'seen', 3)", (t,))
PY
  run -0 sophia-task list --jq .state
  [ "$output" = '"paused"' ]
  [ "$(sql 'SELECT call, state, outcome, text FROM receipt ORDER BY call' | xargs)" = '1|unknown||send 2|succeeded|{a:1}|send 3|failed|null|send' ]
  [ "$(sql 'SELECT n, state FROM receipt_part')" = '1|unknown' ]
  [ "$(sql 'SELECT kind, happened, text FROM settlement')" = 'attested|1|seen' ]
  [ "$(sql 'PRAGMA foreign_key_check')" = '' ]
}
