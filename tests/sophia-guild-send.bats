load helper
load discord
load changes

setup() {
  state_folder
  discord_start
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
