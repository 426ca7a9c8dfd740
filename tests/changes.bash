# changes.bash - for suites about changes: calls of sophia-guild as the loop makes
# them, in the world of tests/peers/discord/world.json.

ada=1200000000000000201 # a keeper, and the owner
bob=1200000000000000202
eve=1200000000000000203
me=1200000000000000100   # Sophia
task=0000000000000000000t
nonce=0123456789abcdefghijklmno

# asked ACTOR PHASE CAPABILITY ARGUMENTS [MORE] - such a call; MORE is merged in.
# $visibility and $where say how, and in which channel.
asked() {
  jq -cn --arg a "$1" --arg p "$2" --arg t "$3" --argjson in "$4" --argjson more "${5:-{\}}" \
    --arg g "$discord_guild" --arg c "${where:-$discord_channel}" --arg v "${visibility:-private}" --arg id "$task.${call:-1}" \
    '{type: "call", id: $id, capability: $t, arguments: $in, tier: "write", phase: $p,
      context: {actor: {id: $a, name: "someone"}, location: {kind: "guild", guild: $g, channel: $c}, visibility: $v}}
     * $more'
}

# look ACTOR CAPABILITY ARGUMENTS [MORE] - what a check says: $answer.
look() {
  answer=$(asked "$1" check "$2" "$3" "${4:-}" | sophia-guild --serve)
}

# refused ACTOR CAPABILITY ARGUMENTS KIND TEXT - a check that fails so.
refused() {
  look "$1" "$2" "$3"
  [ "$(jq -r '"\(.kind) \(.effect) \(.text)"' <<<"$answer")" = "$4 none $5" ] || { echo "$answer"; false; }
}

# make ACTOR CAPABILITY ARGUMENTS [MORE] - look, and do what was proposed: all that
# came of it is in $lines, the last of it in $answer. MORE is for the second call.
make_it() {
  look "$1" "$2" "$3"
  jq -e '.type == "proposal"' <<<"$answer" >/dev/null || { echo "$answer"; return 1; }
  proposal=$answer
  act "$@"
}

# act ... - the same, once more: by the proposal in $proposal.
act() {
  lines=$({
    asked "$1" act "$2" "$3" "$(jq -c --arg nonce "$nonce" '{plan: .plan, nonce: $nonce}' <<<"$proposal")" |
      jq -c --argjson more "${4:-{\}}" '. * $more'
    for n in {1..30}; do echo "{\"type\":\"go\",\"id\":\"$task.${call:-1}\",\"n\":$n}"; done
  } | sophia-guild --serve | jq -c --arg id "$task.${call:-1}" 'select(.id == $id)')
  answer=$(tail -n 1 <<<"$lines")
}

# says JQ TEXT - of the last answer.
says() {
  [ "$(jq -r "$1" <<<"$answer")" = "$2" ] || { echo "$answer"; false; }
}

# recorded STATE ACTOR CAPABILITY ARGUMENTS [ITEMS] - what was proposed last is in
# the store as a change of ACTOR's task $task.$call that stands so; begun
# $begun_ms ago.
recorded() {
  sophia-task --serve </dev/null # makes the store
  jq -nr --arg t "$task" --arg n "${call:-1}" --arg a "$2" --arg s "$1" --arg c "$3" --arg in "$4" --arg items "${5:-}" \
    --arg at "guild:$discord_guild:${where:-$discord_channel}" --arg nonce "$nonce" --argjson plan "$(jq -c .plan <<<"$proposal")" \
    --arg guild "$discord_guild" --argjson begun "$(($(date +%s%3N) - ${begun_ms:-60000}))" '
    def text: "\u0027" + gsub("\u0027"; "\u0027\u0027") + "\u0027";
    "INSERT OR IGNORE INTO task (id, owner, owner_name, location, visibility, objective, approval, profile, state, reason, created_ms, changed_ms)
     VALUES (\($t | text), \($a | text), \($a | text), \($at | text), \("private" | text), \("x" | text), \("ask" | text), \("x" | text), \("paused" | text), \("unknown" | text), 1, 1);
     INSERT OR IGNORE INTO turn (id, task, n, actor, actor_name, text, record, state, started_ms, ended_ms)
     VALUES (\($t | text), \($t | text), 1, \($a | text), \($a | text), \("x" | text), \("{}" | text), \("paused" | text), 1, 1);
     INSERT OR IGNORE INTO round (task, n, turn, message, at_ms) VALUES (\($t | text), 1, \($t | text), \("{}" | text), 1);
     INSERT INTO call (task, n, round, capability, arguments, tier, state, started_ms, ended_ms)
     VALUES (\($t | text), \($n), 1, \($c | text), \($in | text), \("write" | text), \("unknown" | text), 1, 1);
     INSERT INTO receipt (task, call, capability, arguments, nonce, text, guild, items, plan, state, outcome, intent_ms, outcome_ms)
     VALUES (\($t | text), \($n), \($c | text), \($in | text), \($nonce + $n | text), \("x" | text), \($guild | text),
       \(if $items == "" then "NULL" else ($items | text) end), \($plan | tojson | text), \($s | text), \("{}" | text), \($begun), \($begun + 1));"' |
    sqlite3 "$SOPHIA_HOME/tasks.sqlite"
}

# verifies ACTOR FOUND TEXT SETTLED - what verify_action finds of $task.$call.
verifies() {
  answer=$(asked "$1" check verify_action "{\"call\":\"$task.${call:-1}\"}" | jq -c 'del(.phase) | .tier = "scratch"' | sophia-guild --serve)
  says '"\(.data.found)|\(.data.text)|\(.data.settled)"' "$2|$3|$4"
}
