# atwork.bash - for suites about what a call does to a task that is at work, in
# the world of tests/peers/discord/world.json. Load changes and discord first.

sql() { sqlite3 "$SOPHIA_HOME/tasks.sqlite" ".timeout 5000" 'PRAGMA foreign_keys = ON' "$@"; }

# working ACTOR [TURN] - the task $task of theirs is at work, for a turn record of
# these members, in a call with the number 9.
working() {
  sophia-task --serve </dev/null # makes the store
  sql "INSERT INTO task (id, owner, owner_name, location, visibility, objective, approval, profile, state, created_ms, changed_ms)
      VALUES ('$task', '$1', 'someone', 'guild:$discord_guild:$discord_channel', 'private', 'x', 'ask', 'x', 'running', 1, 1);
    INSERT INTO turn (id, task, n, actor, actor_name, text, record, state, started_ms)
      VALUES ('$task', '$task', 1, '$1', 'someone', 'x', '${2:-{\}}', 'running', 1);
    INSERT INTO round (task, n, turn, message, at_ms) VALUES ('$task', 1, '$task', '{}', 1);
    INSERT INTO call (task, n, round, capability, arguments, tier, state, started_ms)
      VALUES ('$task', 9, 1, 'x', '{}', 'scratch', 'open', 1);"
}

# asked ... - as in changes, by that task.
eval "plain_$(declare -f asked)"
asked() { plain_asked "$@" | jq -c --arg t "$task" '.context += {task: $t, turn: $t}'; }
