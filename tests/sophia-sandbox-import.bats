load helper
load discord
load changes
load atwork

random=1200000000000000403 # the index knows: for Eve and Sophia alone
secret=1200000000000000404 # there Sophia is not let in, and the index doesn't know

setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  working "$bob"
  {
    event READY '{"user": {"id": "'"$discord_bot"'"}, "session_id": "s", "application": {"id": "'"$discord_bot"'", "flags": 16384}}'
    event GUILD_CREATE '{"id": "'"$discord_guild"'", "name": "Harbour", "owner_id": "'"$ada"'",
      "roles": [{"id": "'"$discord_guild"'", "name": "@everyone", "permissions": "68608"}, {"id": "1200000000000000302", "name": "Sophia", "permissions": "68608"}],
      "members": [{"user": {"id": "'"$discord_bot"'", "username": "sophia"}, "roles": ["1200000000000000302"]},
        {"user": {"id": "'"$eve"'", "username": "eve"}, "roles": []}, {"user": {"id": "'"$bob"'", "username": "bob"}, "roles": []}],
      "channels": [{"id": "'"$discord_channel"'", "type": 0, "name": "general"}, {"id": "'$secret'", "type": 0, "name": "secret"},
        {"id": "'$random'", "type": 0, "name": "random",
        "permission_overwrites": [{"id": "'"$discord_guild"'", "type": 0, "allow": "0", "deny": "1024"},
          {"id": "1200000000000000302", "type": 0, "allow": "1024", "deny": "0"},
          {"id": "'"$eve"'", "type": 1, "allow": "1024", "deny": "0"}]}]}'
  } | sophia-index follow - >/dev/null
}

teardown() {
  discord_stop
}

event() {
  number=$((${number:-0} + 1))
  jq -cn --arg n "$1" --argjson d "$2" --argjson i "$number" '{type: "event", shard: 0, number: $i, name: $n,
    sequence: $i, at: "2026-11-30T12:00:00.000Z", data: $d}'
}

# said CHANNEL TEXT [FIELDS] - ada says so there, with the file tide.txt of that
# text. Sets $message, its link $link and the $attachment.
said() {
  local channel=${1/general/$discord_channel}
  message=$(discord_do "$(jq -nc --arg c "$1" --arg t "$2" \
    "{do: \"say\", user: \"ada\", channel: \$c, text: \"see\", attachments: [{name: \"tide.txt\", text: \$t, type: \"text/plain\"}]} + ${3:-"{}"}")")
  attachment=$(jq -r '.attachments[0].id' <<<"$message")
  id=$(jq -r .id <<<"$message")
  link=https://discord.com/channels/$discord_guild/$(jq -r .channel_id <<<"$message")/$id
}

# indexed - so the index knows the message.
indexed() {
  number=9 event MESSAGE_CREATE "$(jq -c --arg g "$discord_guild" '. + {guild_id: $g}' <<<"$message")" |
    sophia-index follow - >/dev/null
}

# call_of ACTOR ARGUMENTS [MORE] - the call, to be served.
call_of() {
  local in
  in=$(jq -c --arg a "$attachment" '{attachment_id: $a, path: "in/tide.txt"} + .' <<<"$2")
  call=9 asked "$1" check sandbox_import "$in" "${3:-}" | jq -c 'del(.phase) | .tier = "scratch"'
}

# import ACTOR ARGUMENTS [MORE] - what comes of it: $answer.
import() {
  answer=$(call_of "$@" | sophia-sandbox --serve)
}

by_link() { import "${1:-$bob}" "{\"message_url\": \"$link\"}" "${2:-}"; }

# fails KIND TEXT - the last one did, and nothing was kept.
fails() {
  says '"\(.kind) \(.effect) \(.text)"' "$1 none $2"
  [ "$(sql 'SELECT count(*) FROM file')" = 0 ]
}
fails_like() {
  [[ $(jq -r '"\(.kind) \(.effect) \(.text)"' <<<"$answer") == "$1 none "$2 ]] || { echo "$answer"; false; }
  [ "$(sql 'SELECT count(*) FROM file')" = 0 ]
}

held() { sql "SELECT coalesce(bytes, '') FROM content"; }

@test "an attachment becomes a file that keeps where it is from, and its message a source" {
  said general 'high at noon'
  by_link
  valid_records <<<"$answer"
  says .summary 'in/tide.txt is there: text/plain, 12 bytes'
  says '.data | tostring' "{\"path\":\"in/tide.txt\",\"size\":12,\"media\":\"text/plain\",\"attachment\":\"$attachment\",\"filename\":\"tide.txt\",\"message\":\"$link\"}"
  says '.sources | map("\(.url) \(.channel.id) \(.channel.name) \(.author.name) \(.text)") | join(";")' \
    "$link $discord_channel general ada see"
  revision=$(jq -r '.sources[0].revision' <<<"$answer")
  [ "$(sql 'SELECT path, media, origin, call, url, revision, channel, attachment FROM file')" = \
    "in/tide.txt|text/plain|import|9|$link|$revision|$discord_channel|$attachment" ]
  [ "$(held)" = 'high at noon' ]
}

@test "without a link the index finds its message" {
  said general 'high at noon'
  import "$bob" '{}'
  fails input "no message that is indexed, and may be read here, has the attachment $attachment: give the link of its message"
  indexed
  import "$bob" '{}'
  says .data.message "$link"
}

@test "a file that a message forwards is taken from there, also when the first one is gone" {
  said general 'high at noon'
  discord_rest POST "/channels/$discord_channel/messages" "{\"message_reference\": {\"type\": 1, \"message_id\": \"$id\", \"channel_id\": \"$discord_channel\"}}"
  discord_do "{\"do\": \"delete\", \"message\": \"$id\"}"
  message=$output link=${link%/*}/$(jq -r .id <<<"$output")
  by_link
  says .data.message "$link"
  sql 'DELETE FROM file'
  indexed
  import "$bob" '{}'
  says .data.message "$link"
  [ "$(held)" = 'high at noon' ]
}

@test "what came with a request needs no index" {
  said general 'high at noon'
  rm "$SOPHIA_HOME/messages.sqlite"*
  turn=$(jq -c --arg g "$discord_guild" --arg c "$discord_channel" '{location: {kind: "guild", guild: $g, channel: $c},
    attachments: [.attachments[] | {id, name: .filename, url: "https://cdn.discordapp.com/attachments/1/1/old?ex=1&", size}]}' <<<"$message")
  sql "UPDATE turn SET record = '$turn'; INSERT INTO claim VALUES ('message:$id', '$task', 1)"
  import "$bob" '{}'
  says .data.message "$link"
  sql 'DELETE FROM file'
  by_link
  fails denied "whoever asks can't be shown here what is in the channel of that message, if there is one"
  reply=$(jq -c --arg g "$discord_guild" --arg c "$discord_channel" '{location: {kind: "guild", guild: $g, channel: $c},
    attachments: [], reply: {id, attachments: [.attachments[] | {id}]}}' <<<"$message")
  sql "UPDATE turn SET record = '$reply'"
  import "$bob" '{}'
  says .data.message "$link"
}

@test "a file that came with a command is taken from where it lies, while its address holds" {
  said general 'high at noon'
  lies() {
    jq -c --arg g "$discord_guild" --arg c "$discord_channel" '{location: {kind: "guild", guild: $g, channel: $c},
      attachments: [.attachments[] | {id, name: .filename, url, size}]}' <<<"$message"
  }
  sql "UPDATE turn SET record = '$(lies)'; INSERT INTO claim VALUES ('interaction:5', '$task', 1)"
  import "$bob" '{}'
  valid_records <<<"$answer"
  says '"\(.data.path) \(.data.message) \(.sources | length)"' 'in/tide.txt null 0'
  [ "$(sql 'SELECT url, channel, message FROM file')" = "$(jq -r '.attachments[0].url | split("?")[0]' <<<"$message")||" ]
  sql 'DELETE FROM file'
  message=$(jq -c '.attachments[0].url |= sub("ex=[0-9a-f]*"; "ex=65f0a000")' <<<"$message")
  sql "UPDATE turn SET record = '$(lies)'"
  import "$bob" '{}'
  fails refused "the address of a file that came with a command holds for a day, and can't be renewed: it must be attached again"
  message=$(jq -c '.attachments[0].url |= sub("http://127.0.0.1:[0-9]*/"; "https://cdn.discordapp.com.evil.example/")' <<<"$message")
  message=$(jq -c '.attachments[0].url |= sub("ex=[0-9a-f]*"; "ex=fffffff0")' <<<"$message")
  sql "UPDATE turn SET record = '$(lies)'"
  import "$bob" '{}'
  fails_like input "https://cdn.discordapp.com.evil.example/* is no address of Discord's media hosts"
}

@test "an address that has expired is renewed by its message" {
  said general 'high at noon'
  indexed
  discord_do '{"do": "time", "advance_s": 90000}' >/dev/null
  import "$bob" '{}'
  says .ok true
  [ "$(discord_state '.count."cdn.expired" // 0')" = 0 ]
}

@test "a message that is gone, a file that was taken off it, and a right that is missing are three things" {
  said general 'high at noon'
  discord_do "{\"do\": \"edit\", \"message\": \"$id\", \"more\": {\"attachments\": []}}" >/dev/null
  by_link
  fails input "message $id is there, but attachment $attachment was taken off it"
  discord_do "{\"do\": \"delete\", \"message\": \"$id\"}"
  by_link
  fails input "message $id isn't there (any more): 10008 Unknown Message"
  said secret 'the hoard'
  by_link
  fails denied "Sophia may not read message $id: 50001 Missing Access"
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["READ_MESSAGE_HISTORY"]}'
  said general 'high at noon'
  by_link
  fails denied "Sophia may not read message $id: 50001 Missing Access"
  [ "$(discord_state '.count."cdn.requests" // 0')" = 0 ]
}

@test "whoever asks must be able to read its channel, and isn't told whether there is one" {
  said random 'the hoard'
  indexed
  by_link
  hidden=$answer
  fails denied "whoever asks can't be shown here what is in the channel of that message, if there is one"
  link=https://discord.com/channels/$discord_guild/1200000000000000999/$id by_link
  [ "$answer" = "$hidden" ]
  import "$bob" '{}'
  fails_like input 'no message that is indexed, and may be read here, has the attachment *'
  [ "$(discord_state '.requests | length')" = 0 ]
  sql "UPDATE task SET owner = '$eve'; UPDATE turn SET actor = '$eve'"
  by_link "$eve"
  says .ok true
  sql "UPDATE task SET visibility = 'public'; DELETE FROM file"
  visibility=public by_link "$eve"
  fails denied "whoever asks can't be shown here what is in the channel of that message, if there is one"
}

@test "a server that isn't enabled is closed" {
  said general 'high at noon'
  sophia-settings set discord.guilds 2 >/dev/null
  by_link
  fails denied "whoever asks can't be shown here what is in the channel of that message, if there is one"
}

@test "what was deleted here isn't asked for any more" {
  said general 'high at noon'
  indexed
  number=11 event MESSAGE_DELETE "{\"id\": \"$id\", \"channel_id\": \"$discord_channel\", \"guild_id\": \"$discord_guild\"}" |
    sophia-index follow - >/dev/null
  by_link
  fails refused "message $id was deleted"
  [ "$(discord_state '.requests | length')" = 0 ]
}

@test "what the network does is neither a deletion nor a refusal" {
  said general 'high at noon'
  discord_do '{"do": "rest", "what": "status", "status": 503, "route": "GET /channels", "times": 6}'
  by_link
  fails again 'HTTP 503'
  discord_do '{"do": "cdn", "what": "status", "status": 503}'
  by_link
  fails again "Discord's media host answers with HTTP 503"
  discord_do '{"do": "cdn", "what": "cut"}'
  by_link
  fails_like again '*'
  discord_do '{"do": "cdn", "what": "lies", "more": 5}'
  by_link
  fails_like again '*'
  discord_do '{"do": "cdn", "what": "longer", "more": 5}'
  by_link
  fails again '17 bytes came, where Discord says that the file has 12'
  discord_do '{"do": "cdn", "what": "status", "status": 404}'
  by_link
  fails refused "Discord's media host answers with HTTP 404: the address has expired, or there is no such file"
}

@test "no redirect is followed, wherever it leads" {
  said general 'high at noon'
  for to in null '"http://169.254.169.254/latest/meta-data"' '"file:///etc/passwd"' "\"${SOPHIA_DISCORD_API%/api*}/control/state\""; do
    discord_do "$(jq -nc --argjson to "$to" '{do: "cdn", what: "redirect"} + if $to then {to: $to} else {} end')"
    by_link
    fails refused "Discord's media host leads elsewhere (HTTP 302), and that is not followed"
  done
  [ "$(discord_state '.count."cdn.requests"')" = 4 ]
}

@test "nothing else is fetched, whatever Discord's answer says" {
  said general x
  for url in http://cdn.discordapp.com/attachments/1/2/a https://cdn.discordapp.com@evil.example/attachments/1/2/a \
    https://cdn.discordapp.com./attachments/1/2/a https://CDN.discordapp.com/attachments/1/2/a 'https://[::1]/attachments/1/2/a' \
    https://cdn.discordapp.com:8443/attachments/1/2/a https://cdn.discordapp.com.evil.example/attachments/1/2/a \
    file:///etc/passwd "${SOPHIA_DISCORD_API%/api*}/control/state" https://cdn.discordapp.com/attachments/1/2/a; do
    discord_do "$(jq -nc --arg u "$url" --argjson m "$message" '{do: "rest", what: "status", status: 200, route: "GET /channels",
      body: ($m | .attachments[0].url = $u)}')"
    by_link
    fails input "${url:0:80} is no address of Discord's media hosts"
  done
  [ "$(discord_state '.count."cdn.requests" // 0')" = 0 ]
}

@test "20 MiB come, and not a byte more: told before, or counted while it flows" {
  said general x '{"attachments": [{"name": "a.bin", "zeros": 20971520}]}'
  by_link
  says .data.size $((20 << 20))
  [ "$(stat -c %s "$SOPHIA_HOME"/blob/*/*)" = $((20 << 20)) ]
  sql 'DELETE FROM file'
  discord_do "$(jq -nc --argjson m "$message" '{do: "rest", what: "status", status: 200, route: "GET /channels",
    body: ($m | .attachments[0].size += 1)}')"
  by_link
  fails refused 'the file has 20971521 bytes, and at most 20 MiB can be imported'
  discord_do '{"do": "cdn", "what": "longer", "more": 1}'
  by_link
  fails refused 'the reply is longer than 20971520 bytes'
  discord_do '{"do": "cdn", "what": "endless"}'
  by_link
  fails refused 'the reply is longer than 20971520 bytes'
}

@test "an import that is given up ends at once, wherever it waits" {
  said general 'high at noon'
  for order in '{"do": "rest", "what": "stall", "route": "GET /channels"}' '{"do": "cdn", "what": "hang"}' \
    '{"do": "cdn", "what": "stall"}' '{"do": "cdn", "what": "drip", "seconds": 5}'; do
    before=$(discord_log '[.[] | select(.what == "fault")] | length')
    discord_do "$order"
    answer=$({
      call_of "$bob" "{\"message_url\": \"$link\"}"
      until [ "$(discord_log '[.[] | select(.what == "fault")] | length')" -gt "$before" ]; do sleep 0.02; done
      echo "{\"type\": \"cancel\", \"id\": \"$task.9\"}"
    } | sophia-sandbox --serve)
    fails refused 'the import was given up'
  done
}

@test "what is no id, no link or no path is refused before anything is asked" {
  said general x
  import "$bob" '{"attachment_id": "x"}'
  fails input "'x' is no id of an attachment"
  import "$bob" '{"message_url": "https://example.org/1/2/3"}'
  fails input "'https://example.org/1/2/3' is no link to a message"
  for path in ../a /etc/passwd a/../b '' a//b $'a\nb' NUL; do
    import "$bob" "$(jq -nc --arg p "$path" '{path: $p}')"
    [ "$(jq -r .kind <<<"$answer")" = input ] || { echo "$path: $answer"; false; }
  done
  by_link "$eve"
  fails input "there is no task $task"
  [ "$(discord_state '.requests | length')" = 0 ]
}

@test "a file takes the place of the one before it" {
  said general 'high at noon'
  by_link
  said general 'low at six'
  by_link
  says .ok true
  [ "$(held)" = 'low at six' ]
  import "$bob" "{\"message_url\": \"$link\", \"path\": \"in/tide.txt/x\"}"
  says .kind input
  [ "$(sql 'SELECT count(*) FROM file')" = 1 ]
}

@test "the person at the machine imports into any task, by hand" {
  said random 'the hoard'
  run -0 --separate-stderr sophia-sandbox import -m "$link" "$task" "$attachment" in/hoard.txt --json
  valid_records <<<"$output"
  [ "$(jq -r '"\(.summary) \(.data.message)"' <<<"$output")" = "in/hoard.txt is there: text/plain, 9 bytes $link" ]
  [ "$(sql 'SELECT path, origin, call, channel FROM file')" = "in/hoard.txt|import||$random" ]
  indexed
  run -0 --separate-stderr sophia-sandbox import --text "$task" "$attachment" again.txt
  [ -z "$output$stderr" ]
  run -65 --separate-stderr sophia-sandbox import --text 0000000000000000000x "$attachment" a
  [ "$stderr" = 'sophia-sandbox: there is no task 0000000000000000000x' ]
  run -65 --separate-stderr sophia-sandbox import --text "$task" 5 a
  [[ $stderr == 'sophia-sandbox: no message that is indexed,'* ]]
  run -2 --separate-stderr sophia-sandbox import "$task" "$attachment"
  discord_do '{"do": "cdn", "what": "stall"}'
  sophia-sandbox import -m "$link" "$task" "$attachment" b 3>&- 6>&- 2>"$BATS_TEST_TMPDIR/err" &
  pid=$!
  until [ "$(discord_log '[.[] | select(.what == "fault")] | length')" = 1 ]; do sleep 0.02; done
  kill -TERM "$pid"
  rc=0
  wait "$pid" || rc=$?
  [ "$rc" = 69 ]
  [ "$(cat "$BATS_TEST_TMPDIR/err")" = 'sophia-sandbox: the import was given up' ]
  [ "$(sql 'SELECT count(*) FROM file')" = 2 ]
}
