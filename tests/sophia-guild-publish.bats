load helper
load discord
load changes
load atwork

setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  link=https://discord.com/channels/$discord_guild/$discord_channel
  working "$bob"
  holds data/tide.txt 'high at noon'
  tide='{"path": "data/tide.txt", "channel": "general", "text": "The *tide*."}'
}

teardown() {
  discord_stop
}

# holds PATH TEXT [MEDIA] - that file is in its workspace.
holds() {
  printf '%s' "$2" >"$BATS_TEST_TMPDIR/bytes"
  holds_bytes "$1" "${3:-text/plain}"
}
# holds_bytes PATH MEDIA - the same of what is in the file bytes.
holds_bytes() {
  hash=$(sha256sum <"$BATS_TEST_TMPDIR/bytes" | cut -d' ' -f1)
  size=$(stat -c %s "$BATS_TEST_TMPDIR/bytes")
  sql "INSERT OR IGNORE INTO content VALUES ('$hash', $size, readfile('$BATS_TEST_TMPDIR/bytes'));
    INSERT OR REPLACE INTO file (task, path, hash, size, media, origin, actor, at_ms) VALUES ('$task', '$1', '$hash', $size, '$2', 'put', 'local', 1)"
}

# artifact ID VERSION NAME TEXT - and that version of that one.
artifact() {
  holds x.tmp "$4"
  sql "INSERT INTO artifact (id, version, task, call, filename, media, kind, size, hash, at_ms)
    VALUES ('$1', $2, '$task', 9, '$3', 'text/plain', 'text', $size, '$hash', 1)"
}

@test "a file is proposed, sent once as it was proposed, and found again by its link" {
  look "$bob" sandbox_publish "$tide"
  valid_records <<<"$answer"
  says .text "publish in #general ($discord_channel), the file tide.txt (text/plain, 12 bytes, SHA-256 $(head -c 16 <<<"$hash")):
The *tide*."
  says '"\(.guild) \(.destination)"' "$discord_guild $discord_channel"
  [ "$(discord_state '.sent | length')" = 0 ]
  proposal=$answer
  act "$bob" sandbox_publish "$tide"
  valid_records <<<"$lines"
  id=$(discord_state '.sent[0].id')
  says .summary "sent to <#$discord_channel>: $link/$id"
  says '.data.message | tostring' "{\"id\":\"$id\",\"link\":\"$link/$id\"}"
  [ "$(discord_state '.sent | map("\(.content) \(.nonce) \(.enforced) \(.allowed_mentions | tostring) \(.files | tostring)") | join(";")')" = \
    "The *tide*. $nonce true {\"parse\":[]} [{\"name\":\"tide.txt\",\"size\":12}]" ]
  discord_rest GET "/channels/$discord_channel/messages/$id"
  [ "$(jq -r '.attachments[0] | "\(.filename) \(.content_type)"' <<<"$output")" = 'tide.txt text/plain' ]
  [ "$(curl -sS "$(jq -r '.attachments[0].url' <<<"$output")")" = 'high at noon' ]
}

@test "it goes without words, and to whoever asks in direct messages" {
  make_it "$bob" sandbox_publish '{"path": "data/tide.txt", "direct": true}'
  says .ok true
  [[ $(jq -r .text <<<"$proposal") == "publish in a direct message to someone ($bob), the file tide.txt ("* ]]
  [ "$(jq -r .destination <<<"$proposal")" = @me ]
  [[ $(jq -r .summary <<<"$answer") == *https://discord.com/channels/@me/* ]]
  [ "$(discord_state '.sent[0] | "\(.content)|\(.files[0].name)"')" = '|tide.txt' ]
}

@test "a version of an artifact is published by its id or its filename" {
  artifact 0000000000000000000a 1 plot.txt one
  artifact 0000000000000000000a 2 plot.txt two!
  for which in '"artifact": "0000000000000000000a"' '"artifact": "plot.txt", "version": 1' '"artifact": "plot.txt", "version": -1'; do
    make_it "$bob" sandbox_publish "{$which, \"channel\": \"general\"}"
    says .ok true
    nonce=${nonce:1}x
  done
  [ "$(discord_state '.sent | map(.files[0] | "\(.name) \(.size)") | join(",")')" = 'plot.txt 4,plot.txt 3,plot.txt 4' ]
}

@test "what can't be published is refused before anybody is asked, with the reason" {
  refused "$bob" sandbox_publish '{"channel": "general"}' input 'either path or artifact says what is published'
  refused "$bob" sandbox_publish '{"path": "a", "artifact": "a", "channel": "general"}' input 'either path or artifact says what is published'
  refused "$bob" sandbox_publish '{"path": "nothing", "channel": "general"}' input "this task has no file 'nothing'"
  refused "$bob" sandbox_publish '{"artifact": "nothing", "channel": "general"}' input "this task has no artifact 'nothing', or not in that version"
  refused "$bob" sandbox_publish '{"path": "../../etc/passwd", "channel": "general"}' input "this task has no file '../../etc/passwd'"
  refused "$bob" sandbox_publish '{"path": "data/tide.txt"}' input 'channel is missing'
  refused "$bob" sandbox_publish '{"path": "data/tide.txt", "channel": "general", "direct": true}' input 'a direct message has no channel'
  refused "$bob" sandbox_publish '{"path": "data/tide.txt", "channel": "secret"}' input "no channel or thread 'secret'"
  refused "$bob" sandbox_publish "$(jq -n '{path: "data/tide.txt", channel: "general", text: ("x" * 2001)}')" input 'text has 2001 characters, and Discord takes 2000'
  refused "$eve" sandbox_publish "$tide" input "there is no task $task"
  holds none.txt ''
  refused "$bob" sandbox_publish '{"path": "none.txt", "channel": "general"}' refused 'none.txt is empty: Discord takes no empty file'
  head -c $(((8 << 20) + 1)) /dev/zero >"$BATS_TEST_TMPDIR/bytes"
  holds_bytes large.bin application/octet-stream
  refused "$bob" sandbox_publish '{"path": "large.bin", "channel": "general"}' refused 'large.bin has 8388609 bytes, and at most 8 MiB can be published'
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["ATTACH_FILES"]}'
  refused "$bob" sandbox_publish "$tide" refused "Sophia lacks ATTACH_FILES in #general ($discord_channel)"
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "8 MiB go" {
  head -c $((8 << 20)) /dev/zero >"$BATS_TEST_TMPDIR/bytes"
  holds_bytes large.bin application/octet-stream
  make_it "$bob" sandbox_publish '{"path": "large.bin", "channel": "general"}'
  says .ok true
  [ "$(discord_state '.sent[0].files[0].size')" = 8388608 ]
}

@test "a file that has changed since it was approved isn't sent" {
  look "$bob" sandbox_publish "$tide"
  proposal=$answer
  holds data/tide.txt 'low at noon!'
  act "$bob" sandbox_publish "$tide"
  says '"\(.kind) \(.effect) \(.text)"' "refused none tide.txt isn't what it was when it was to be published: it must be checked again"
  sql "DELETE FROM file"
  act "$bob" sandbox_publish "$tide"
  says '"\(.kind) \(.effect) \(.text)"' "input none this task has no file 'data/tide.txt'"
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "Discord's no is told, and that nothing was sent" {
  look "$bob" sandbox_publish "$tide"
  proposal=$answer
  discord_do '{"do": "rest", "what": "status", "status": 413, "route": "POST /channels", "body": {"message": "Request entity too large", "code": 40005}}'
  act "$bob" sandbox_publish "$tide"
  says '"\(.kind) \(.effect) \(.text)"' 'refused none 40005 Request entity too large'
}

@test "a file whose answer was lost is found, by its words and its size" {
  discord_do '{"do": "rest", "what": "lost", "route": "POST /channels/{channel_id}/messages"}'
  make_it "$bob" sandbox_publish "$tide"
  says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
  recorded unknown "$bob" sandbox_publish "$tide"
  id=$(discord_state '.sent[0].id')
  verifies "$bob" done "the message is there: $link/$id" true
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "another file with the same words is not taken for it" {
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  make_it "$bob" sandbox_publish "$tide"
  recorded unknown "$bob" sandbox_publish "$tide"
  discord_do '{"do": "say", "user": "sophia", "channel": "general", "text": "The *tide*.", "attachments": [{"name": "tide.txt", "text": "high"}]}' >/dev/null
  discord_do '{"do": "say", "user": "sophia", "channel": "general", "text": "The *tide*."}' >/dev/null
  verifies "$bob" 'not done' "no such message is in <#$discord_channel>" true
}
