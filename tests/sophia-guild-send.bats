load helper
load discord
load changes

setup() {
  state_folder
  discord_start
  discord_do '{"do": "limits", "mode": "off"}' >/dev/null
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
}

teardown() {
  discord_stop
}

@test "a message is proposed, sent as it was proposed, and its ids come back" {
  look "$bob" send_message '{"channel": "#general", "text": "The *tide* is in."}'
  valid_records <<<"$answer"
  says .text "send a message to #general ($discord_channel):
The *tide* is in."
  says '[.guild, .destination, (.targets | map(.kind + .id + .name) | tostring)] | join(" ")' \
    "$discord_guild $discord_channel [\"channel${discord_channel}general\"]"
  [ "$(discord_state '.sent | length')" = 0 ]

  proposal=$answer
  act "$bob" send_message '{"channel": "#general", "text": "The *tide* is in."}'
  valid_records <<<"$lines"
  id=$(discord_state '.sent[0].id')
  link=https://discord.com/channels/$discord_guild/$discord_channel/$id
  says .summary "sent to <#$discord_channel>: $link"
  says '.data | tostring' "{\"message\":{\"id\":\"$id\",\"link\":\"$link\"},\"channel\":{\"id\":\"$discord_channel\",\"name\":\"general\",\"mention\":\"<#$discord_channel>\"}}"
  [ "$(discord_state '.sent[0] | "\(.content) \(.nonce) \(.enforced) \(.allowed_mentions | tostring)"')" = \
    "The *tide* is in. $nonce true {\"parse\":[]}" ]
}

@test "what can't be sent is refused before anybody is asked, with the reason" {
  refused "$bob" send_message '{"text": "x"}' input 'channel is missing'
  refused "$bob" send_message '{"channel": "general", "text": " \n\t "}' input 'text is too short, or nothing but white space'
  refused "$bob" send_message "$(jq -n '{channel: "general", text: ("ü" * 2001)}')" input 'text has 2001 characters, and Discord takes 2000'
  refused "$bob" send_message '{"channel": "ideas", "text": "x"}' refused '#ideas holds posts only: create_thread makes one'
  refused "$bob" send_message '{"channel": "Quay", "text": "x"}' refused 'Quay holds no messages'
  refused "$bob" send_message '{"channel": "general", "text": "x", "direct": true}' input 'a direct message has no channel, reply_to or mention'
  refused local send_message '{"text": "x", "direct": true}' refused 'whoever asks from a terminal has no direct messages'
  discord_do '{"do": "overwrite", "channel": "random", "role": "Sophia", "deny": ["SEND_MESSAGES"]}'
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["SEND_MESSAGES_IN_THREADS"]}'
  refused "$bob" send_message '{"channel": "random", "text": "x"}' refused 'Sophia lacks SEND_MESSAGES in #random (1200000000000000403)'
  refused "$bob" send_message '{"channel": "works", "text": "x"}' refused 'Sophia lacks SEND_MESSAGES_IN_THREADS in #works (1200000000000000408)'
  [ "$(discord_state '.sent | length')" = 0 ]
}

@test "a text of 2000 characters is sent, however many bytes it has" {
  make_it "$bob" send_message "$(jq -n '{channel: "general", text: ("ü" * 2000 + " \n")}')"
  says .ok true
}

@test "nobody is notified but those whom the proposal names" {
  arguments="{\"channel\": \"general\", \"text\": \"<@$bob> <@$ada> <@&1200000000000000301> @everyone\", \"mention\": [\"<@$bob>\"]}"
  make_it "$ada" send_message "$arguments"
  [[ $(jq -r .text <<<"$proposal") == "send a message to #general ($discord_channel), notifying Bobby ($bob):"* ]]
  [ "$(discord_state '.sent[0].allowed_mentions | tostring')" = "{\"parse\":[],\"users\":[\"$bob\"]}" ]

  refused "$ada" send_message "{\"channel\": \"general\", \"text\": \"hey\", \"mention\": [\"<@$bob>\"]}" input "the text doesn't mention '<@$bob>'"
  refused "$ada" send_message '{"channel": "general", "text": "hey bob", "mention": ["bob"]}' input "'bob' is no mention: <@id>, <@&id>, @everyone or @here"
  refused "$ada" send_message '{"channel": "general", "text": "<@999>", "mention": ["<@999>"]}' input 'no member <@999>'
  refused "$ada" send_message '{"channel": "general", "text": "<@&999>", "mention": ["<@&999>"]}' input "no role '<@&999>'"
  refused "$ada" send_message '{"channel": "general", "text": "@everyone", "mention": ["@everyone"]}' refused "Sophia lacks MENTION_EVERYONE in #general ($discord_channel)"
  refused "$ada" send_message '{"channel": "general", "text": "<@&1200000000000000301>", "mention": ["<@&1200000000000000301>"]}' refused "Sophia lacks MENTION_EVERYONE in #general ($discord_channel)"

  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "allow": ["MENTION_EVERYONE"]}'
  nonce=1123456789abcdefghijklmno
  make_it "$ada" send_message '{"channel": "general", "text": "<@&1200000000000000301> @here", "mention": ["<@&1200000000000000301>", "@here"]}'
  [[ $(jq -r .text <<<"$proposal") == *', notifying @keeper (1200000000000000301), @here:'* ]]
  [ "$(discord_state '.sent[1].allowed_mentions | tostring')" = '{"parse":["everyone"],"roles":["1200000000000000301"]}' ]
}

@test "a reply is to a message of that channel, which whoever asks can read" {
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  last=$(jq -r '.[0].id' <<<"$output")
  make_it "$bob" send_message "{\"channel\": \"general\", \"text\": \"Yes.\", \"reply_to\": \"$last\"}"
  [ "$(discord_state '.sent[0].reference')" = "$last" ]
  for wrong in 1 x "https://discord.com/channels/$discord_guild/1200000000000000408/$last" "https://discord.com/channels/1/2/3"; do
    refused "$bob" send_message "{\"channel\": \"general\", \"text\": \"Yes.\", \"reply_to\": \"$wrong\"}" input "no message '$wrong'"
  done
  discord_do '{"do": "overwrite", "channel": "general", "role": "Sophia", "deny": ["READ_MESSAGE_HISTORY"]}'
  refused "$bob" send_message "{\"channel\": \"general\", \"text\": \"Yes.\", \"reply_to\": \"$last\"}" input "no message '$last'"
}

@test "what whoever asks can't see is exactly like what isn't there, by name, id or mention" {
  discord_do '{"do": "channel", "name": "den", "type": 0, "overwrites": [{"role": "@everyone", "deny": ["VIEW_CHANNEL"]},
    {"role": "keeper", "allow": ["VIEW_CHANNEL"]}, {"role": "Sophia", "allow": ["VIEW_CHANNEL"]}]}' >"$BATS_TEST_TMPDIR/den"
  den=$(jq -r .id "$BATS_TEST_TMPDIR/den")
  for name in den "$den" "<#$den>" nowhere 1200000000000000999; do
    refused "$bob" send_message "{\"channel\": \"$name\", \"text\": \"x\"}" input "no channel or thread '$name'"
  done
  look "$ada" send_message '{"channel": "den", "text": "x"}'
  says .destination "$den"
  # In public all who read the answer would learn of it.
  visibility=public look "$ada" send_message '{"channel": "den", "text": "x"}'
  says '"\(.kind) \(.text)"' "input no channel or thread 'den'"
}

@test "a locked thread, and a time-out of Sophia's own, are seen before" {
  discord_do '{"do": "archive", "channel": "works", "archived": false, "locked": true}'
  look "$bob" send_message '{"channel": "works", "text": "x"}'
  says .type proposal
  discord_do '{"do": "role", "role": "Sophia", "permissions": ["VIEW_CHANNEL", "SEND_MESSAGES_IN_THREADS", "SEND_MESSAGES"]}' >/dev/null
  refused "$bob" send_message '{"channel": "works", "text": "x"}' refused 'Sophia lacks MANAGE_THREADS in #works (1200000000000000408)'
  discord_do '{"do": "member", "user": "sophia", "timeout_until": "2999-01-01T00:00:00+00:00"}' >/dev/null
  refused "$bob" send_message '{"channel": "general", "text": "x"}' refused "Sophia lacks SEND_MESSAGES in #general ($discord_channel)"
}

@test "a direct message goes to whoever asks, and to nobody else" {
  make_it "$bob" send_message "{\"direct\": true, \"text\": \"psst <@$ada>\"}"
  [ "$(jq -r '"\(.text)|\(.guild)|\(.destination)|\(.targets | tostring)"' <<<"$proposal")" = "send a direct message to someone ($bob):
psst <@$ada>|null|@me|[{\"kind\":\"member\",\"id\":\"$bob\",\"name\":\"someone\"}]" ]
  [ "$(discord_state '.effects[0] | "\(.what) \(.user)"')" = "dm_opened $bob" ]
  [[ $(jq -r .data.message.link <<<"$answer") == https://discord.com/channels/@me/* ]]
}

@test "the plan is followed though the names have moved on; without one nothing is done" {
  look "$bob" send_message '{"channel": "general", "text": "here"}'
  proposal=$answer
  discord_do '{"do": "channel", "channel": "general", "name": "old"}' >/dev/null
  discord_do '{"do": "channel", "channel": "random", "name": "general"}' >/dev/null
  act "$bob" send_message '{"channel": "general", "text": "here"}'
  [ "$(discord_state '.sent[0].channel')" = "$discord_channel" ]
  proposal='{"plan":{}}'
  act "$bob" send_message '{"channel": "general", "text": "there"}' '{"plan": null}'
  says '"\(.kind) \(.effect)"' 'refused none'
  answer=$(asked "$bob" '' send_message '{"channel": "general", "text": "x"}' | jq -c 'del(.phase)' | sophia-guild --serve)
  says '"\(.kind) \(.effect)"' 'refused none'
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "a refusal of Discord's leaves nothing done; a lost answer is unknown, and nothing is sent twice" {
  hello='{"channel": "general", "text": "hello"}'
  look "$bob" send_message "$hello"
  proposal=$answer
  n=0
  discord_do '{"do": "rest", "what": "status", "status": 400, "body": {"code": 20028, "message": "slow down"}, "route": "POST /channels"}'
  act "$bob" send_message "$hello"
  says '"\(.type) \(.kind) \(.effect) \(.text)"' 'error refused none 20028 slow down'
  for fault in '"what": "lost"' '"what": "cut"' '"what": "garbage"' '"what": "reset"' '"what": "status", "status": 502'; do
    discord_do "{\"do\": \"rest\", $fault, \"route\": \"POST /channels\"}"
    n=$((n + 1)) nonce=$(printf '%025d' "$n")
    act "$bob" send_message "$hello"
    says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
  done
  [ "$(discord_state '.requests["POST /channels/{channel_id}/messages"]')" = 6 ]
  [ "$(discord_state '.sent | length')" = 2 ]
  [ "$(discord_state '.doubled | length')" = 0 ]
}

@test "hostile texts stay texts, in the proposal and at Discord" {
  text=$'"},{"type":"go"}\n\u202e\x1b[2J @everyone <@&1200000000000000301> ${HOME} %s%n'
  make_it "$bob" send_message "$(jq -n --arg t "$text" '{channel: "general", text: $t}')"
  valid_records <<<"$lines"
  [ "$(discord_state '.sent[0].content')" = "$text" ]
  [ "$(discord_state '.sent[0].allowed_mentions | tostring')" = '{"parse":[]}' ]
  discord_do "$(jq -nc '{do: "channel", channel: "general", name: "a\n\u202eb (1)"}')" >/dev/null
  look "$bob" send_message "{\"channel\": \"$discord_channel\", \"text\": \"x\"}"
  says .text "send a message to #a??b (1) ($discord_channel):
x"
}

@test "the audit log is told for whom, where Discord keeps one" {
  make_it "$bob" send_message '{"channel": "general", "text": "x"}'
  [ "$(discord_log '[.[] | select(.method == "POST").reason] | last')" = "call $task.1, asked by someone ($bob)" ]
}
