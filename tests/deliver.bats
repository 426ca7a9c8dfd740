load helper
load discord
load deliver

setup() {
  state_folder
  discord_start
  outbox_open
}

teardown() { outbox_close; }

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
  [ "$(jq -r '.[0].content' <<<"$output")" = \
    $'I was interrupted.\n\nNothing is lost; resume to go on.' ]
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

# in_doubt TEXT - an answer of that text, sent ten minutes ago; nobody knows
# what came of it.
in_doubt() {
  owe "$(an_answer "$1")"
  sql "INSERT INTO delivery (outbox, k, nonce, text, state, attempts, first_ms)
    VALUES ($owed, 1, 'nonce$owed', '$1', 'sent', 1,
    (unixepoch() - 600) * 1000)"
}

# The bot writes something in general, of which we know nothing; id in $output.
bot_writes() {
  discord_rest POST "/channels/$discord_channel/messages" \
    "$(jq -nc --arg text "$1" '{content: $text}')"
  output=$(jq -r .id <<<"$output")
}

@test "sent long ago, with no word of it: what is there is not sent again" {
  bot_writes 'Here.'
  in_doubt 'Here.'
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(sql 'SELECT message FROM delivery')" = "$output" ]
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "what isn't there is; the same words of somebody else are another message" {
  discord_do '{"do":"say","user":"ada","channel":"general","text":"Here."}'
  in_doubt 'Here.'
  sophia-converse --deliver
  [ "$(discord_state '.sent[] | "\(.content) \(.nonce)"')" = "Here. nonce$owed" ]
  in_doubt 'Here.' # again; the one above is not it
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 2 ]
}

@test "it is known again though Discord has taken white space away" {
  bot_writes $'One.\nTwo.'
  in_doubt $'One. \n\nTwo.'
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "it is looked for through many messages" {
  bot_writes 'Here.'
  discord_do '{"do":"say","user":"ada","channel":"general","text":"line %n",
    "count":250}' >/dev/null
  in_doubt 'Here.'
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent | length')" = 1 ]
  in_doubt 'There.'
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 2 ]
}

@test "what can't be found out is unknown, said so, and never sent again" {
  in_doubt 'Here.'
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["READ_MESSAGE_HISTORY"]}'
  run -0 sophia-converse --deliver
  [[ $output == *"it is not known whether its outcome arrived"* ]]
  [[ $(became "$owed") == "unknown: the channel's history can't be read"* ]]
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "remove":true}'
  sophia-converse --deliver
  [ "$(discord_state '.sent | length')" = 0 ]
}

# acknowledged [FLAGS] - ada runs a command, which is acknowledged: sets $hook to
# the columns of its address.
acknowledged() {
  local made
  discord_rest PUT "/applications/$discord_bot/commands" \
    '[{"name":"talk","description":"Ask"}]'
  made=$(discord_do '{"do":"command","user":"ada","channel":"general",
    "name":"talk"}')
  hook_token=$(jq -r .token <<<"$made")
  discord_rest POST "/interactions/$(jq -r .id <<<"$made")/$hook_token/callback" \
    "{\"type\":5,\"data\":{\"flags\":${1:-0}}}"
  hook=("application=$discord_bot" "token=$hook_token"
    "until_ms=$((($(date +%s) + 900) * 1000))" "ephemeral=$((${1:-0} / 64))")
}

@test "the answer to a command stands where it was acknowledged" {
  acknowledged
  owe "$(an_answer 'Because.')" "${hook[@]}"
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent | map([.content, .via]) | flatten | join(" ")')" = \
    'Because. deferred' ]
  [ "$(sql 'SELECT count(*) FROM address WHERE token IS NOT NULL')" = 0 ]
}

@test "a long one goes on in the channel, with nonces" {
  acknowledged
  parts=$(seq -f 'Line %g of the answer, and some more.' 150)
  owe "$(an_answer "$parts")" "${hook[@]}"
  sophia-converse --deliver
  [ "$(discord_state '.sent | map(.content) | join("\n")')" = "$parts" ]
  [ "$(discord_state '.sent | map(.via) | join(" ")')" = 'deferred rest rest' ]
}

@test "where the channel takes no message of ours, as further replies" {
  acknowledged
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["SEND_MESSAGES"]}'
  parts=$(seq -f 'Line %g of the answer, and some more.' 150)
  owe "$(an_answer "$parts")" "${hook[@]}"
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent | map(.content) | join("\n")')" = "$parts" ]
}

@test "a further reply has no nonce: in doubt, it is looked for" {
  acknowledged
  discord_do '{"do":"overwrite","channel":"general","role":"Sophia",
    "deny":["SEND_MESSAGES"]}'
  discord_do '{"do":"rest","what":"lost","route":"POST /webhooks"}'
  parts=$(seq -f 'Line %g of the answer, and some more.' 150)
  owe "$(an_answer "$parts")" "${hook[@]}"
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent | map(.content) | join("\n")')" = "$parts" ]
}

@test "an answer for one person is one message, however long, and a file" {
  acknowledged 64
  parts=$(seq -f 'Line %g of the answer, and some more.' 150)
  owe "$(an_answer "$parts")" visibility=private "${hook[@]}"
  discord_do '{"do":"rest","what":"lost","route":"PATCH /webhooks"}'
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  run -0 discord_state '.interactions[0].messages[] | "\(.ephemeral) \(.content)"'
  [[ $output == 'true Line 1 of'*'The whole answer is in answer.md.' ]]
  [ "$(discord_state '.sent | length')" = 1 ]
}

@test "after its time a public answer goes to the channel, a private one nowhere" {
  acknowledged
  open=("${hook[@]}")
  acknowledged 64
  discord_do '{"do":"time","advance_s":901}' >/dev/null
  owe "$(an_answer 'Public.')" "${open[@]}"
  sophia-converse --deliver
  [ "$(became "$owed")" = delivered ]
  [ "$(discord_state '.sent[-1] | "\(.content) \(.via)"')" = 'Public. rest' ]
  owe "$(an_answer 'Private.')" visibility=private "${hook[@]}"
  sophia-converse --deliver
  [[ $(became "$owed") == 'failed: it is for one person alone'* ]]
  [ "$(discord_state '.sent | map(select(.content == "Private.")) | length')" = 0 ]
  [ "$(sql 'SELECT count(*) FROM address WHERE token IS NOT NULL')" = 0 ]
}

@test "an export of a task never has the token" {
  acknowledged
  owe "$(an_answer 'Because.')" "${hook[@]}"
  run -0 sophia-task export "$task"
  [[ $output == *'"address"'* && $output != *"$hook_token"* ]]
}

@test "an answer whose sources not all may read there is kept back, for good" {
  asks
  owe "$(an_answer 'The hoard is under the stove.')" request="$request"
  sql "INSERT INTO source (task, kind, url, revision, channel, channel_name,
    text) VALUES ('$task', 'message', 'u', '', '77', 'den', 'x')"
  sophia-converse --deliver
  [ "$(discord_state '.sent[] | "\(.content) \(.reference)"')" = "I must keep \
this back: not everyone here may read what it rests on. Details says more, to \
whoever asked. $request" ]
  [ "$(became "$owed")" = \
    "failed: it isn't known who would read it in that channel" ]
  [[ $(sql 'SELECT text FROM delivery') != *stove* ]]
}

@test "what is for one person alone says to them why it is kept back" {
  owe "$(an_answer 'The hoard is under the stove.')" \
    location=dm:"$discord_channel" visibility=private
  sql "INSERT INTO source (task, kind, url, revision, channel, channel_name,
    text) VALUES ('$task', 'message', 'u', '', '77', 'den', 'x')"
  sophia-converse --deliver
  [ "$(discord_state '.sent[].content')" = "I must keep this back: whoever \
asked may no longer read what this task rests on: 1 source that can't be \
named here." ]
}
