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
