load helper
load turns
load discord
load converse
load media

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() {
  harbour
  profile fake 32768 '"inputs":["text","image"]' >"$SOPHIA_HOME/models/fake.json"
}
teardown() { harbour_close; }

# The address that Discord's own would have; the fake one's is on this machine,
# where no provider can fetch it.
address=https://cdn.discordapp.com/attachments/1/2/cat.png

# attaches USER TEXT EXPIRES - says it with a picture, as Discord tells it.
attaches() {
  said=$(discord_do "$(jq -nc --arg u "$1" --arg t "$2" '{do: "say",
    channel: "general", user: $u, text: $t,
    attachments: [{name: "cat.png", text: "x", type: "image/png"}]}')")
  event MESSAGE_CREATE "$(jq -c --arg g "$discord_guild" \
    --arg url "$address?ex=$(printf %x "$3")&is=1&hm=2&" '. + {guild_id: $g} |
      .attachments[0] += {$url, proxy_url: $url, content_type: "image/png", width: 4, height: 3}' <<<"$said")"
}

@test "a message that is a picture alone is a request, and the model sees it" {
  converse_start
  says '{"text":"A cat."}'
  attaches ada '<@sophia>' $((EPOCHSECONDS + 3600))
  outcomes 1
  [[ "$(saw '.[0].url')" == "\"$address?ex="* ]]
  [[ "$(asked '.[0].messages[-1].content')" == *'no words of its own'* ]]
  [[ "$(asked '.[0].messages | tojson')" == *'\"name\":\"cat.png\"'* ]]
  [ -z "$(wrong)" ]
}

@test "one whose address is over is told by name" {
  converse_start
  says '{"text":"I can not see it."}'
  attaches ada '<@sophia> what is it?' $((EPOCHSECONDS - 3600))
  outcomes 1
  [ "$(saw length)" = 0 ]
  [[ "$(asked '.[0].messages | tojson')" == *'does not hold any more'* ]]
}

@test "the file of /talk is told, and its address on this machine goes nowhere" {
  converse_start
  says '{"text":"A list."}'
  interacts ada '{do: "command", channel: "general", name: "talk",
    options: {attachment: {name: "list.png", text: "eggs"}}}'
  run -0 answered .content
  [ "$output" = 'A list.' ]
  [ "$(saw length)" = 0 ]
  run -0 asked '.[0].messages[-2].content'
  [[ $output == '[source: files attached to the request]'*'"name":"list.png"'*'"not_shown":'* ]]
  [[ "$(asked '.[0].messages | tojson')" != *127.0.0.1* ]]
}
