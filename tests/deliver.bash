# deliver.bash - for suites about what is delivered: the fake Discord, and
# outcomes put into the outbox by hand. Load helper and discord first.

# In setup, after discord_start: the store.
outbox_open() {
  tasks=$SOPHIA_HOME/tasks.sqlite
  owes=0
  sophia-converse --deliver
}

# In teardown: whatever was sent was as Discord's documentation has it.
outbox_close() {
  local wrong
  wrong=$(discord_state '.violations[], (.problems.requests[] |
    select(.wrong != ["body: is missing"]))') # a fault reads no body
  discord_stop
  [ -z "$wrong" ] || { echo "$wrong"; return 1; }
}

# sql SQL - ask the store.
sql() {
  sqlite3 -cmd '.timeout 5000' -cmd 'PRAGMA foreign_keys = on' "$tasks" "$1"
}

# quoted TEXT - as SQL.
quoted() {
  printf "'%s'" "${1//\'/\'\'}"
}

# owe RECORD [COLUMN=VALUE...] - an outcome to be delivered, to general unless
# the columns of its address say otherwise; "visibility" and "location" are the
# task's. Sets $task, $turn and $owed, the id of its row.
owe() {
  local record=$1 visibility=public key names='' values='' pair
  local channel=$discord_channel location=guild:$discord_guild:$discord_channel
  owes=$((owes + 1))
  printf -v task '0%019d' "$owes"
  printf -v turn '1%019d' "$owes"
  shift
  for pair; do
    key=${pair%%=*}
    case $key in
      visibility | location | channel) printf -v "$key" %s "${pair#*=}" ;;
      *) names+=", $key" values+=", $(quoted "${pair#*=}")" ;;
    esac
  done
  record=$(jq -c --arg task "$task" --arg turn "$turn" \
    '{type: "answer", task: $task, turn: $turn, sources: []} + .' <<<"$record")
  sql "BEGIN IMMEDIATE;
    INSERT INTO task (id, owner, owner_name, location, visibility, objective,
      approval, profile, state, created_ms, changed_ms) VALUES ('$task', '5',
      'Ada', '$location', '$visibility', 'why?', 'ask', 'p', 'completed', 0, 0);
    INSERT INTO turn (id, task, n, actor, actor_name, text, record, state,
      started_ms, ended_ms) VALUES ('$turn', '$task', 1, '5', 'Ada', 'why?',
      '{}', 'answered', 0, 0);
    INSERT INTO address (turn, channel, at_ms$names)
      VALUES ('$turn', '$channel', 0$values);
    INSERT INTO outbox (task, turn, location, visibility, kind, record, state,
      at_ms) VALUES ('$task', '$turn', '$location', '$visibility',
      $(quoted "$(jq -r '.type' <<<"$record")"), $(quoted "$record"),
      'pending', 0); COMMIT"
  owed=$(sql 'SELECT max(id) FROM outbox')
}

# an_answer TEXT - the record.
an_answer() {
  jq -nc --arg text "$1" '{text: $text}'
}

# said_of ID - state and reason of that outcome.
became() {
  sql "SELECT state || ifnull(': ' || reason, '') FROM outbox WHERE id = $1"
}
