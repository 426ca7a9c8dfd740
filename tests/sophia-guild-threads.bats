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

@test "what can't be a thread is refused with the reason" {
  refused "$bob" create_thread '{"name": " "}' input 'name is too short, or nothing but white space'
  refused "$bob" create_thread "$(jq -n '{name: ("x" * 101)}')" input 'name has 101 characters, and Discord takes 100'
  refused "$bob" create_thread '{"name": "x", "archive_after_hours": 5}' input 'archive_after_hours is 1, 24, 72 or 168'
  refused "$bob" create_thread '{"name": "x", "channel": "voice"}' refused 'there are no threads in #voice'
  refused "$bob" create_thread '{"name": "x", "channel": "works"}' refused 'there are no threads in #works'
  refused "$bob" create_thread '{"name": "x", "channel": "news", "private": true}' refused 'there are no private threads in #news'
  refused "$bob" create_thread '{"name": "x", "channel": "ideas"}' input 'a post in a forum needs a text'
  refused "$bob" create_thread '{"name": "x", "channel": "ideas", "text": "x", "private": true}' refused 'a post in a forum is neither private nor made from a message'
  refused "$bob" create_thread '{"name": "x", "channel": "ideas", "text": "x", "tags": ["shut"]}' input "#ideas has no tag 'shut'"
  refused "$bob" create_thread '{"name": "x", "tags": ["open"]}' input 'only posts of a forum have tags'
  refused "$bob" create_thread "{\"name\": \"x\", \"message\": \"$last\", \"private\": true}" input "a thread made from a message can't be private"
  discord_do "{\"do\": \"edit\", \"message\": \"$last\", \"quiet\": true, \"more\": {\"type\": 7}}" >/dev/null
  refused "$bob" create_thread "{\"name\": \"x\", \"message\": \"$last\"}" refused "no thread can be made from a message of Discord's own"
  discord_do "{\"do\": \"edit\", \"message\": \"$last\", \"quiet\": true, \"more\": {\"type\": 0}}" >/dev/null
  make_it "$bob" create_thread "{\"name\": \"x\", \"message\": \"$last\"}"
  refused "$bob" create_thread "{\"name\": \"y\", \"message\": \"$last\"}" refused "it has a thread already: <#$last>"
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL"]}' >/dev/null
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["CREATE_PUBLIC_THREADS", "CREATE_PRIVATE_THREADS", "SEND_POLLS"]}'
  refused "$bob" create_thread '{"name": "x"}' refused "Sophia lacks CREATE_PUBLIC_THREADS in #general ($discord_channel)"
  refused "$bob" create_thread '{"name": "x", "private": true}' refused "Sophia lacks CREATE_PRIVATE_THREADS in #general ($discord_channel)"
  refused "$bob" create_poll '{"question": "x", "answers": ["a", "b"]}' refused "Sophia lacks SEND_POLLS in #general ($discord_channel)"
}

@test "what can't be a poll is refused with the reason" {
  refused "$bob" create_poll '{"question": "", "answers": ["a", "b"]}' input 'question is too short, or nothing but white space'
  refused "$bob" create_poll '{"question": "x", "answers": ["a"]}' input 'a poll has 2 to 10 answers'
  refused "$bob" create_poll '{"question": "x", "answers": ["a", " "]}' input "an answer has 1 to 55 characters: ' '"
  refused "$bob" create_poll '{"question": "x", "answers": ["a", "b", "a"]}' input "two answers are 'a'"
  refused "$bob" create_poll '{"question": "x", "answers": ["a", "b"], "hours": 769}' input 'hours is no number from 1 to 768'
  refused "$bob" create_poll '{"question": "x", "answers": ["a", "b"], "channel": "ideas"}' refused '#ideas holds posts only: create_thread makes one'
}

@test "an announcement's thread is one of announcements" {
  make_it "$bob" create_thread '{"name": "x", "channel": "news"}'
  discord_rest GET "/channels/$(jq -r .data.channel.id <<<"$answer")"
  [ "$(jq .type <<<"$output")" = 10 ]
}

@test "a thread whose first message is refused is told all the same" {
  discord_do '{"do": "rest", "what": "status", "status": 400, "body": {"code": 200000, "message": "Blocked"}, "route": "POST /channels/{channel_id}/messages"}'
  make_it "$bob" create_thread '{"name": "x", "text": "a bad word"}'
  thread=$(discord_state '[.effects[] | select(.what == "thread_started").id] | last')
  says '"\(.ok) \(.summary)"' "false created the thread <#$thread>; not all was done: 200000 Blocked"
  says .data.channel.id "$thread"
}
