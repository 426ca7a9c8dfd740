load helper
load discord
load deliver

setup() {
  state_folder
  discord_start
  outbox_open
}

teardown() { discord_stop; }

# A request of ada's in general: its id in $request.
asks() {
  request=$(discord_do '{"do":"say","user":"ada","channel":"general",
    "text":"why?"}' | jq -r .id)
}

@test "an answer is a reply to the request, and mentions nobody" {
  asks
  owe "$(an_answer 'Because <@5> and @everyone.')" request="$request"
  sophia-converse --deliver
  run -0 discord_state '.sent[] | "\(.content) \(.reference) \(.enforced)
\(.allowed_mentions)"'
  [ "$output" = "Because <@5> and @everyone. $request true"$'\n{"parse":[]}' ]
  [ "$(became "$owed")" = delivered ]
  [ "$(sql 'SELECT message FROM delivery')" = "$(discord_state '.sent[0].id')" ]
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "a request that is gone is answered all the same" {
  owe "$(an_answer 'Here.')" request=1200000000000000999
  sophia-converse --deliver
  [ "$(discord_state '.sent[] | "\(.content) \(.reference)"')" = 'Here. null' ]
}

@test "a long answer comes in parts, in order; the nonces are of the parts" {
  asks
  owe "$(an_answer "$(seq -f 'Line %g of the answer, and some more.' 150)")" \
    request="$request"
  sophia-converse --deliver
  [ "$(discord_state '.sent | map(.content) | join("\n")')" = \
    "$(seq -f 'Line %g of the answer, and some more.' 150)" ]
  [ "$(discord_state '[.sent[].reference] | map(. != null)' | jq -c .)" = \
    '[true,false,false]' ]
  [ "$(discord_state '[.sent[].nonce] | unique | length')" = 3 ]
  nonce=$(printf %s "$task.$owed.2" | sha256sum | /usr/bin/python3 -c '
n, s = int(input().split()[0], 16), ""
for _ in range(25):
    s, n = "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36] + s, n // 36
print(s)')
  [ "$(discord_state '.sent[1].nonce')" = "$nonce" ]
}

@test "a very long one comes as a file, with its beginning" {
  text=$(seq -f 'Line %g of the answer, and some more.' 500)
  owe "$(an_answer "$text")"
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 1 ]
  run -0 discord_state '.sent[0].content'
  [[ $output == 'Line 1 of'*$'\n-# The whole answer is in answer.md.' ]]
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  [ "$(jq -r '.[0].attachments[0].filename' <<<"$output")" = answer.md ]
  [ "$(curl -sS "$(jq -r '.[0].attachments[0].url' <<<"$output")")" = "$text" ]
}

@test "where no file may be sent, all of it comes as messages" {
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["ATTACH_FILES"]}'
  owe "$(an_answer "$(seq -f 'Line %g of the answer, and some more.' 400)")"
  sophia-converse --deliver
  [ "$(discord_state '.sent | map(.content) | join("\n")')" = \
    "$(seq -f 'Line %g of the answer, and some more.' 400)" ]
}

@test "where the history may not be read, it is no reply" {
  asks
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["READ_MESSAGE_HISTORY"]}'
  owe "$(an_answer 'Here.')" request="$request"
  sophia-converse --deliver
  [ "$(discord_state '.sent[] | "\(.content) \(.reference)"')" = 'Here. null' ]
}

@test "an answer that no channel takes is kept, with the reason" {
  owe "$(an_answer 'For a channel that is gone.')" channel=1200000000000000999
  gone=$owed
  owe "$(an_answer 'For one that I can not see.')" channel=1200000000000000404
  run -0 sophia-converse --deliver
  [[ $(became "$gone") == 'failed: the channel is gone (10003 '* ]]
  [[ $(became "$owed") == "failed: I can't see the channel (50001 "* ]]
  [ "$(discord_state '.sent | length')" = 0 ]
  sophia-converse --deliver
  [ "$(discord_state '.requests | map_values(.) | to_entries
    | map(select(.key | startswith("POST"))) | map(.value) | add')" = 2 ]
}

@test "a channel that goes in between ends it: the parts that arrived stay" {
  owe "$(an_answer "$(seq -f 'Line %g of the answer, and some more.' 150)")"
  discord_do '{"do":"rest","what":"status","status":404,"after":1,
    "route":"POST /channels/{channel_id}/messages",
    "body":{"code":10003,"message":"Unknown Channel"}}'
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 1 ]
  [[ $(became "$owed") == 'failed: part 2 of 3: the channel is gone'* ]]
  [ "$(sql 'SELECT group_concat(state) FROM delivery')" = \
    delivered,failed,pending ]
}

@test "whichever part is refused, nothing of it is sent twice" {
  for after in 0 1 2; do
    discord_do '{"do":"clear","books":true}'
    owe "$(an_answer "$(seq -f 'Line %g of the answer, and some more.' 150)")"
    discord_do '{"do":"rest","what":"status","status":400,"after":'$after',
      "route":"POST /channels/{channel_id}/messages",
      "body":{"code":200000,"message":"Blocked"}}'
    sophia-converse --deliver
    [[ $(became "$owed") == *"part $((after + 1)) of 3: the server's AutoMod"* ]]
    [ "$(discord_state '.sent | length')" = "$after" ]
  done
}

@test "a refused token ends it at once: exit 78, and nothing is given up" {
  owe "$(an_answer 'Here.')"
  discord_do '{"do":"rest","what":"status","status":401,"times":9,
    "route":"POST /channels/{channel_id}/messages",
    "body":{"code":0,"message":"401: Unauthorized"}}'
  run -78 sophia-converse --deliver
  [ "$(became "$owed")" = pending ]
  [ "$(discord_state '.statuses["401"]')" = 1 ]
}

@test "a paused task says so, with buttons" {
  owe '{"type":"paused","reason":"interrupted","text":"I was interrupted."}'
  sophia-converse --deliver
  discord_rest GET "/channels/$discord_channel/messages?limit=1"
  [ "$(jq -r '.[0].content' <<<"$output")" = 'I was interrupted.' ]
  [ "$(jq -c '[.[0].components[].components[].custom_id]' <<<"$output")" = \
    "[\"resume:$task\",\"details:$task\"]" ]
}

@test "what failed says why, and how to go on" {
  owe '{"type":"error","kind":"again","text":"the model is busy","effect":"none"}'
  sophia-converse --deliver
  [[ $(discord_state '.sent[0].content') == \
    'I could not finish this: the model is busy'*'resume to try again.' ]]
}

@test "an answer of nothing but white space still is one message" {
  owe "$(an_answer $' \n\t ')"
  sophia-converse --deliver
  [ "$(discord_state '.sent[].content')" = 'There is nothing to say about this.' ]
}

@test "no answer came, but it had arrived: it is not doubled" {
  for what in lost cut reset garbage; do
    owe "$(an_answer "Was $what.")"
    discord_do '{"do":"rest","what":"'$what'",
      "route":"POST /channels/{channel_id}/messages"}'
    sophia-converse --deliver
    [ "$(became "$owed")" = delivered ]
  done
  [ "$(discord_state '[.sent[].content] | join(" ")')" = \
    'Was lost. Was cut. Was reset. Was garbage.' ]
  [ "$(discord_state '.doubled | length')" = 0 ]
}

@test "a private answer without a way to its person is kept, never shown" {
  owe "$(an_answer 'For you alone.')" visibility=private
  other=$owed
  owe "$(an_answer 'For you, too.')" ephemeral=1 application="$discord_bot"
  sophia-converse --deliver
  [[ $(became "$other") == 'failed: it is for one person alone'* ]]
  [[ $(became "$owed") == 'failed: it is for one person alone'* ]]
  [ "$(discord_state '.sent | length')" = 0 ]
}
