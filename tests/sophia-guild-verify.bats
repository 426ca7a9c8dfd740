load helper
load discord
load changes

setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY",
    "MANAGE_MESSAGES", "MANAGE_THREADS", "SEND_MESSAGES_IN_THREADS", "CREATE_PUBLIC_THREADS", "CREATE_PRIVATE_THREADS",
    "SEND_POLLS"]}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  link=https://discord.com/channels/$discord_guild/$discord_channel
  hello='{"channel": "general", "text": "hello"}'
}

teardown() {
  discord_stop
}

# lost ROUTE - the next such request is done, and nobody hears of it.
lost() {
  discord_do "{\"do\": \"rest\", \"what\": \"lost\", \"route\": \"$1\"}"
}

# in_doubt ACTOR CAPABILITY ARGUMENTS - make it, and be told that nobody knows; so
# it is on record.
in_doubt() {
  make_it "$@"
  says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
  recorded unknown "$@"
}

settled() { sqlite3 -separator ' ' "$SOPHIA_HOME/tasks.sqlite" 'SELECT kind, happened, actor FROM settlement'; }

@test "a message whose answer was lost is found, and settles what was unknown, once" {
  lost 'POST /channels/{channel_id}/messages'
  in_doubt "$bob" send_message "$hello"
  id=$(discord_state '.sent[0].id')
  verifies "$bob" done "the message is there: $link/$id" true
  valid_records <<<"$answer"
  [ "$(settled)" = "verified 1 $bob" ]
  verifies "$bob" done "the message is there: $link/$id" false
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "a message that never arrived is not there; nor is one of a minute ago by somebody else" {
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  in_doubt "$bob" send_message "$hello"
  discord_do '{"do": "say", "user": "ada", "channel": "general", "text": "hello"}' >/dev/null
  verifies "$bob" 'not done' "no such message is in <#$discord_channel>" true
  [ "$(settled)" = "verified 0 $bob" ]
}

@test "what may still arrive is not settled" {
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  begun_ms=0 in_doubt "$bob" send_message "$hello"
  verifies "$bob" unclear "no such message is in <#$discord_channel>; it may still arrive: look again in half a minute" false
  [ -z "$(settled)" ]
}

@test "of two messages of the same words one is not taken for the other" {
  make_it "$bob" send_message "$hello"
  first=$(jq -r .data.message.id <<<"$answer")
  recorded succeeded "$bob" send_message "$hello"
  sqlite3 "$SOPHIA_HOME/tasks.sqlite" "UPDATE receipt SET outcome = '{\"data\":{\"message\":{\"id\":\"$first\"}}}'"
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  call=2 nonce=1123456789abcdefghijklmno in_doubt "$bob" send_message "$hello"
  call=2 verifies "$bob" 'not done' "no such message is in <#$discord_channel>" true
}

@test "where the history can't be read, and where the channel is hidden, that is no evidence" {
  lost 'POST /channels/{channel_id}/messages'
  in_doubt "$bob" send_message "$hello"
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["READ_MESSAGE_HISTORY"]}'
  verifies "$bob" unclear "the channel's history can't be read, so I can't tell whether it arrived" false
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["VIEW_CHANNEL"]}'
  verifies "$bob" unclear "I can't see the channel (50001 Missing Access)" false
  [ -z "$(settled)" ]
}

@test "an edit is there if the message says exactly that" {
  make_it "$bob" send_message "$hello"
  id=$(jq -r .data.message.id <<<"$answer")
  lost 'PATCH /channels/{channel_id}/messages'
  edit="{\"message\": \"$link/$id\", \"text\": \" goodbye \"}"
  in_doubt "$bob" edit_message "$edit"
  verifies "$bob" done 'the message says so now' true

  call=2 nonce=1123456789abcdefghijklmno
  discord_do '{"do": "rest", "what": "reset", "route": "PATCH /channels/{channel_id}/messages"}'
  in_doubt "$bob" edit_message "{\"message\": \"$link/$id\", \"text\": \"Goodbye\"}"
  verifies "$bob" 'not done' 'the message says something else' true
}

@test "deleted messages are gone only if all are, and one that can't be seen is not" {
  discord_do '{"do": "say", "user": "ada", "channel": "general", "text": "x"}' >/dev/null
  discord_rest GET "/channels/$discord_channel/messages?limit=3"
  a=$(jq -r '.[0].id' <<<"$output") b=$(jq -r '.[1].id' <<<"$output") c=$(jq -r '.[2].id' <<<"$output")
  lost 'POST /channels/{channel_id}/messages/bulk-delete'
  in_doubt "$ada" delete_messages "{\"messages\": [\"$a\", \"$b\"]}"
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["VIEW_CHANNEL"]}'
  verifies "$ada" unclear '50001 Missing Access' false
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia"}'
  verifies "$ada" done '2 of 2 messages are gone' true

  call=2 nonce=1123456789abcdefghijklmno
  discord_do '{"do": "say", "user": "ada", "channel": "general", "text": "y"}' >/dev/null
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages/bulk-delete"}'
  in_doubt "$ada" clear_messages '{"count": 2}'
  verifies "$ada" 'not done' '0 of 2 messages are gone' true

  call=3 nonce=2123456789abcdefghijklmno
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages/bulk-delete"}'
  in_doubt "$ada" clear_messages '{"count": 2}'
  discord_do "{\"do\": \"delete\", \"message\": \"$c\"}"
  verifies "$ada" unclear '1 of 2 messages are gone' false
}

@test "of items that were left out nothing is expected" {
  discord_rest GET "/channels/$discord_channel/messages?limit=2"
  a=$(jq -r '.[0].id' <<<"$output") b=$(jq -r '.[1].id' <<<"$output")
  arguments="{\"messages\": [\"$a\", \"$b\"]}"
  make_it "$ada" delete_messages "$arguments" '{"only": [2]}'
  recorded unknown "$ada" delete_messages "$arguments" '[2]'
  verifies "$ada" done '1 of 1 messages are gone' true
}

@test "a deletion that broke off is done again at once, since it can be: what is gone is gone" {
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  a=$(jq -r '.[0].id' <<<"$output")
  lost 'DELETE /channels/{channel_id}/messages'
  make_it "$ada" delete_messages "{\"messages\": [\"$a\"]}"
  says .summary "1 of 1 messages are deleted in <#$discord_channel>"
  [ "$(discord_state '[.effects[] | select(.what == "message_deleted")] | length')" = 1 ]
}

@test "a thread is found by what it was made from, or by its name" {
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  a=$(jq -r '.[0].id' <<<"$output")
  lost 'POST /channels/{channel_id}/messages/{message_id}/threads'
  in_doubt "$bob" create_thread "{\"name\": \"Mornings\", \"message\": \"$a\"}"
  verifies "$bob" done "the thread is there: <#$a>" true

  call=2 nonce=1123456789abcdefghijklmno
  lost 'POST /channels/{channel_id}/threads'
  in_doubt "$bob" create_thread '{"name": "Noons"}'
  thread=$(discord_state '[.effects[] | select(.what == "thread_started").id] | last')
  verifies "$bob" done "the thread is there: <#$thread>" true

  call=3 nonce=2123456789abcdefghijklmno
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/threads"}'
  in_doubt "$bob" create_thread '{"name": "Noons"}'
  verifies "$bob" 'not done' 'there is no such thread' true
}

@test "a thread without its first message is done in part, and stays unknown" {
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  in_doubt "$bob" create_thread '{"name": "Noons", "text": "High."}'
  thread=$(discord_state '[.effects[] | select(.what == "thread_started").id] | last')
  verifies "$bob" unclear "the thread is there: <#$thread>, and the channel's history can't be read, so I can't tell whether it arrived" false
  [ -z "$(settled)" ]
}

@test "a poll is known by its question and answers" {
  lost 'POST /channels/{channel_id}/messages'
  in_doubt "$bob" create_poll '{"question": "Tea?", "answers": ["yes", "no"]}'
  verifies "$bob" done "the message is there: $link/$(discord_state '.sent[0].id')" true
  call=2 nonce=1123456789abcdefghijklmno
  discord_do '{"do": "rest", "what": "reset", "route": "POST /channels/{channel_id}/messages"}'
  in_doubt "$bob" create_poll '{"question": "Tea?", "answers": ["yes", "no", "later"]}'
  verifies "$bob" 'not done' "no such message is in <#$discord_channel>" true
}

@test "a direct message is found where it was sent" {
  lost 'POST /channels/{channel_id}/messages'
  in_doubt "$bob" send_message '{"direct": true, "text": "psst"}'
  run -0 discord_state '.sent[0] | "\(.channel)/\(.id)"'
  verifies "$bob" done "the message is there: https://discord.com/channels/@me/$output" true
}

@test "somebody else's change, and one elsewhere, is like one that never was" {
  make_it "$bob" send_message "$hello"
  recorded unknown "$bob" send_message "$hello"
  missing="input there is no task $task"
  answer=$(asked "$ada" check verify_action "{\"call\":\"$task.1\"}" | jq -c 'del(.phase)' | sophia-guild --serve)
  says '"\(.kind) \(.text)"' "$missing"
  answer=$(where=1200000000000000403 asked "$bob" check verify_action "{\"call\":\"$task.1\"}" | jq -c 'del(.phase)' | sophia-guild --serve)
  says '"\(.kind) \(.text)"' "$missing"
  answer=$(asked "$bob" check verify_action "{\"call\":\"0000000000000000000v.1\"}" | jq -c 'del(.phase)' | sophia-guild --serve)
  says .text 'there is no task 0000000000000000000v'
  for bad in '' x "$task" "$task." "$task.0" "$task.1x" "../$task.1"; do
    answer=$(asked "$bob" check verify_action "{\"call\":\"$bad\"}" | jq -c 'del(.phase)' | sophia-guild --serve)
    says '"\(.kind) \(.text)"' "input call is no id of one: '$bad'"
  done
  [ -z "$(settled)" ]
}
