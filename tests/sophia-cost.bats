load helper

# used DAY-OF-NOVEMBER-2023 ACTOR MODEL STATE INPUT OUTPUT COST ESTIMATED
used() {
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT INTO usage (task, actor, profile,
    model, purpose, state, input, output, cost, estimated, sent_ms, ended_ms)
    VALUES (NULL, '$2', 'p', '$3', 'task', '$4', $5, $6, $7, $8,
    strftime('%s', '2023-11-$1') * 1000, iif('$4' = 'sent', NULL, 1))"
}

store() { sophia-task --serve </dev/null; }

@test "nothing was used: silent, exit 1, and no store is made" {
  run -1 --separate-stderr sophia-cost
  [ -z "$output$stderr" ]
  [ ! -e "$SOPHIA_HOME/tasks.sqlite" ]
  store
  run -1 --separate-stderr sophia-cost -a
  [ -z "$output$stderr" ]
}

@test "money is added exactly, by day and in total" {
  store
  used 14 local m ok 10 5 "'0.1'" 0
  used 14 local m ok 20 5 "'0.2'" 0
  used 15 local m ok 1 1 "'0.000000000000000001'" 0
  sophia-cost >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c '[.by, .key, .attempts, .input.known, .cost.known]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '["day","2023-11-14",2,30,"0.3"]
["day","2023-11-15",1,1,"0.000000000000000001"]
["total",null,3,31,"0.300000000000000001"]' ]
}

@test "what isn't known is unknown, and never zero" {
  store
  used 14 local m ok 10 5 "'0.1'" 1
  used 14 local m error NULL NULL NULL 0
  used 15 local m sent NULL NULL NULL 0
  run -0 sophia-cost --text
  [ "$output" = 'day                      requests            tokens in           tokens out US dollars
2023-11-14                      2       10 + 1 unknown        5 + 1 unknown 0.1 + 1 unknown (estimated)
2023-11-15                      1              unknown              unknown unknown
total                           3       10 + 2 unknown        5 + 2 unknown 0.1 + 2 unknown (estimated)' ]
  sophia-cost >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c 'select(.key == "2023-11-15") | [.input, .cost]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = '[{"unknown":1},{"unknown":1,"estimated":false}]' ]
}

@test "one's own are shown; others' only when asked for" {
  store
  used 14 local m ok 1 1 "'1'" 0
  used 14 11 n ok 2 2 "'2'" 0
  used 15 11 m ok 4 4 "'4'" 0
  run -0 sophia-cost --jq 'select(.by == "total") | .cost.known'
  [ "$output" = '"1"' ]
  run -0 sophia-cost -a --jq 'select(.by == "total") | .cost.known'
  [ "$output" = '"7"' ]
  run -0 sophia-cost -u 11 -e 2023-11-15 --jq 'select(.by == "total") | .cost.known'
  [ "$output" = '"2"' ]
  run -0 sophia-cost -a -s 2023-11-15 --jq 'select(.by == "total") | .cost.known'
  [ "$output" = '"4"' ]
  run -0 sophia-cost -a -b model --jq '[.key, .cost.known]'
  [ "${lines[*]}" = '["m","5"] ["n","2"] [null,"7"]' ]
  run -0 sophia-cost -a -b actor --jq '[.key, .cost.known]'
  [ "${lines[*]}" = '["11","6"] ["local","1"] [null,"7"]' ]
  run -1 sophia-cost -t 0000000000000000000a
}

@test "wrong usage is exit 2" {
  run -2 sophia-cost -b week
  run -2 sophia-cost -s yesterday
  run -2 sophia-cost 3
}
