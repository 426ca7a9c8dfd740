load helper
load discord
load changes

# In #general: two of Ada's and Bob's, then $own of Sophia's.
setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES",
    "READ_MESSAGE_HISTORY", "MANAGE_MESSAGES", "MANAGE_THREADS", "SEND_MESSAGES_IN_THREADS"]}' >/dev/null
  discord_rest POST "/channels/$discord_channel/messages" '{"content": "The tide is out."}'
  own=$(jq -r .id <<<"$output")
  first=$(said 'The harbour is open.') second=$(said 'Good morning, Ada.')
  link=https://discord.com/channels/$discord_guild/$discord_channel
}

teardown() {
  discord_stop
}

# said TEXT - the id of the message that says it; there TEXT fails if none does.
said() {
  discord_rest GET "/channels/${2:-$discord_channel}/messages?limit=100"
  jq -r --arg text "$1" '[.[] | select(.content == $text).id][0] // empty' <<<"$output"
}

@test "Sophia's own message is edited, and told by its link" {
  make_it "$bob" edit_message "{\"message\": \"$link/$own\", \"text\": \"The tide is in.\"}"
  [ "$(jq -r .text <<<"$proposal")" = "edit message $own in #general ($discord_channel), which says
The tide is out.
so that it says
The tide is in." ]
  valid_records <<<"$proposal"
  says '"\(.summary) \(.data.message.id)"' "edited in <#$discord_channel>: $link/$own $own"
  [ "$(said 'The tide is in.')" = "$own" ]
  [ "$(discord_state '.count.edits')" = 1 ]
}

@test "messages are deleted together, or one by one where they are old; just those approved" {
  arguments="{\"messages\": [\"$link/$first\", \"$second\", \"$link/$own\"]}"
  look "$bob" delete_messages "$arguments"
  valid_records <<<"$answer"
  says .text "delete 3 messages in #general ($discord_channel)"
  says '[.items[] | "\(.n) \(.category): \(.text)"] | join("\n")' "1 messages by ada: The harbour is open. ($first)
2 messages by bob: Good morning, Ada. ($second)
3 messages by sophia: The tide is out. ($own)"
  says '[.targets[] | .id + .above[0]] | join(" ")' "$first$discord_channel $second$discord_channel $own$discord_channel"
  proposal=$answer
  act "$bob" delete_messages "$arguments" '{"only": [1, 3]}'
  says .summary "2 of 2 messages are deleted in <#$discord_channel>"
  says '.data.deleted | tostring' "[\"$first\",\"$own\"]"
  [ -z "$(said 'The harbour is open.')$(said 'The tide is out.')" ]
  [ "$(said 'Good morning, Ada.')" = "$second" ]
  [ "$(discord_state '[.effects[] | select(.what == "bulk_deleted")] | length')" = 1 ]
}

@test "the last ones of somebody are cleared, and nothing that came since" {
  discord_do '{"do": "say", "user": "bob", "channel": "general", "text": "spam", "count": 3}' >/dev/null
  discord_do '{"do": "say", "user": "ada", "channel": "general", "text": "fine"}' >/dev/null
  look "$ada" clear_messages "{\"count\": 3, \"author\": \"<@$bob>\"}"
  says .text "delete 3 messages in #general ($discord_channel)"
  says '[.items[].category] | unique | join(" ")' 'messages by bob'
  proposal=$answer
  discord_do '{"do": "say", "user": "bob", "channel": "general", "text": "sorry"}' >/dev/null
  act "$ada" clear_messages "{\"count\": 3, \"author\": \"<@$bob>\"}"
  says .summary "3 of 3 messages are deleted in <#$discord_channel>"
  [ -z "$(said spam)" ]
  [ -n "$(said sorry)" ] && [ -n "$(said fine)" ] && [ "$(said 'Good morning, Ada.')" = "$second" ]
}
