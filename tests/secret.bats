load helper
load turns
load discord
load converse
load media

# Follow one secret: a message is deleted while a task uses it, or afterwards.
# Then the bytes of every file in the state folder are searched. A store that
# holds more of what people said joins by a line in puts_it_everywhere().

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() {
  up=
  harbour
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  secret=zq$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n' | tr 0-9 g-p)
  archive=$BATS_TEST_TMPDIR/archive.ndjson
}
teardown() {
  [ -z "$up" ] || kill "$up" 2>/dev/null || :
  [ -z "$up" ] || wait "$up" || :
  harbour_close
  cat "$BATS_TEST_TMPDIR/up.err" 2>/dev/null || :
}

# What a model does with what it read: a call of each tool that keeps text.
puts_it_everywhere() {
  calls note_add "{\"text\":\"the safe: $1\"}" \
    plan_update "{\"text\":\"1. say $1\"}" \
    goal_open "{\"text\":\"tell them $1\"}" \
    search_messages "{\"text\":\"$1\"}" \
    query_json "{\"call\":\"$1\",\"filter\":\"$1\"}" \
    evaluate_math "{\"expression\":\"$1\"}" \
    "no_$1" '{}'
}

up_start() {
  sophia-up 3>&- 6>&- 7>&- >>"$BATS_TEST_TMPDIR/up.out" 2>>"$BATS_TEST_TMPDIR/up.err" &
  up=$!
  until_true connected
}
connected() {
  jq -e '.children[] | select(.name == "gateway") | .detail == "up"' \
    "$SOPHIA_HOME/run/up.json" >/dev/null 2>&1
}
up_stop() {
  kill "$up"
  wait "$up" || return
  up=
}

# tells USER TEXT - somebody says it, and Sophia has indexed it. Sets $said, $id.
tells() {
  said=$(discord_do "$(jq -nc --arg u "$1" --arg t "$2" \
    '{do: "say", channel: "general", user: $u, text: $t}')")
  id=$(jq -r .id <<<"$said")
  jq -c --arg g "$discord_guild" '. + {guild_id: $g}' <<<"$said" >>"$archive"
  until_true indexed "$id"
}
index() { sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "$1" 2>/dev/null; }
indexed() { [ "$(index "SELECT count(*) FROM message WHERE id = $1")" = 1 ]; }

# purged - all deletions, of which there are that many, are carried through.
knowledge() { sqlite3 -readonly "$SOPHIA_HOME/knowledge.sqlite" "$1" 2>/dev/null; }
purged() {
  [ "$(knowledge 'SELECT (SELECT count(*) FROM tombstone), count(*) FROM purge')" = "$1|0" ]
}

# out_of_tasks ID - of a deletion, the first step is done.
out_of_tasks() {
  [ "$(knowledge "SELECT count(*) FROM tombstone WHERE id = $1")" = 1 ] &&
    [ "$(knowledge "SELECT count(*) FROM purge WHERE target = $1 AND step = 0")" = 0 ]
}

# nowhere WORD... - no file of the state folder has it.
nowhere() {
  ! "$top/tests/secret-search" "$SOPHIA_HOME" "$@" || return 1
}
somewhere() { "$top/tests/secret-search" "$SOPHIA_HOME" "$@" >/dev/null; }

# and_never_again WORD... - nor after the index is made anew from an archive.
and_never_again() {
  nowhere "$@"
  sophia-index reset --yes >/dev/null
  sophia-index import --guild "$discord_guild" "$archive" >/dev/null
  nowhere "$@"
  rm "$SOPHIA_HOME"/messages.sqlite*
  sophia-index import --guild "$discord_guild" "$archive" >/dev/null
  nowhere "$@"
}

@test "the search finds a word in each form that a store may give it" {
  mkdir "$BATS_TEST_TMPDIR/forms"
  cd "$BATS_TEST_TMPDIR/forms"
  echo "Hello${secret^^}x" >raw
  printf 'ab%s' "$secret" | base64 >base64
  printf '%s' "$secret" | iconv -t UTF-16LE >utf16
  printf '%s' "$secret" | gzip >gzip
  printf 'x%s' "$secret" | xxd -p >hex
  echo other >other
  run -0 "$top/tests/secret-search" . "$secret"
  [ "$(cut -d: -f1 <<<"$output" | sort -u | xargs)" = 'base64 gzip hex raw utf16' ]
  run -1 "$top/tests/secret-search" . nothing
}

@test "a message is deleted while a task uses it: it is nowhere, and work goes on" {
  up_start
  tells bob "the safe opens with $secret"
  gone=$id
  tells bob 'the harbour master is called Runa'
  says "$(calls retrieve_messages '{"query":"safe opens harbour master"}')" \
    "$(puts_it_everywhere "$secret")" '{"hang":"before"}' \
    '{"text":"The harbour master is Runa; the other message is gone."}'
  discord_do '{"do":"say","channel":"general","user":"ada",
    "text":"<@sophia> what opens the safe, and who is the harbour master?"}' >/dev/null
  asked_times 3
  somewhere "$secret"
  [ "$(sql "SELECT count(*) FROM note WHERE text LIKE '%$secret%'")" = 1 ]
  discord_do "{\"do\":\"delete\",\"message\":\"$gone\"}" >/dev/null
  asked_times 4
  run -0 asked '.[3].messages | tojson'
  [[ $output != *"$secret"* ]]
  [[ $output == *"$gone"*'gone'* && $output == *'called Runa'* ]]
  outcomes 1
  until_true out_of_tasks "$gone"
  [ "$(sql 'SELECT (SELECT count(*) FROM note) + (SELECT count(*) FROM plan)')" = 0 ]
  [ "$(sql "SELECT count(*) FROM source WHERE gone_ms IS NOT NULL AND text = '' AND author_name <> ''")" -ge 1 ]
  [ "$(sql "SELECT answer FROM turn")" = 'The harbour master is Runa; the other message is gone.' ]
  up_stop
  sophia-index purge >/dev/null # a message that showed progress may be gone, too
  [ "$(knowledge 'SELECT count(*) FROM purge')" = 0 ]
  and_never_again "$secret"
  indexed "$(tail -1 "$archive" | jq -r .id)"
}

# At a terminal: nothing of it goes to Discord, so an answer has no other life.
asks_here() {
  sophia-ask "$1" </dev/null >/dev/null
}

# follows - what was put into the spool is taken in, and carried through.
follows() {
  sophia-index follow --once || [ $? -eq 1 ]
}

# spools USER TEXT - somebody says it, and it is in the spool. Sets $said, $id.
spools() {
  says_in general "$@"
  jq -c . <<<"$said" >>"$archive"
}
deletes() {
  event MESSAGE_DELETE "{\"id\":\"$1\",\"channel_id\":\"$discord_channel\",\"guild_id\":\"$discord_guild\"}"
}

@test "deleted after the answer: notes, answers and what was asked go, too" {
  spools bob "the safe opens with $secret"
  follows
  says "$(calls retrieve_messages '{"query":"safe"}')" \
    "$(puts_it_everywhere "$secret")" "{\"text\":\"It opens with $secret.\"}"
  asks_here 'what opens the safe?'
  [ "$(sql "SELECT count(*) FROM turn WHERE answer LIKE '%$secret%'")" = 1 ]
  deletes "$id"
  follows
  purged 1
  [ "$(sql 'SELECT objective FROM task')" = 'what opens the safe?' ]
  [ "$(sql "SELECT count(*) FROM call WHERE capability = 'note_add' AND state = 'ok'")" = 1 ]
  and_never_again "$secret"
}

# pads WORD - a text that is too large for the store alone, with the word.
pads() { head -c 70000 /dev/zero | tr '\0' x && printf '%s' "$1"; }

# hands_over - a tool `draw` that makes an artifact of its argument, and a large
# one.
hands_over() {
  sh_tool draw '{"tier":"scratch","attach":true,"parameters":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}' <<'SH'
text=${call#*'"text":"'} text=${text%%'"'*}
large=$(head -c 70000 /dev/zero | tr '\0' y)
for file in small "large" "$text"; do
  content=$text
  [ "$file" != large ] || content=$large$text
  printf '{"type":"attach","id":"%s","filename":"%s","text":"%s"}\n' "$id" "$file" "$content"
  read -r answer
done
result drawn
SH
}

@test "what was attached to it, and what was made of that: files, artifacts and their bytes" {
  hands_over
  spools bob 'the plan is attached' "{attachments: [{name: \"plan.txt\", text: \"$secret\", type: \"text/plain\"},
    {name: \"large.txt\", text: \"$(pads "$secret")\", type: \"text/plain\"}]}"
  follows
  says "$(calls draw '{"text":"before"}')" \
    "$(calls sandbox_import "{\"attachment_id\":\"$(jq -r '.attachments[0].id' <<<"$said")\",\"path\":\"plan.txt\"}" \
      sandbox_import "{\"attachment_id\":\"$(jq -r '.attachments[1].id' <<<"$said")\",\"path\":\"large.txt\"}")" \
    "$(calls draw "{\"text\":\"$secret\"}" note_add "{\"text\":\"$secret\"}")" "{\"text\":\"It is $secret.\"}"
  asks_here 'what is the plan?'
  task=$(sql 'SELECT id FROM task')
  echo mine | sophia-sandbox files put "$task" mine.txt >/dev/null
  [ "$(sql "SELECT count(*) FROM file WHERE origin = 'import'")" = 2 ]
  [ "$(sql 'SELECT count(*) FROM artifact')" = 6 ]
  [ "$(find "$SOPHIA_HOME/blob" -type f | wc -l)" = 3 ]
  sophia-sandbox files get "$task" large.txt | grep -q "$secret"
  deletes "$id"
  follows
  purged 1
  [ "$(sql 'SELECT group_concat(path) FROM file')" = mine.txt ]
  [ "$(sql 'SELECT count(*) FROM artifact')" = 3 ]
  [ "$(find "$SOPHIA_HOME/blob" -type f | wc -l)" = 1 ]
  sophia-index purge >/dev/null # the name of a file is a word of the index
  and_never_again "$secret"
  [ "$(sophia-sandbox files get "$task" small)" = before ]
}

@test "what was written before it was shown stays" {
  spools bob "the safe opens with $secret"
  follows
  says "$(calls note_add '{"text":"written before"}')" \
    "$(calls retrieve_messages '{"query":"safe"}' note_add '{"text":"written beside"}')" \
    "$(calls note_add "{\"text\":\"it is $secret\"}")" '{"text":"I know."}'
  asks_here 'what opens the safe?'
  deletes "$id"
  follows
  [ "$(sql 'SELECT group_concat(text) FROM note')" = 'written before,written beside' ]
  nowhere "$secret"
}

@test "a message that a request replied to, and the request itself" {
  converse_start
  spools bob "the safe opens with $secret"
  secrets=$id
  says '{"text":"I see."}'
  spools ada "<@sophia> remember this, and my own q$secret" "{reply_to: \"$secrets\"}"
  outcomes 1
  quiet
  converse_stop
  [ "$(sql "SELECT count(*) FROM turn WHERE record LIKE '%opens with $secret%'")" = 1 ]
  deletes "$secrets"
  follows
  [ "$(sql "SELECT json_extract(record, '$.reply.gone') FROM turn")" = 1 ]
  run -1 "$top/tests/secret-search" "$SOPHIA_HOME" "with $secret"
  somewhere "q$secret"
  deletes "$id"
  follows
  sophia-index purge >/dev/null # the words would wait for ten minutes
  purged 2
  and_never_again "$secret"
}

@test "a direct message, and a request that was deleted before it was begun" {
  sophia-settings set discord.dms on >/dev/null
  converse_start
  said=$(discord_do "{\"do\":\"say\",\"user\":\"ada\",\"text\":\"between us: $secret\"}")
  id=$(jq -r .id <<<"$said")
  sophia-settings set discord.users "$(jq -r .author.id <<<"$said")" >/dev/null
  says '{"text":"Yes."}'
  event MESSAGE_CREATE "$said"
  outcomes 1
  somewhere "$secret"
  event MESSAGE_DELETE "{\"id\":\"$id\",\"channel_id\":\"$(jq -r .channel_id <<<"$said")\"}"
  quiet
  follows
  purged 1
  nowhere "$secret"
  event MESSAGE_CREATE "$(jq -c '.content += " again"' <<<"$said")"
  quiet
  sophia-index delete --yes "$id" >/dev/null
  [ "$(sql 'SELECT count(*) FROM turn')" = 1 ]
  nowhere "$secret"
  converse_stop
}

@test "a turn that begins when its request is deleted already is stopped" {
  sophia-index delete --yes 1234567890123456789 >/dev/null
  says '{"text":"never"}'
  loop hello >/dev/null # makes the store
  line=$(turn "it is $secret" '"reply":{"id":"1234567890123456789","channel":{"id":"22"},"text":"'"$secret"'"}')
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "INSERT INTO address (turn, channel, request, at_ms)
    VALUES ('$(jq -r .id <<<"$line")', '22', '1234567890123456789', 0)"
  run sophia-loop <<<"$line"
  [ "$(pick 'select(.type == "done").verdict')" = cancelled ]
  [ "$(provider GET log '' | jq length)" = 1 ]
  nowhere "$secret"
}

@test "many at once, and a channel with all that was said in it" {
  spools bob "one $secret"
  one=$id
  spools bob "two $secret"
  follows
  says "$(calls retrieve_messages '{"query":"one two"}')" "{\"text\":\"$secret\"}"
  asks_here 'what do they say?'
  event MESSAGE_DELETE_BULK "{\"ids\":[\"$one\",\"$id\"],\"channel_id\":\"$discord_channel\",\"guild_id\":\"$discord_guild\"}"
  follows
  purged 2
  and_never_again "$secret"
  says_in random bob "three $secret"
  jq -c . <<<"$said" >>"$archive"
  follows
  says "$(calls retrieve_messages '{"query":"three"}')" "{\"text\":\"$secret\"}"
  asks_here 'and there?'
  sql "SELECT answer FROM turn" | grep -q "$secret"
  event CHANNEL_DELETE "{\"id\":\"$(jq -r .channel_id <<<"$said")\",\"guild_id\":\"$discord_guild\",\"type\":0}"
  follows
  sophia-index purge >/dev/null
  purged 3
  and_never_again "$secret"
}

@test "an edited message is read again while a task uses it" {
  spools bob "the safe opens with $secret"
  follows
  says "$(calls retrieve_messages '{"query":"safe"}')" '{"hang":"before"}' '{"text":"With a key."}'
  asks_here 'what opens the safe?' &
  asker=$!
  asked_times 2
  event MESSAGE_UPDATE "$(jq -c '.content = "the safe opens with a key" |
    .edited_timestamp = "2030-01-01T00:00:00.000000+00:00"' <<<"$said")"
  follows
  wait "$asker"
  run -0 asked '.[2].messages | tojson'
  [[ $output != *"$secret"* && $output == *'opens with a key'*'has been edited'* ]]
  [ "$(sql 'SELECT text FROM source')" = 'the safe opens with a key' ]
  [ "$(sql 'SELECT answer FROM turn')" = 'With a key.' ]
}

@test "what whoever asks may not read any more is a gap in running work" {
  up_start
  tells ada "the safe opens with $secret"
  says "$(calls retrieve_messages '{"query":"safe"}')" \
    "$(calls note_add "{\"text\":\"$secret\"}")" '{"hang":"before"}' '{"text":"I can not say."}'
  discord_do '{"do":"say","channel":"random","user":"bob","text":"<@sophia> what opens it?"}' >/dev/null
  asked_times 3
  somewhere "$secret"
  discord_do '{"do":"overwrite","channel":"general","member":"bob","deny":["VIEW_CHANNEL"]}' >/dev/null
  asked_times 4
  run -0 asked '.[3].messages | tojson'
  [[ $output != *"$secret"* && $output == *gone* ]]
  [ "$(sql 'SELECT count(*) FROM note')" = 0 ]
  [ "$(sql 'SELECT text FROM source WHERE gone_ms IS NOT NULL')" = '' ]
  outcomes 1
  up_stop
  indexed "$id"
}

@test "a picture that was drawn of it, and one beside it, are not shown again" {
  profile fake 32768 '"inputs":["text","image"]' >"$SOPHIA_HOME/models/fake.json"
  says '{"text":"Hello."}'
  asks_here 'hello' # which makes the store
  cd "$BATS_TEST_TMPDIR"
  for color in red blue lime; do
    picture "$color.png" "$color"
    sh_tool "$color" <<<"printf '{\"type\":\"result\",\"id\":\"%s\",\"ok\":true,\"summary\":\"x\",\"media\":[%s]}\n' \"\$id\" '$(exhibit image image/png "$color-$secret.png" "$(keep "$color.png")")'"
  done
  spools bob "the safe opens with $secret"
  follows
  says "$(calls red '{}')" "$(calls blue '{}' retrieve_messages '{"query":"safe"}')" \
    "$(calls lime '{}')" '{"hang":"before"}' '{"text":"I forgot."}'
  asks_here 'draw what opens the safe' &
  asker=$!
  asked_times 5
  [ "$(saw 'map(.middle) | join(" ")')" = '"ff0000 0000ff 00ff00"' ]
  deletes "$id"
  follows
  asked_times 6
  [ "$(saw 'map(.middle) | join(" ")')" = '"ff0000"' ]
  run -0 asked '.[5].messages | tojson'
  [[ $output != *"blue-$secret"* && $output != *"lime-$secret"* && $output == *"red-$secret"* ]]
  [ -z "$(wrong)" ]
  wait "$asker"
}

@test "a note that comes late, and an answer that links what is gone, are refused" {
  spools bob "the safe opens with $secret"
  link=https://discord.com/channels/$discord_guild/$discord_channel/$id
  follows
  sh_tool wait <<'SH'
until [ -e "$SOPHIA_HOME/go" ]; do read -rt 0.02 <> <(:) || :; done
result waited
SH
  says "$(calls retrieve_messages '{"query":"safe"}')" \
    "$(calls wait '{}' note_add "{\"text\":\"$secret\"}")" \
    "{\"text\":\"See $link\"}" "{\"text\":\"See again $link\"}"
  sophia-ask 'what opens the safe?' </dev/null >/dev/null 2>"$BATS_TEST_TMPDIR/ask.err" &
  asker=$!
  sql_is "SELECT count(*) FROM call WHERE capability = 'wait'" 1
  deletes "$id"
  follows
  touch "$SOPHIA_HOME/go"
  rc=0
  wait "$asker" || rc=$?
  [ $rc -eq 75 ]
  grep -q 'links messages that were deleted' "$BATS_TEST_TMPDIR/ask.err"
  [ "$(sql 'SELECT count(*) FROM note')" = 0 ]
  rm "$SOPHIA_HOME/go"
  nowhere "$secret"
}

@test "a tool of the working state keeps nothing for a turn that was invalidated" {
  spools bob "the safe opens with $secret"
  follows
  says "$(calls retrieve_messages '{"query":"safe"}')" '{"hang":"before"}'
  sophia-ask 'what opens the safe?' </dev/null >/dev/null 2>&1 &
  asker=$!
  asked_times 2
  task=$(sql 'SELECT id FROM task') turn=$(sql 'SELECT id FROM turn')
  kill -STOP "$(pgrep -P "$asker" -x sophia-loop)"
  deletes "$id"
  follows
  late=$(jq -nc --arg task "$task" --arg turn "$turn" '{type: "call", id: "\($task).9",
    capability: "note_add", arguments: {text: "late"}, tier: "scratch", context: {
    actor: {id: "local", name: "Ada"}, location: {kind: "local"}, task: $task,
    turn: $turn, visibility: "private"}}')
  run sophia-task --serve <<<"$late"
  [[ $output == *'a source was edited or deleted meanwhile'* ]]
  [ "$(sql 'SELECT count(*) FROM note')" = 0 ]
  kill -CONT "$(pgrep -P "$asker" -x sophia-loop)"
  wait "$asker"
}

@test "a person deletes one by hand, indexed or not, and sees what is under way" {
  spools bob "the safe opens with $secret"
  follows
  run -79 sophia-index delete "$id" </dev/null
  run -0 sophia-index delete --yes \
    "https://discord.com/channels/$discord_guild/$discord_channel/$id" 1234567890123456789
  [ "$output" = 'All deletions are carried through.' ] || [[ $output == *'"pending":0'* ]]
  sophia-index purge --json | valid_records
  and_never_again "$secret"
  run -2 sophia-index delete --yes nothing
}

# killed_at CALL N - whether a purge was killed as it made its N-th such call.
killed_at() {
  local rc=0
  strace -f -o /dev/null -e trace="$1" -e inject="$1:signal=SIGKILL:when=$2" \
    sophia-index purge >/dev/null 2>&1 || rc=$?
  [ $rc -eq 137 ]
}

@test "killed at any sync or write of a purge, the next one finishes it" {
  spools bob "the safe opens with $secret"
  follows
  says "$(calls retrieve_messages '{"query":"safe"}')" \
    "$(puts_it_everywhere "$secret")" "{\"text\":\"It opens with $secret.\"}"
  asks_here 'what opens the safe?'
  sophia-index delete --yes 1234567890123456789 >/dev/null
  strace -f -o /dev/null -e trace=fdatasync -e inject=fdatasync:signal=SIGKILL:when=1 \
    sophia-index delete --yes "$id" >/dev/null 2>&1 || :
  [ "$(knowledge 'SELECT count(*) FROM purge')" = 1 ] # noted, and no more
  cp -r "$SOPHIA_HOME" "$BATS_TEST_TMPDIR/before"
  for call in fdatasync pwrite64; do
    n=1 step=1
    [ $call = fdatasync ] || step=5
    while killed_at $call $n; do
      sophia-index purge >/dev/null
      purged 2
      nowhere "$secret"
      sophia-index verify >/dev/null
      rm -rf "$SOPHIA_HOME"
      cp -r "$BATS_TEST_TMPDIR/before" "$SOPHIA_HOME"
      n=$((n + step))
    done
    [ $n -gt 4 ]
  done
}

@test "killed at each named point of a purge, the next one finishes it" {
  crash=${SOPHIA_CRASH_BIN:-$top/build/crash/bin}/sophia-index
  [ -x "$crash" ] || skip "make crash-build makes the programs that this needs"
  spools bob "the safe opens with $secret" "{attachments: [{name: \"large.txt\", text: \"$(pads "$secret")\", type: \"text/plain\"}]}"
  follows
  says "$(calls retrieve_messages '{"query":"safe"}' \
    sandbox_import "{\"attachment_id\":\"$(jq -r '.attachments[0].id' <<<"$said")\",\"path\":\"large.txt\"}")" \
    "$(puts_it_everywhere "$secret")" "{\"text\":\"It opens with $secret.\"}"
  asks_here 'what opens the safe?'
  cp -r "$SOPHIA_HOME" "$BATS_TEST_TMPDIR/before"
  [ "$(find "$SOPHIA_HOME/blob" -type f | wc -l)" = 1 ]
  points=$(grep -aoE '(tombstone|purge|spool_wipe)(\.[a-z]+)+' "$crash" | grep -v "\.[a-z]$" | sort -u)
  [ "$(wc -w <<<"$points")" -ge 12 ]
  for point in $points content.sweep content.sweep.done; do
    rc=0
    SOPHIA_CRASH=$point "$crash" delete --yes "$id" >/dev/null 2>&1 || rc=$?
    [ $rc -eq 137 ] || { echo "$point was not reached"; return 1; }
    if [ "$point" = tombstone.note ]; then
      sophia-index delete --yes "$id" >/dev/null # it was not noted: nobody was told so
    else
      sophia-index purge >/dev/null
    fi
    purged 1
    nowhere "$secret" || { echo "after $point"; return 1; }
    [ -z "$(find "$SOPHIA_HOME/blob" -type f)" ]
    rm -rf "$SOPHIA_HOME"
    cp -r "$BATS_TEST_TMPDIR/before" "$SOPHIA_HOME"
  done
}
