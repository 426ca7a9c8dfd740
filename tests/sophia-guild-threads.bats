load helper
load discord
load changes

setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY",
    "SEND_MESSAGES_IN_THREADS", "CREATE_PUBLIC_THREADS", "CREATE_PRIVATE_THREADS", "MANAGE_THREADS"]}' >/dev/null
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  last=$(jq -r '.[0].id' <<<"$output")
}

teardown() {
  discord_stop
}

@test "a thread is made from a message" {
  make_it "$bob" create_thread "{\"name\": \"Mornings\", \"message\": \"$last\"}"
  [ "$(jq -r .text <<<"$proposal")" = "create a thread 'Mornings' in #general ($discord_channel) from message $last" ]
  says '"\(.summary) \(.data.channel.mention)"' "created the thread <#$last> <#$last>"
  [ "$(discord_state '[.effects[] | select(.what == "thread_started").id] | join(" ")')" = "$last" ]
}

@test "a private thread lets in whoever asked, and says the first thing; each request is announced" {
  make_it "$bob" create_thread '{"name": "Surprise", "private": true, "text": "For Ada.", "archive_after_hours": 24}'
  valid_records <<<"$lines"
  [ "$(jq -r 'select(.type == "part") | "\(.n) \(.state) \(.text)"' <<<"$lines")" = '1 intent create the thread
1 succeeded null
2 intent let in whoever asked
2 succeeded null
3 intent send its first message
3 succeeded null' ]
  thread=$(jq -r .data.channel.id <<<"$answer")
  [ "$(discord_state '.sent[0] | "\(.channel) \(.content) \(.nonce)"')" = "$thread For Ada. $nonce" ]
  discord_rest GET "/channels/$thread/thread-members/$bob"
  [ "$status" = 200 ]
}

@test "a post in a forum has its text and tags from the start" {
  make_it "$bob" create_thread '{"name": "A crane", "channel": "ideas", "text": "Higher.", "tags": ["OPEN"]}'
  says '.type' result
  [ "$(discord_state '.sent[0].content')" = Higher. ]
  discord_rest GET "/channels/$(jq -r .data.channel.id <<<"$answer")"
  [ "$(jq -c .applied_tags <<<"$output")" = '["1200000000000000501"]' ]
}

@test "a poll is made" {
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES", "READ_MESSAGE_HISTORY", "SEND_POLLS"]}' >/dev/null
  make_it "$bob" create_poll '{"question": "Tea?", "answers": ["yes", "no"], "hours": 48, "several": true}'
  [ "$(jq -r .text <<<"$proposal")" = "create a poll in #general ($discord_channel), for 48 hours, with several answers each:
Tea?
- yes
- no" ]
  discord_rest GET "/channels/$discord_channel/messages/$(jq -r .data.message.id <<<"$answer")"
  [ "$(jq -c '[.poll.question.text, [.poll.answers[].poll_media.text], .poll.allow_multiselect]' <<<"$output")" = '["Tea?",["yes","no"],true]' ]
}
