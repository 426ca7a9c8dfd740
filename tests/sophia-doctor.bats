load helper

@test "a new installation is well" {
  chmod 700 "$SOPHIA_HOME"
  sophia-doctor >"$BATS_TEST_TMPDIR/out" || [ $? -eq 1 ]
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r 'select(.level == "fail") | .what' "$BATS_TEST_TMPDIR/out"
  [ -z "$output" ]
  run -0 jq -r 'select(.what == "tasks.sqlite") | .text' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'not there yet' ]
  run -0 jq -r 'select(.what == "messages.sqlite") | .text' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'not there yet; sophia index import makes it' ]
}

@test "it changes nothing" {
  chmod 700 "$SOPHIA_HOME"
  run sophia-doctor -d
  [ "$status" -le 1 ]
  [ -z "$(ls -A "$SOPHIA_HOME")" ]
}

@test "a state folder that others may write to: exit 78, and how to mend it" {
  chmod 777 "$SOPHIA_HOME"
  run -78 --separate-stderr sophia-doctor -q --text
  [ "${lines[0]}" = 'fail  state folder      others may write to it' ]
  [ "${lines[1]}" = "                        to mend it: chmod go= '$SOPHIA_HOME'" ]
  [ "$stderr" = 'sophia-doctor: something must be mended first' ]
}

@test "a file that is no store is named, and left" {
  echo 'not a store at all' >"$SOPHIA_HOME/tasks.sqlite"
  run -78 sophia-doctor --jq 'select(.what == "tasks.sqlite") | [.level, .text]'
  [ "${lines[0]}" = "[\"fail\",\"$SOPHIA_HOME/tasks.sqlite: file is not a database\"]" ]
  [ "$(cat "$SOPHIA_HOME/tasks.sqlite")" = 'not a store at all' ]
}

@test "a newer store is named" {
  sophia-task --serve </dev/null
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" 'PRAGMA user_version = 9000'
  run -78 sophia-doctor --jq 'select(.what == "tasks.sqlite") | .text'
  [[ ${lines[0]} = *'version 9000 is newer than this program'* ]]
}

@test "a store that others may read is named" {
  sophia-task --serve </dev/null
  chmod 644 "$SOPHIA_HOME/tasks.sqlite"
  run -78 sophia-doctor --jq 'select(.what == "tasks.sqlite") | .text'
  [ "${lines[0]}" = '"others may read it"' ]
}

@test "a damaged page is found when it looks deep" {
  sophia-task --serve </dev/null
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" 'PRAGMA wal_checkpoint(TRUNCATE)' >/dev/null
  dd if=/dev/zero of="$SOPHIA_HOME/tasks.sqlite" bs=4096 seek=5 count=3 conv=notrunc status=none
  run -78 sophia-doctor -d --jq 'select(.what == "tasks.sqlite") | .level'
  [ "${lines[0]}" = '"fail"' ]
}

@test "a setting that won't do, a profile that isn't there" {
  echo '{"version":1,"voice":"loud"}' >"$SOPHIA_HOME/settings.json"
  run -78 sophia-doctor --jq 'select(.what == "settings") | .text'
  [[ ${lines[0]} = *'voice: must be one of balanced|casual|formal"' ]]
  run -78 sophia-doctor --jq 'select(.what == "messages.sqlite") | .fix'
  [ "${lines[0]}" = '"mend the settings first"' ]
  echo '{"version":1,"profile":"none-such"}' >"$SOPHIA_HOME/settings.json"
  run -78 sophia-doctor --jq 'select(.what == "profile in use") | .level'
  [ "${lines[0]}" = '"fail"' ]
}

@test "who is answered in Discord is told, and that * is nobody in direct messages" {
  answers() { sophia-doctor --jq 'select(.what == "answers in Discord") | .text' || :; }
  run -0 answers
  [ "$output" = '"to nobody: set discord.guilds and discord.users"' ]
  sophia-settings set discord.guilds 11 >/dev/null
  sophia-settings set discord.users 12,13 >/dev/null
  run -0 answers
  [ "$output" = '"2 of discord.users, in 1 of discord.guilds; direct messages are off"' ]
  sophia-settings set discord.users '*' >/dev/null
  sophia-settings set discord.dms on >/dev/null
  run -0 answers
  [[ $output == '"everybody in 1 of discord.guilds; '*'are on, but * is nobody there: name people, too"' ]]
}

@test "an operator that is no id is named" {
  SOPHIA_OPERATORS=11,ada run -78 sophia-doctor --jq 'select(.what == "operators") | .text'
  [ "${lines[0]}" = "\"SOPHIA_OPERATORS: each must be an id of Discord's, with commas between them\"" ]
}

@test "a secrets file that others may read is named, and not quoted" {
  echo 'DISCORD_TOKEN=hush' >"$BATS_TEST_TMPDIR/secrets"
  chmod 644 "$BATS_TEST_TMPDIR/secrets"
  SOPHIA_SECRETS=$BATS_TEST_TMPDIR/secrets run -78 sophia-doctor --text
  [[ $output = *'fail  secrets'* ]]
  [[ $output != *hush* ]]
}

@test "without its shared data it can't work" {
  SOPHIA_SHARE=$BATS_TEST_TMPDIR/none run -78 sophia-doctor --jq 'select(.what == "shared data") | .level'
  [ "${lines[0]}" = '"fail"' ]
}

@test "tasks that a dead process left are a warning: exit 1" {
  chmod 700 "$SOPHIA_HOME"
  sophia-task --serve </dev/null
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT INTO task (id, owner, owner_name,
    location, visibility, objective, approval, profile, state, created_ms,
    changed_ms) VALUES ('0000000000000000000a', 'local', '', 'local', 'private',
    'x', 'ask', 'extractive', 'running', 1, 1)"
  run -1 --separate-stderr sophia-doctor --jq 'select(.what == "tasks") | [.level, .fix]'
  [ "$output" = '["warn","sophia task recover"]' ]
}

@test "wrong usage is exit 2" {
  run -2 sophia-doctor now
}

@test "the profile that recordings are given to is there, and takes sound" {
  found() { sophia-doctor --jq 'select(.what == "transcriber") | "\(.level): \(.text)"'; }
  mkdir -p "$SOPHIA_HOME/models"
  ear() { printf '{"id":"ear","protocol":"chat","base_url":"http://127.0.0.1:1/v1","model":"m","context":32768,"reserve":1024%s}\n' "$1" >"$SOPHIA_HOME/models/ear.json"; }
  ear ''
  sophia-settings set media.transcriber ear >/dev/null
  run -78 --separate-stderr found
  [ "$output" = '"fail: its profile is not declared to take sound"' ]
  ear ',"inputs":["text","audio"]'
  run --separate-stderr found
  [ -z "$output" ]
  sophia-settings set media.transcriber none >/dev/null
  run -78 --separate-stderr found
  [[ $output = '"fail: '*none* ]]
}
