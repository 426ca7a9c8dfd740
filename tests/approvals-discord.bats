load helper
load turns
load discord
load converse
load approvals

# What is asked in Discord before something is changed: the real gateway, index
# follower, sophia-converse and loop, a scripted model, and tools that note what
# they do.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  harbour
  discord_do '{"do":"limits","mode":"off"}' >/dev/null # a test looks often
  log=$BATS_TEST_TMPDIR/log
  ada=$(user_id ada) bob=$(user_id bob)
  sophia-access grant -u "$ada" -g "$discord_guild" -t destructive
  sophia-access grant -u "$bob" -g "$discord_guild" -t destructive
  all_start
}

teardown() {
  [ -z "${follow_pid:-}" ] || kill "$follow_pid" 2>/dev/null || :
  harbour_close
}

all_start() {
  gateway_start
  sophia-index follow 2>>"$BATS_TEST_TMPDIR/follow.err" 3>&- 6>&- 7>&- &
  follow_pid=$!
  until_true eval '[ "$(sqlite3 -readonly "$SOPHIA_HOME/messages.sqlite" \
    "SELECT count(*) FROM channel" 2>/dev/null)" -gt 0 ] 2>/dev/null'
  converse_start
  discord_until effects # the commands are registered
}

# asks USER TEXT - in #general, and wait for the card. Sets $approval, $card.
asks() {
  discord_do "$(jq -nc --arg u "$1" --arg t "<@$discord_bot> $2" \
    '{do: "say", user: $u, channel: "general", text: $t}')" >/dev/null
  card_shown
}

# talks USER FIELDS - the same in private, by /talk.
talks() {
  discord_do "$(jq -nc --arg u "$1" --argjson o "$2" '{do: "command", user: $u,
    channel: "general", name: "talk", options: ({ephemeral: true} + $o)}')" >/dev/null
}

card_shown() {
  until_true eval '[ -n "$(sql "SELECT message FROM card WHERE closed_ms IS NULL AND message <> '"''"'")" ]'
  approval=$(sql 'SELECT approval FROM card WHERE closed_ms IS NULL')
  card=$(sql "SELECT message FROM card WHERE approval = '$approval'")
}

card_is_closed() {
  sql_is "SELECT count(*) FROM card WHERE approval = '$approval' AND closed_ms IS NOT NULL" 1
}

# of_card [JQ] - the card as it stands in #general.
of_card() {
  discord_rest GET "/channels/$discord_channel/messages/$card"
  jq -r "${1:-.content}" <<<"$output"
}

# controls - what can be pressed there.
controls() {
  of_card '[.components[].components[].custom_id | split(":")[0] | ltrimstr("ask.")] | join(" ")'
}

press() {
  discord_do "$(jq -nc --arg u "$1" --arg m "${3:-$card}" \
    --arg c "ask.$2:${4:-$approval}" '{do: "press", user: $u, message: $m, custom_id: $c}')"
}

choose() {
  discord_do "$(jq -nc --arg u "$1" --arg m "$card" --arg c "ask.$2:$approval" \
    --argjson v "$3" '{do: "select", user: $u, message: $m, custom_id: $c, values: $v}')" >/dev/null
}

# forge USER CUSTOM-ID [MESSAGE] - press what isn't there; prints the answer.
forge() {
  discord_do "$(jq -nc --arg u "$1" --arg c "$2" --arg m "${3:-$card}" \
    '{do: "forge", user: $u, message: $m, custom_id: $c}')" >/dev/null
  told
}

# told - what the last interaction was answered with, apart from the card.
told() {
  until_true eval '[ -n "$(told_now)" ]'
  told_now
}
told_now() {
  discord_state '.interactions[-1] |
    ((.answers[-1] | select(.type == 4).data | {ephemeral: (.flags == 64), content}),
     .messages[-1] | select(.content // "" != "")) | "\(.ephemeral) \(.content)"' | head -n 1
}

ends() {
  sql_is "SELECT count(*) FROM task WHERE state <> 'running'" "${1:-1}"
}

@test "a card says what would be done, and its person approves it" {
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  asks ada 'paint it'
  [[ $(of_card) == '**May I do this?** Decide until <t:'*$'\npaint the wall blue'* ]]
  [ "$(controls)" = 'approve deny correct stop' ]
  [ -z "$(done_so_far)" ]
  press ada approve >/dev/null
  ends
  [ "$(done_so_far)" = 'paint all' ]
  [ "$(became)" = approve ]
  card_is_closed
  [[ $(of_card) == '**Approved**'*'paint the wall blue'* ]]
  [ -z "$(controls)" ]
  [ "$(of_card '.mentions | length')" = 0 ]
  discord_clean
}

@test "what is denied is not done" {
  paint
  says "$(calls paint '{}')" '{"text":"Then not."}'
  asks ada 'paint it'
  press ada deny >/dev/null
  ends
  card_is_closed
  [ -z "$(done_so_far)" ]
  [[ $(of_card) == '**Denied**'* ]]
}

@test "a correction is written in a form, and goes to the model" {
  paint
  says "$(calls paint '{}')" '{"text":"Green, then."}'
  asks ada 'paint it'
  form=$(press ada correct | jq -r .id)
  until_true eval '[ -n "$(discord_state ".interactions[-1].answers[0].data.custom_id // empty")" ]'
  discord_do '{"do":"submit","interaction":"'"$form"'","values":{"text":"rather green"}}' >/dev/null
  ends
  card_is_closed
  [ "$(became)" = correct ]
  [[ $(asked '.[1].messages | map(.content | tostring) | join(" ")') == *'rather green'* ]]
  [[ $(of_card) == '**Not this, but something else**'* ]]
  [[ $(of_card) != *green* ]]
  [ -z "$(done_so_far)" ]
}

@test "Stop ends the task" {
  paint
  says "$(calls paint '{}')"
  asks ada 'paint it'
  press ada stop >/dev/null
  sql_is 'SELECT state FROM task' cancelled
  card_is_closed
  [[ $(of_card) == '**Stopped**'* ]]
  [ -z "$(done_so_far)" ]
}

@test "nobody else decides, be they operator or not; it is said to them alone" {
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  asks ada 'paint it'
  for verb in approve deny stop correct; do
    press bob "$verb" >/dev/null
    run -0 told
    [ "$output" = 'true Only the person who was asked can decide this.' ]
  done
  [ "$(became)" = pending ]
  [ "$(controls)" = 'approve deny correct stop' ]
  press ada approve >/dev/null
  ends
  [ "$(done_so_far)" = 'paint all' ]
}

@test "items and kinds are chosen, a second question is asked, only those are done" {
  wipe
  says "$(calls wipe '{}')" '{"text":"Wiped."}'
  asks ada 'wipe them'
  [[ $(of_card) == *$'\n`1` '*'ann\: one'*$'\n`4` '*'eve\: four'* ]]
  [ "$(controls)" = 'items0 kinds0 approve deny correct stop' ]
  choose ada kinds0 '["1", "3"]'
  until_true eval '[[ $(of_card) == *"~~\`3\`"* ]]'
  choose ada items0 '["1", "4"]'
  until_true eval '[[ $(of_card) == *"~~\`2\`"* ]]'
  [[ $(of_card) != *'~~`1`'* ]]
  press ada approve >/dev/null
  until_true eval '[ "$(controls)" = "sure back" ]'
  [[ $(of_card) == '**Are you sure?**'*'2 of 4'* ]]
  [ "$(became)" = pending ]
  press ada back >/dev/null
  until_true eval '[ "$(controls)" = "items0 kinds0 approve deny correct stop" ]'
  press ada approve >/dev/null
  until_true eval '[ "$(controls)" = "sure back" ]'
  press bob sure >/dev/null
  [[ $(told) == 'true Only the person'* ]]
  press ada sure >/dev/null
  ends
  [ "$(done_so_far)" = 'wipe [1,4]' ]
  card_is_closed
  [[ $(of_card) == '**Approved**, 2 of 4'* ]]
}

@test "to choose nothing is no choice" {
  wipe
  says "$(calls wipe '{}')" '{"text":"Not wiped."}'
  asks ada 'wipe them'
  choose ada items0 '[]'
  [[ $(told) == 'true Choose at least one.'* ]]
  [ "$(sql 'SELECT sum(chosen) FROM approval_item')" = 4 ]
}

@test "many items have pages, and all of them are in a file" {
  change many '{tier: "write"}' "$(jq -nc '{text: "rename 60 roles",
    items: [range(1; 61) | {n: ., category: "role", text: "rename \(.)"}]}')"
  says "$(calls many '{}')" '{"text":"Renamed."}'
  asks ada 'rename them'
  [ "$(controls)" = 'items0 page1 approve deny correct stop' ]
  [ "$(of_card '.attachments[0].filename')" = changes.txt ]
  press ada page1 >/dev/null
  until_true eval '[ "$(controls)" = "items1 page0 page2 approve deny correct stop" ]'
  [[ $(of_card) == *$'\n`26` rename 26\n'*'Items 26 to 50 of 60'* ]]
  choose ada items1 '["30"]'
  until_true eval '[ "$(sql "SELECT sum(chosen) FROM approval_item")" = 36 ]'
  press ada approve >/dev/null
  ends
  [ "$(done_so_far)" = "many $(jq -nc '[range(1; 26), 30, range(51; 61)]')" ]
  discord_clean
}

@test "in private only the person asked sees the card, and others learn nothing" {
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  talks ada '{"message": "paint it"}'
  card_shown
  of_card .code
  [ "$status" = 404 ]
  [ "$(sql 'SELECT hidden FROM card')" = 1 ]
  run -0 forge bob "ask.approve:$approval"
  [ "$output" = "true That can't be decided here any more." ]
  run -0 forge bob 'ask.approve:01k2jv4c7q9x3m5n8r0s'
  [ "$output" = "true That can't be decided here any more." ]
  [ "$(became)" = pending ]
  press ada approve >/dev/null
  ends
  card_is_closed
  [ "$(done_so_far)" = 'paint all' ]
  [ "$(discord_state '[.interactions[].messages[].ephemeral] | all')" = true ]
  [[ $(discord_state '.sent[] | select(.id == "'"$card"'") | .content, .buttons[]') == '**Approved**'*blue ]]
}

# From now on no follow-up of an interaction arrives.
hookless() {
  discord_do '{"do":"rest","what":"status","route":"POST /webhooks/","status":404,
    "body":{"code":10015,"message":"Unknown Webhook"},"times":'"${1:-9}"'}' >/dev/null
}

@test "a private card that can't be shown is shown to nobody, and nothing is done" {
  paint
  says "$(calls paint '{}')"
  hookless
  talks ada '{"message": "paint it"}'
  sql_is 'SELECT state FROM task' paused
  [ "$(became)" = invalid ]
  [ -z "$(done_so_far)" ]
  [ "$(discord_state '[.sent[] | select(.content | test("paint the wall"))] | length')" = 0 ]
}

@test "with direct messages on, a private card goes there instead" {
  sophia-settings set discord.dms on
  sophia-settings set discord.users "$ada,*"
  paint
  says "$(calls paint '{}')" '{"text":"It is blue."}'
  hookless 1
  talks ada '{"message": "paint it"}'
  card_shown
  [ "$(sql 'SELECT hidden FROM card')" = 0 ]
  [ "$(sql 'SELECT channel FROM card')" != "$discord_channel" ]
  press ada approve >/dev/null
  ends
  [ "$(done_so_far)" = 'paint all' ]
  card_is_closed
}

@test "a forged or repeated press is dead, and does nothing" {
  dead="true That can't be decided here any more."
  paint
  raze
  says "$(calls raze '{}')" '{"text":"Gone."}'
  other=$(discord_do '{"do":"say","user":"eve","channel":"general","text":"hi"}' | jq -r .id)
  asks ada 'raze it'
  [ "$(forge ada ask.approve:01k2jv4c7q9x3m5n8r0s)" = "$dead" ]
  [ "$(forge ada "ask.approve:$approval" "$other")" = "$dead" ]
  [ "$(forge ada ask.approve)" = "true I don't know that any more." ]
  [ "$(forge ada "ask.approve1:$approval")" = "true I don't know that any more." ]
  [[ $(forge eve "ask.sure:$approval") == 'true Only the person who was asked'* ]]
  [[ $(forge ada "ask.sure:$approval") == 'true This was not approved a first time'* ]]
  [ "$(became)" = pending ]
  press ada approve >/dev/null
  until_true eval '[ "$(controls)" = "sure back" ]'
  press ada sure >/dev/null
  ends
  card_is_closed
  for verb in approve deny sure back stop items0; do
    [ "$(forge ada "ask.$verb:$approval")" = 'true This was decided already: approved.' ]
  done
  [ "$(became)" = approve ]
  [ "$(done_so_far)" = 'raze all' ]
}

@test "after a crash the card is dead, and says so" {
  paint
  says "$(calls paint '{}')"
  asks ada 'paint it'
  converse_stop KILL || :
  converse_start
  card_is_closed
  [[ $(of_card) == '**Not valid any more'* ]]
  [ -z "$(controls)" ]
  [ "$(became)" = invalid ]
  run -0 forge ada "ask.approve:$approval"
  [[ $output == "true This can't be decided any more"* ]]
  [ -z "$(done_so_far)" ]
  sql_is 'SELECT state FROM task' paused
}

@test "one that has expired is no denial, and its card says so" {
  paint
  says "$(calls paint '{}')"
  asks ada 'paint it'
  sqlite3 -cmd '.timeout 9000' "$SOPHIA_HOME/tasks.sqlite" \
    'UPDATE approval SET expires_ms = 1'
  press ada approve >/dev/null
  [ "$(told)" = 'true This has expired; nothing was done.' ]
  sql_is 'SELECT state FROM task' paused
  card_is_closed
  [[ $(of_card) == '**Expired'* ]]
  [ -z "$(done_so_far)" ]
}

@test "a card that a crash left unnoted is found, and closed" {
  paint
  says "$(calls paint '{}')"
  asks ada 'paint it'
  converse_stop KILL || :
  sqlite3 -cmd '.timeout 9000' "$SOPHIA_HOME/tasks.sqlite" \
    'UPDATE card SET message = NULL'
  converse_start
  card_is_closed
  [[ $(of_card) == '**Not valid any more'* ]]
  [ "$(discord_state '[.sent[] | select(.content | test("paint the wall"))] | length')" = 1 ]
}

@test "a task that is stopped takes its card with it" {
  paint
  says "$(calls paint '{}')"
  asks ada 'paint it'
  sophia-task stop "$(sql 'SELECT id FROM task')"
  card_is_closed
  [[ $(of_card) == '**Not valid any more'* ]]
  [ -z "$(controls)" ]
  [ -z "$(done_so_far)" ]
}

@test "no word of a stranger's is markup in a card, or a mention" {
  change odd '{tier: "write"}' \
    '{"text":"say **bold** @everyone <@1200000000000000202> \u202Eevil\nhttps://example.invalid"}'
  says "$(calls odd '{}')" '{"text":"No."}'
  asks ada odd
  [[ $(of_card) == *'\*\*bold\*\*'* ]]
  [[ $(of_card) == *'{202E}evil'* ]]
  [ "$(of_card '(.mentions | length), .mention_everyone' | xargs)" = '0 false' ]
}
