load helper
load turns
load discord
load converse

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

# nowhere WORD... - no file of the state folder has it.
nowhere() {
  run -1 "$top/tests/secret-search" "$SOPHIA_HOME" "$@"
  [ -z "$output" ]
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
  until_true purged 1
  [ "$(sql 'SELECT (SELECT count(*) FROM note) + (SELECT count(*) FROM plan)')" = 0 ]
  [ "$(sql "SELECT count(*) FROM source WHERE gone_ms IS NOT NULL AND text = '' AND author_name <> ''")" -ge 1 ]
  [ "$(sql "SELECT answer FROM turn")" = 'The harbour master is Runa; the other message is gone.' ]
  up_stop
  and_never_again "$secret"
  indexed "$(tail -1 "$archive" | jq -r .id)"
}
