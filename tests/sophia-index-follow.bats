load helper

# Events as the gateway spools them, put there by sophia-spool append.

setup() {
  state_folder
  sophia-settings set discord.guilds 1 >/dev/null
  number=0
}

sql() { sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" "$1"; }

# event NAME DATA [AT] - one event record.
event() {
  number=$((number + 1))
  jq -cn --arg name "$1" --argjson data "$2" --arg at "${3:-2026-11-30T16:33:57.000Z}" \
    --argjson n $number '{type: "event", shard: 0, number: $n, name: $name, sequence: $n, at: $at, data: $data}'
}

# say ID TEXT [CHANNEL] - a message of ada.
say() {
  event MESSAGE_CREATE "$(jq -cn --arg id "$1" --arg text "$2" --arg channel "${3:-11}" '{$id, guild_id: "1",
    channel_id: $channel, author: {id: "40", username: "ada"}, content: $text}')"
}

# says FROM TO - so many of them, by id.
says() {
  jq -cn --argjson from "$1" --argjson to "$2" --argjson n $number '"2026-11-30T16:33:57.000Z" as $at
    | range($from; $to) | {type: "event", shard: 0, number: ($n + 1 + . - $from), name: "MESSAGE_CREATE",
      sequence: ($n + 1 + . - $from), $at, data: {id: "\(.)", guild_id: "1", channel_id: "11",
        author: {id: "40", username: "ada"}, content: "message \(.) of many"}}'
  number=$((number + $2 - $1))
}

# A session and its guild, where Sophia sees general, and not secret.
begin() {
  event READY '{"user":{"id":"9"},"session_id":"s"}'
  event GUILD_CREATE '{"id":"1","name":"Harbour","owner_id":"40",
    "roles":[{"id":"1","name":"@everyone","permissions":"66560"}],
    "members":[{"user":{"id":"9","username":"sophia"},"roles":[]}],
    "channels":[{"id":"11","type":0,"name":"general"},
      {"id":"12","type":0,"name":"secret","permission_overwrites":[{"id":"1","type":0,"allow":"0","deny":"1024"}]}]}'
}

append() { sophia-spool append >/dev/null; }

@test "what is spooled is found, until it is deleted" {
  { begin; say 100 'the kiln is hot'; say 101 'the roof leaks'; } | append
  run -0 sophia-index follow --once
  run -0 sophia-retrieve kiln
  [ "$(jq -r 'select(.type == "message").text' <<<"$output" | head -1)" = 'the kiln is hot' ]
  event MESSAGE_DELETE '{"id":"100","channel_id":"11","guild_id":"1"}' | append
  run -0 sophia-index follow --once
  run -1 sophia-retrieve --all kiln
  run -0 sophia-index verify
}

@test "nothing new is an honest none" {
  run -1 sophia-index follow --once
}

@test "a guild that isn't enabled leaves nothing" {
  sophia-settings set discord.guilds 2 >/dev/null
  { begin; say 100 'psst'; } | append
  run sophia-index follow --once
  [ "$(sql 'SELECT count(*) FROM message')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM guild')" = 0 ]
  [ "$(sql 'SELECT number FROM live')" = 3 ]
}

@test "each event has its effect once, however often it is started" {
  { begin; say 100 one; } | append
  sophia-index follow --once
  say 101 two | append
  sophia-index follow --once
  [ "$(sql 'SELECT group_concat(text) FROM message')" = one,two ]
  [ "$(sql 'SELECT number FROM live')" = 4 ]
  [ "$(sophia-spool status | jq -c '.readers[] | select(.name == "index").passed')" = 4 ]
}

@test "a bad event is complained of, and those around it are taken" {
  { begin; say 100 one; event MESSAGE_CREATE '{"id":"7","guild_id":"1"}'; say 101 two; } | append
  run -0 --separate-stderr sophia-index follow --once
  [ "$stderr" = 'sophia-index: event 4 of shard 0: MESSAGE_CREATE: a message without a channel_id' ]
  [ "$(sql 'SELECT group_concat(text) FROM message')" = one,two ]
}

@test "events come from a pipe, too" {
  { begin; say 100 'from elsewhere'; echo 'no event'; } >"$BATS_TEST_TMPDIR/in"
  run -0 --separate-stderr sophia-index follow - <"$BATS_TEST_TMPDIR/in"
  [[ $stderr == *'sophia-index:'* ]]
  [ "$(sql 'SELECT text FROM message')" = 'from elsewhere' ]
}

@test "it wakes when something comes, and ends when it is told to" {
  begin | append
  sophia-index follow &
  follower=$!
  until [ -e "$SOPHIA_HOME/messages.sqlite" ] && [ "$(sql 'SELECT number FROM live' 2>/dev/null)" = 2 ]; do :; done
  say 100 'good morning' | append
  until [ "$(sql 'SELECT count(*) FROM message')" = 1 ]; do :; done
  run -75 --separate-stderr sophia-index follow --once
  [[ $stderr == *'another one follows the index'* ]]
  kill "$follower"
  wait "$follower"
}

@test "a lost piece of the spool is a gap, and asks for a sweep" {
  { begin; say 100 one; } | append
  sophia-index follow --once
  [ "$(sql 'SELECT low FROM covered')" = 100 ]
  swept=$(sql "SELECT value FROM meta WHERE name = 'sweep'")
  rm -r "$SOPHIA_HOME/spool"
  number=0
  { say 200 two; say 201 three; } | append
  run -0 --separate-stderr sophia-index follow --once
  [[ $stderr == *'events of shard 0 are lost'* ]]
  [ "$(sql "SELECT value FROM meta WHERE name = 'sweep'")" -gt "$swept" ]
  [ "$(sql 'SELECT group_concat(low || high) FROM covered')" = 100100 ]
  [ "$(sql 'SELECT group_concat(text) FROM message')" = one,two,three ]
}

@test "what can't be seen is forbidden, what comes live is known" {
  { begin; say 100 one; say 105 two; } | append
  sophia-index follow --once
  run -0 sophia-retrieve --channel general one
  [ "$(jq -c 'select(.type == "coverage").missing | length' <<<"$output")" = 2 ] # before, and what is to come
  run sophia-retrieve two
  [ "$(jq -c 'select(.type == "coverage").forbidden[].channel.name' <<<"$output")" = '"secret"' ]
  run -0 sophia-index status --channels
  [ "$(jq -c 'select(.type == "channel" and .name == "general") | [.ranges, .gaps, .live]' <<<"$output")" = '[1,1,true]' ]
}

@test "the words of what was deleted are gone from the disk" {
  { begin; say 100 'the word is xylophonist'; say 101 'the roof leaks'; } | append
  sophia-index follow --once
  event MESSAGE_DELETE '{"id":"100","channel_id":"11","guild_id":"1"}' | append
  sophia-index follow --once
  run -1 grep -c xylophonist "$SOPHIA_HOME/messages.sqlite"
  run -1 grep -c xylophonist "$SOPHIA_HOME/messages.sqlite-wal"
}

@test "a deleted channel empties, and never fills again" {
  { begin; says 100 400; } >"$BATS_TEST_TMPDIR/in"
  append <"$BATS_TEST_TMPDIR/in"
  sophia-index follow --once
  event CHANNEL_DELETE '{"id":"11","guild_id":"1","type":0}' | append
  say 500 'an echo' | append
  sophia-index follow --once
  [ "$(sql 'SELECT count(*) FROM message')" = 0 ]
  run -0 sophia-index verify
  sophia-index export | sophia-index import - || :
  [ "$(sql 'SELECT count(*) FROM message')" = 0 ]
}

@test "a task that has read a message is told when it changes" {
  { begin; say 100 'the kiln is hot'; say 101 'the roof leaks'; } | append
  sophia-index follow --once
  sophia-ask 'is the kiln hot?' >/dev/null
  tasks=$SOPHIA_HOME/tasks.sqlite
  url=https://discord.com/channels/1/11/100
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM source WHERE url = '$url' AND text <> ''")" -ge 1 ]
  sqlite3 "$tasks" "UPDATE task SET state = 'paused', reason = 'test'"
  { event MESSAGE_UPDATE '{"id":"100","channel_id":"11","guild_id":"1","pinned":true}'
    event MESSAGE_UPDATE '{"id":"100","channel_id":"11","guild_id":"1","content":"the kiln is cold","edited_timestamp":"2026-01-01T00:00:02Z"}'; } | append
  sophia-index follow --once
  [ "$(sqlite3 "$tasks" "SELECT json_extract(data, '\$.url') FROM control WHERE kind = 'invalidate'" | sort -u)" = "$url" ]
  event MESSAGE_DELETE '{"id":"100","channel_id":"11","guild_id":"1"}' | append
  sophia-index follow --once
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM control WHERE kind = 'invalidate' AND json_extract(data, '\$.deleted')")" = 1 ]
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM source WHERE url = '$url' AND text <> ''")" = 0 ]
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM call WHERE output LIKE '%kiln is%'")" = 0 ]
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM turn WHERE answer LIKE '%kiln is%'")" = 0 ]
  [ "$(sqlite3 "$tasks" "SELECT count(*) FROM call WHERE output LIKE '%the roof leaks%'")" = 1 ]
  [ "$(sql 'SELECT count(*) FROM notice')" = 0 ]
  [ "$(sqlite3 "$SOPHIA_HOME/knowledge.sqlite" 'SELECT count(*) FROM purge')" = 0 ]
  run ! grep -rqa 'kiln is' "$SOPHIA_HOME/spool" "$tasks" "$tasks-wal" "$SOPHIA_HOME/messages.sqlite"
}

@test "killed at any write, it loses and doubles nothing" {
  local n=-10 rc=137
  { begin; says 100 161
    event MESSAGE_DELETE '{"id":"120","channel_id":"11","guild_id":"1"}'
    event MESSAGE_REACTION_ADD '{"message_id":"130","user_id":"40","channel_id":"11","guild_id":"1","emoji":{"name":"x"}}'; } | append
  cp -r "$SOPHIA_HOME" "$BATS_TEST_TMPDIR/before"
  while [ $rc -eq 137 ]; do
    n=$((n + 17)) rc=0
    rm -rf "$SOPHIA_HOME"
    cp -r "$BATS_TEST_TMPDIR/before" "$SOPHIA_HOME"
    strace -f -o /dev/null -e trace=pwrite64 -e inject="pwrite64:signal=SIGKILL:when=$n" \
      sophia-index follow --once 2>/dev/null || rc=$?
    sophia-index follow --once || [ $? -eq 1 ]
    [ "$(sql 'SELECT count(*), (SELECT number FROM live) FROM message')" = '60|65' ]
    [ "$(sqlite3 "$SOPHIA_HOME/knowledge.sqlite" 'SELECT count(*) FROM tombstone')" = 1 ]
    [ "$(sqlite3 "$SOPHIA_HOME/knowledge.sqlite" 'SELECT count(*) FROM purge')" = 0 ]
    [ "$(sql 'SELECT more FROM message WHERE id = 130')" = '{"reactions":[{"emoji":"x","count":1}]}' ]
    run -0 sophia-index verify
  done
  [ $n -gt 30 ]
}

@test "an index of the version before is upgraded, with all that is in it" {
  local new=$BATS_TEST_TMPDIR/new.sqlite old=$SOPHIA_HOME/messages.sqlite
  sophia-index import "$top/share/samples" >/dev/null
  sophia-retrieve kiln | jq -r 'select(.part == "hit").id' >"$BATS_TEST_TMPDIR/hits"
  sqlite3 "$old" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
  mv "$old" "$new"
  rm -f "$old"-*
  cat "$top"/share/schema/messages/000[12].sql | sqlite3 "$old"
  sqlite3 "$old" "ATTACH '$new' AS new;
    CREATE VIRTUAL TABLE temp.word USING fts5vocab(new, message_fts, instance);
    INSERT INTO main.meta SELECT * FROM new.meta;
    INSERT INTO main.guild SELECT id, name, icon_url FROM new.guild;
    INSERT INTO main.channel SELECT ord, id, guild, parent, type, name, topic, language, messages FROM new.channel;
    INSERT INTO main.role SELECT id, guild, name, color, position FROM new.role;
    INSERT INTO main.author SELECT * FROM new.author;
    INSERT INTO main.member SELECT author, guild, nickname, color, seen FROM new.member;
    INSERT INTO main.member_role SELECT * FROM new.member_role;
    INSERT INTO main.author_name SELECT * FROM new.author_name;
    INSERT INTO main.message SELECT * FROM new.message;
    INSERT INTO main.chunk SELECT * FROM new.chunk;
    INSERT INTO main.coverage SELECT * FROM new.coverage;
    INSERT INTO main.message_fts(rowid, tokens) SELECT doc, group_concat(term, ' ') FROM
      (SELECT doc, term FROM temp.word ORDER BY doc, offset) GROUP BY doc;
    PRAGMA application_id = 0x536f7068; PRAGMA user_version = 2"
  [ "$(sophia-retrieve kiln | jq -r 'select(.part == "hit").id')" = "$(cat "$BATS_TEST_TMPDIR/hits")" ]
  [ "$(sqlite3 "$old" 'PRAGMA user_version')" = 5 ]
  run -0 sophia-index verify
  { begin; say 100 'the kiln is hot'; } | append
  run -0 sophia-index follow --once
  run -0 sophia-index verify
}
