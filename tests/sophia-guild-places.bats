load helper
load discord
load changes

quay=1200000000000000401 # a category: general, random
random=1200000000000000403
secret=1200000000000000404 # which Sophia doesn't see
den=1200000000000000410    # for keepers
keeper=1200000000000000301
hers=1200000000000000302 # Sophia's role

# What Sophia may do here: enough for all that is asked of her, and no more.
setup() {
  state_folder
  jq '.guilds[0].roles[2].permissions += ["MANAGE_CHANNELS", "MANAGE_ROLES", "MANAGE_MESSAGES", "CONNECT"]
    | .guilds[0].members[3].roles = ["keeper"]
    | .guilds[0].channels += [{id: "1200000000000000410", name: "den", type: 0, overwrites: [
      {role: "@everyone", deny: ["VIEW_CHANNEL"]}, {role: "keeper", allow: ["VIEW_CHANNEL"]},
      {role: "Sophia", allow: ["VIEW_CHANNEL"]}]}]' \
    "$top/tests/peers/discord/world.json" >"$BATS_TEST_TMPDIR/world.json"
  discord_start --world "$BATS_TEST_TMPDIR/world.json"
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
}

teardown() {
  discord_stop
}

# channel NAME-OR-ID [JQ] - as Discord has it now.
channel() {
  discord_rest GET "/guilds/$discord_guild/channels"
  jq -c --arg n "$1" ".[] | select(.name == \$n or .id == \$n) | ${2:-.}" <<<"$output"
}

# effects - what was changed so far.
effects() {
  discord_state '[.effects[].what] | join(" ")'
}

@test "a channel is made in a category, with its permissions" {
  in='{"name": "Big Tea", "category": "Quay", "topic": "hot", "slow_mode_s": 5}'
  look "$bob" create_channel "$in"
  valid_records <<<"$answer"
  says .text "make a text channel in the category Quay ($quay), with its permissions:
name: \"Big Tea\"
topic: \"hot\"
seconds between two messages: 5"
  says '[.guild, .destination, .targets[0].kind, .targets[0].id] | join(" ")' "$discord_guild $quay channel $quay"
  [ -z "$(effects)" ]
  make_it "$bob" create_channel "$in"
  valid_records <<<"$lines"
  id=$(channel big-tea .id | tr -d '"')
  says .summary "made <#$id>, #big-tea ($id)"
  says '.data | tostring' "{\"channel\":{\"id\":\"$id\",\"name\":\"big-tea\",\"mention\":\"<#$id>\"}}"
  [ "$(channel "$id" '[.parent_id, .topic, .rate_limit_per_user]')" = "[\"$quay\",\"hot\",5]" ]
  [ "$(effects)" = channel_created ]
}

@test "a private channel is seen by those who were named, and by Sophia" {
  make_it "$ada" create_channel '{"name": "vault", "private_to": ["@keeper", "<@1200000000000000202>"]}'
  [ "$(jq -r .text <<<"$proposal")" = "make a text channel:
name: \"vault\"
visible to nobody but @keeper ($keeper), @Bobby ($bob), Sophia and administrators" ]
  for who in ada bob sophia; do
    discord_do "{\"do\":\"may\",\"user\":\"$who\",\"channel\":\"vault\"}" | jq -e 'index("VIEW_CHANNEL")' >/dev/null
  done
  discord_do '{"do":"may","user":"robot","channel":"vault"}' | jq -e '. == []' >/dev/null
  make_it "$ada" create_category '{"name": "Vaults", "private_to": ["keeper"]}'
  says '.summary | startswith("made the category <#")' true
  [ "$(jq -r .targets <<<"$proposal")" = '[]' ] || [ "$(jq -r .targets <<<"$proposal")" = null ]
}

@test "what would fail is refused before anybody is asked, and says why" {
  refused "$bob" create_channel '{}' input 'name is missing'
  refused "$bob" create_channel '{"name": "   "}' input 'name is too short, or nothing but white space'
  refused "$bob" create_channel "{\"name\": \"$(printf 'x%.0s' {1..101})\"}" input 'name has 101 characters, and Discord takes 100'
  refused "$bob" create_channel '{"name": "x", "slow_mode_s": 21601}' input 'slow_mode_s is no number from 0 to 21600'
  refused "$bob" create_channel '{"name": "x", "user_limit": 5}' input 'such a channel has no user_limit'
  refused "$bob" create_channel '{"name": "x", "kind": "voice", "topic": "t"}' input 'such a channel has no topic'
  refused "$bob" create_channel '{"name": "x", "kind": "forum"}' refused 'only a server that is a community has forum channels'
  refused "$bob" create_channel '{"name": "x", "kind": "cave"}' input "'cave' is no kind of channel"
  refused "$bob" create_channel '{"name": "x", "category": "general"}' input 'general is no category'
  refused "$bob" create_channel '{"name": "x", "private_to": ["@everyone"]}' input "a channel for @everyone isn't private"
  refused "$bob" create_channel '{"name": "x", "private_to": ["nobody"]}' input "no member 'nobody'"
  refused "$bob" edit_channel '{"channel": "general"}' input 'nothing of #general would change'
  refused "$bob" edit_channel '{"channel": "general", "topic": "What the tide brings"}' input 'nothing of #general would change'
  refused "$bob" edit_channel '{"channel": "Quay", "topic": "t"}' input 'such a channel has no topic'
  refused "$bob" edit_channel '{"name": "x"}' input 'channel is missing'
  refused "$bob" move_channel '{"channel": "random"}' input 'random is there already'
  refused "$bob" move_channel '{"channel": "general", "before": "voice"}' input "#general and #voice don't stand in one list"
  refused "$bob" move_channel '{"channel": "general", "before": "random", "after": "random"}' input 'it is before or after, not both'
  refused "$bob" move_channel '{"channel": "general", "before": "general"}' input 'nothing stands beside itself'
  refused "$bob" move_channel '{"channel": "general", "category": "none", "before": "random"}' input '#random is in another category'
  refused "$bob" move_channel '{"channel": "news", "sync_permissions": true}' input 'without a category there are no permissions to take over'
  refused "$bob" move_channel '{"channel": "works"}' input 'works is no channel'
  refused "$bob" move_category '{"category": "general"}' input 'general is no category'
  refused "$bob" edit_channel_permissions '{"channel": "general", "allow": ["SEND_MESSAGES"]}' input 'it is for a role, or for a member: one of them'
  refused "$bob" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["send"]}' input "'send' is no permission; they are called as in SEND_MESSAGES"
  refused "$bob" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["CONNECT"], "deny": ["CONNECT"]}' input \
    'a permission is allowed, denied or reset, not two of it'
  refused "$bob" edit_channel_permissions '{"channel": "works", "role": "keeper", "allow": ["SEND_MESSAGES"]}' refused 'a thread has the permissions of its channel'
  [ -z "$(effects)" ]
}

@test "without the permission Sophia refuses by herself, and names what she lacks" {
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL","READ_MESSAGE_HISTORY"]}' >/dev/null
  refused "$ada" create_channel '{"name": "x"}' refused "Sophia lacks MANAGE_CHANNELS in Harbour ($discord_guild)"
  refused "$ada" create_category '{"name": "x"}' refused "Sophia lacks MANAGE_CHANNELS in Harbour ($discord_guild)"
  refused "$ada" edit_channel '{"channel": "general", "name": "x"}' refused "Sophia lacks MANAGE_CHANNELS in #general ($discord_channel)"
  refused "$ada" delete_channel '{"channel": "general"}' refused "Sophia lacks MANAGE_CHANNELS in #general ($discord_channel)"
  refused "$ada" delete_channel '{"channel": "works"}' refused 'Sophia lacks MANAGE_THREADS in #works (1200000000000000408)'
  refused "$ada" move_channel '{"channel": "general", "category": "none"}' refused "Sophia lacks MANAGE_CHANNELS in Harbour ($discord_guild)"
  refused "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "deny": ["SEND_MESSAGES"]}' refused \
    "Sophia lacks MANAGE_ROLES in #general ($discord_channel)"
  [ "$(discord_state '.statuses["403"] // 0')" = 0 ]
}

@test "a server, and a category, take only so many channels" {
  jq -cn '{do: "batch", orders: [range(48) | {do: "channel", name: "c\(.)", type: 0, parent: "Quay"}]}' |
    xargs -0 -I{} curl -sS -o /dev/null -d {} "$discord_control"
  refused "$bob" create_channel '{"name": "x", "category": "Quay"}' refused 'the category Quay is full: it has 50 channels'
  refused "$bob" move_channel '{"channel": "news", "category": "Quay"}' refused 'the category Quay is full: it has 50 channels'
  jq -cn '{do: "batch", orders: [range(445) | {do: "channel", name: "d\(.)", type: 0}]}' |
    xargs -0 -I{} curl -sS -o /dev/null -d {} "$discord_control"
  refused "$bob" create_channel '{"name": "x"}' refused 'the server is full: it has 500 channels and categories'
}

@test "a channel is changed: what was, and what it becomes, is shown" {
  in='{"channel": "<#1200000000000000402>", "name": "tavern", "topic": "", "slow_mode_s": 10, "age_restricted": true}'
  make_it "$bob" edit_channel "$in"
  [ "$(jq -r .text <<<"$proposal")" = "change #general ($discord_channel):
name: \"general\" -> \"tavern\"
topic: \"What the tide brings\" -> \"\"
seconds between two messages: 0 -> 10
age-restricted: no -> yes" ]
  [ "$(jq -r .destination <<<"$proposal")" = "$discord_channel" ]
  says .summary "changed <#$discord_channel>, #tavern ($discord_channel)"
  [ "$(channel tavern '[.topic, .rate_limit_per_user, .nsfw]')" = '["",10,true]' ]
  make_it "$bob" edit_channel '{"channel": "works", "name": "cranes"}'
  says '.data.channel.name' cranes
}

@test "a channel moves: to another category, in step with it, or to another place" {
  discord_do '{"do":"channel","name":"Deck","type":4,"overwrites":[{"role":"@everyone","deny":["EMBED_LINKS"]}]}' >/dev/null
  make_it "$bob" move_channel '{"channel": "general", "category": "Deck", "sync_permissions": true}'
  deck=$(channel Deck .id | tr -d '"')
  [ "$(jq -r .text <<<"$proposal")" = \
    "move #general ($discord_channel) from Quay ($quay) to Deck ($deck), with that one's permissions, to the end of the list" ]
  [ "$(jq -c '[.targets[].id]' <<<"$proposal")" = "[\"$discord_channel\",\"$deck\"]" ]
  [ "$(channel general '[.parent_id, (.permission_overwrites | length)]')" = "[\"$deck\",1]" ]
  says .summary "moved <#$discord_channel>, #general ($discord_channel)"
  make_it "$bob" move_channel '{"channel": "general", "category": "none"}'
  [ "$(channel general .parent_id)" = null ]
  make_it "$bob" move_channel '{"channel": "general", "before": "random"}'
  [ "$(jq -r '.text | split("to Quay")[1]' <<<"$proposal")" = " ($quay), with the permissions that it has, before #random ($random)" ]
  order() { discord_rest GET "/guilds/$discord_guild/channels"; jq -c --arg q "$quay" '[sort_by(.position)[] | select(.parent_id == $q).name]' <<<"$output"; }
  [ "$(order)" = '["general","random"]' ]
  make_it "$bob" move_channel '{"channel": "general", "after": "random"}'
  [ "$(order)" = '["random","general"]' ]
  make_it "$bob" move_category '{"category": "Deck", "before": "Quay"}'
  [ "$(jq -r .text <<<"$proposal")" = "move Deck ($deck), before Quay ($quay)" ]
  discord_rest GET "/guilds/$discord_guild/channels"
  [ "$(jq -c '[sort_by(.position)[] | select(.type == 4).name]' <<<"$output")" = '["Deck","Quay"]' ]
}

@test "what goes along with a deletion is listed, and is a target" {
  make_it "$bob" delete_channel '{"channel": "general"}'
  [ "$(jq -r .text <<<"$proposal")" = "delete the channel #general ($discord_channel) for good, with all that was said in it, and with its threads: #works (1200000000000000408)" ]
  [ "$(jq -c '.targets[0] | [.id, .above, .below]' <<<"$proposal")" = "[\"$discord_channel\",[\"$quay\"],[\"1200000000000000408\"]]" ]
  [ -z "$(channel general)" ]
  says .summary "deleted <#$discord_channel>, #general ($discord_channel)"
  where=$random make_it "$bob" delete_channel '{"channel": "Quay"}'
  [ "$(jq -r .text <<<"$proposal")" = "delete the category Quay ($quay); its channels stay, without a category: #random ($random)" ]
  [ "$(jq -c '.targets[0].below' <<<"$proposal")" = "[\"$random\"]" ]
  [ "$(channel random .parent_id)" = null ]
}

@test "a community keeps the channels that it needs" {
  discord_do "$(jq -cn --arg r "$random" '{do: "guild", id: "1200000000000000009", name: "Commons", owner: "ada",
    roles: [{name: "@everyone", permissions: ["VIEW_CHANNEL", "MANAGE_CHANNELS", "READ_MESSAGE_HISTORY"]}],
    members: [{user: "sophia"}, {user: "ada"}], channels: [{id: "1200000000000000008", name: "rules"}, {id: "1200000000000000007", name: "hall"}],
    more: {features: ["COMMUNITY"], rules_channel_id: "1200000000000000008"}}')" >/dev/null
  sophia-settings set discord.guilds "$discord_guild,1200000000000000009" >/dev/null
  discord_guild=1200000000000000009 discord_channel=1200000000000000007
  refused "$ada" delete_channel '{"channel": "rules"}' refused "a community can't do without #rules: Discord keeps it"
  make_it "$ada" create_channel '{"name": "posts", "kind": "forum", "topic": "t"}'
  says '.data.channel.name' posts
}

@test "permissions of a role in a channel: allowed, denied, and forgotten" {
  make_it "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["MANAGE_MESSAGES"], "deny": ["ATTACH_FILES"]}'
  [ "$(jq -r .text <<<"$proposal")" = "change what @keeper ($keeper) may do in #general ($discord_channel)
allow: MANAGE_MESSAGES
deny: ATTACH_FILES" ]
  [ "$(jq -c '[.targets[] | .kind + .id]' <<<"$proposal")" = "[\"channel$discord_channel\",\"role$keeper\"]" ]
  says .summary "changed the permissions in <#$discord_channel>, #general ($discord_channel)"
  [ "$(channel general '.permission_overwrites')" = "[{\"id\":\"$keeper\",\"type\":0,\"allow\":\"8192\",\"deny\":\"32768\"}]" ]
  make_it "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "reset": ["MANAGE_MESSAGES", "ATTACH_FILES"]}'
  [ "$(channel general .permission_overwrites)" = '[]' ]
  make_it "$ada" edit_channel_permissions '{"channel": "general", "member": "eve", "deny": ["SEND_MESSAGES"]}'
  [ "$(channel general '.permission_overwrites[0].type')" = 1 ]
}

@test "of a category that changes, the channels that are in step with it are targets" {
  make_it "$ada" edit_channel_permissions '{"channel": "Quay", "role": "@everyone", "deny": ["EMBED_LINKS"]}'
  [ "$(jq -r .text <<<"$proposal")" = "change what @everyone ($discord_guild) may do in Quay ($quay), and in its channels that are in step with it
deny: EMBED_LINKS" ]
  [ "$(jq -c '.targets[0].below' <<<"$proposal")" = "[\"$discord_channel\",\"$random\",\"1200000000000000408\"]" ]
  [ "$(channel random '.permission_overwrites[0].deny')" = '"16384"' ]
}

@test "nobody gets in a channel, by asking Sophia, what they couldn't give" {
  # bob may not manage messages; and Sophia may not ban
  refused "$bob" edit_channel_permissions "{\"channel\": \"general\", \"member\": \"<@$bob>\", \"allow\": [\"MANAGE_MESSAGES\"]}" denied \
    "others would get by it what whoever asks doesn't have: MANAGE_MESSAGES"
  refused "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["BAN_MEMBERS"]}' refused \
    "Sophia can't allow or deny BAN_MEMBERS"
  refused "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["MANAGE_ROLES"]}' refused \
    "Sophia can't allow or deny MANAGE_ROLES"
  # what is denied to bob is not his to allow again
  discord_do "{\"do\":\"overwrite\",\"channel\":\"general\",\"member\":\"bob\",\"deny\":[\"SEND_MESSAGES\"]}"
  refused "$bob" edit_channel_permissions "{\"channel\": \"general\", \"member\": \"<@$bob>\", \"reset\": [\"SEND_MESSAGES\"]}" denied \
    "others would get by it what whoever asks doesn't have: SEND_MESSAGES"
  # nor by taking over the permissions of a category
  discord_do "{\"do\":\"channel\",\"name\":\"Free\",\"type\":4}" >/dev/null
  refused "$bob" move_channel '{"channel": "general", "category": "Free", "sync_permissions": true}' denied \
    "others would get by it what whoever asks doesn't have: SEND_MESSAGES"
  [ -z "$(effects)" ]
}

@test "a channel that whoever asks can't see is exactly like one that is not there" {
  for ask in 'edit_channel {"channel":"X","name":"y"}' 'delete_channel {"channel":"X"}' 'move_channel {"channel":"X","category":"Quay"}' \
    'edit_channel_permissions {"channel":"X","role":"keeper","deny":["SEND_MESSAGES"]}' 'create_channel {"name":"y","category":"X"}' \
    'move_channel {"channel":"random","after":"X"}'; do
    for x in den "$den" "<#$den>" secret "$secret"; do
      refused "$bob" "${ask%% *}" "$(sed "s/X/$x/" <<<"${ask#* }")" input "no channel or thread '$x'"
    done
    refused "$bob" "${ask%% *}" "$(sed "s/X/nowhere/" <<<"${ask#* }")" input "no channel or thread 'nowhere'"
  done
  look "$eve" delete_channel '{"channel": "den"}'
  says .type proposal
  visibility=public refused "$eve" delete_channel '{"channel": "den"}' input "no channel or thread 'den'"
}

@test "only what was proposed is done: a name is not looked up again" {
  look "$bob" delete_channel '{"channel": "random"}'
  proposal=$answer
  discord_do '{"do":"channel","channel":"random","name":"old"}' >/dev/null
  discord_do '{"do":"channel","channel":"general","name":"random"}' >/dev/null
  act "$bob" delete_channel '{"channel": "random"}'
  says .summary "deleted <#$random>, #random ($random)"
  [ "$(channel "$discord_channel" .name)" = '"random"' ]
}

@test "between the proposal and the act rights may go, and permissions change" {
  in='{"channel": "den", "member": "robot", "allow": ["VIEW_CHANNEL"]}'
  look "$eve" edit_channel_permissions "$in"
  proposal=$answer
  discord_do '{"do":"member","user":"eve","roles":[]}' >/dev/null
  act "$eve" edit_channel_permissions "$in"
  says '"\(.kind) \(.effect) \(.text)"' 'denied none whoever asked for it may not see that channel any more'
  discord_do '{"do":"member","user":"eve","roles":["keeper"]}' >/dev/null
  discord_do '{"do":"overwrite","channel":"den","member":"robot","deny":["SEND_MESSAGES"]}'
  act "$eve" edit_channel_permissions "$in"
  says '"\(.kind) \(.effect) \(.text)"' 'refused none these permissions have been changed since it was proposed'
  look "$bob" create_channel '{"name": "x", "category": "Quay"}'
  proposal=$answer
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL"]}' >/dev/null
  act "$bob" create_channel '{"name": "x", "category": "Quay"}'
  says '"\(.kind) \(.effect)"' 'refused none'
  [ -z "$(effects)" ]
}

@test "an act without its plan does nothing" {
  for tool in create_channel edit_channel move_channel delete_channel edit_channel_permissions; do
    asked "$ada" act $tool '{"channel": "general", "name": "x"}' "{\"nonce\": \"$nonce\"}" | sophia-guild --serve >"$BATS_TEST_TMPDIR/out"
    [ "$(jq -r '"\(.kind) \(.effect)"' "$BATS_TEST_TMPDIR/out")" = 'refused none' ] || { cat "$BATS_TEST_TMPDIR/out"; false; }
  done
  [ -z "$(effects)" ]
}

@test "names that pretend to be something else are shown as what they are" {
  discord_do "$(jq -cn '{do: "channel", name: "x\u202e\u001b[2J\n(1200000000000000404)", type: 4}')" >/dev/null
  id=$(discord_rest GET "/guilds/$discord_guild/channels"; jq -r '.[-1].id' <<<"$output")
  look "$bob" delete_channel "{\"channel\": \"$id\"}"
  says .text "delete the category x??[2J?(1200000000000000404) ($id)"
  look "$bob" edit_channel "$(jq -cn '{channel: "general", topic: "a\nname: \"general\" -> \"x\""}')"
  says .text "change #general ($discord_channel):
topic: \"What the tide brings\" -> \"a?name: \"general\" -> \"x\"\""
}

@test "whatever is lost on the way back is unknown, and never done again" {
  for try in 'create_channel {"name":"lost"} POST_/guilds' 'edit_channel {"channel":"random","name":"found"} PATCH_/channels' \
    'move_channel {"channel":"random","category":"none"} PATCH_/guilds'; do
    read -r tool in route <<<"$try"
    discord_do "{\"do\":\"rest\",\"what\":\"lost\",\"route\":\"${route/_/ }\"}"
    make_it "$bob" "$tool" "$in"
    says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
    discord_do '{"do":"channel","channel":"'$random'","name":"random"}' >/dev/null
  done
  [ "$(effects)" = 'channel_created channel_edited channels_moved' ]
}

# lost ROUTE, reset ROUTE - the next such request is done, or isn't, and nobody
# hears of it.
lost() { discord_do "{\"do\":\"rest\",\"what\":\"lost\",\"route\":\"$1\"}"; }
reset() { discord_do "{\"do\":\"rest\",\"what\":\"reset\",\"route\":\"$1\"}"; }

# in_doubt ACTOR CAPABILITY ARGUMENTS - make it, and be told that nobody knows.
in_doubt() {
  make_it "$@"
  says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
  recorded unknown "$@"
}

@test "whether a channel was made: by the audit log, or by what has appeared" {
  lost 'POST /guilds'
  in_doubt "$bob" create_channel '{"name": "Big Tea"}'
  id=$(channel big-tea .id | tr -d '"')
  verifies "$bob" done "$id has appeared since" true
  call=2 nonce=1123456789abcdefghijklmno
  reset 'POST /guilds'
  in_doubt "$bob" create_channel '{"name": "Small Tea"}'
  verifies "$bob" unclear 'something else has appeared since' false # big-tea
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL","MANAGE_CHANNELS","VIEW_AUDIT_LOG"]}' >/dev/null
  verifies "$bob" 'not done' 'it is as it was' true
  call=3 nonce=2123456789abcdefghijklmno
  lost 'POST /guilds'
  in_doubt "$bob" create_category '{"name": "Teas"}'
  verifies "$bob" done "the audit log has that $(channel Teas .id | tr -d '"') was made by this call" true
  valid_records <<<"$answer"
}

@test "whether a channel was changed, moved, deleted" {
  lost 'PATCH /channels'
  in_doubt "$bob" edit_channel '{"channel": "random", "name": "At Random", "slow_mode_s": 5}'
  verifies "$bob" done 'it is as it should have become' true
  call=2 nonce=1123456789abcdefghijklmno
  reset 'PATCH /channels'
  in_doubt "$bob" edit_channel '{"channel": "at-random", "name": "elsewhere", "slow_mode_s": 9}'
  discord_do "{\"do\":\"channel\",\"channel\":\"$random\",\"name\":\"third\"}" >/dev/null
  verifies "$bob" unclear 'it is neither as it was nor as it should have become' false
  discord_do "{\"do\":\"channel\",\"channel\":\"$random\",\"name\":\"at-random\"}" >/dev/null
  verifies "$bob" 'not done' 'it is as it was' true
  call=3 nonce=2123456789abcdefghijklmno
  lost 'PATCH /guilds'
  in_doubt "$bob" move_channel '{"channel": "at-random", "category": "none"}'
  verifies "$bob" done 'it is as it should have become' true
  call=4 nonce=3123456789abcdefghijklmno
  reset 'PATCH /guilds'
  in_doubt "$bob" move_channel '{"channel": "at-random", "category": "Quay", "before": "general"}'
  verifies "$bob" 'not done' 'it is as it was' true
}

@test "whether it was deleted; and what Sophia isn't shown is no evidence" {
  look "$bob" delete_channel '{"channel": "random"}'
  proposal=$answer
  recorded unknown "$bob" delete_channel '{"channel": "random"}'
  discord_do '{"do":"overwrite","channel":"random","role":"Sophia","deny":["VIEW_CHANNEL"]}'
  verifies "$bob" unclear "Discord doesn't show it: 50001 Missing Access" false
  discord_do '{"do":"overwrite","channel":"random","role":"Sophia","remove":true}'
  verifies "$bob" 'not done' 'it is as it was' true
  call=2 nonce=1123456789abcdefghijklmno
  recorded unknown "$bob" delete_channel '{"channel": "random"}'
  discord_do '{"do":"channel","channel":"random","remove":true}' >/dev/null
  verifies "$bob" done 'it is as it should have become' true
}

@test "what may still arrive is not settled" {
  look "$bob" edit_channel '{"channel": "random", "name": "late"}'
  proposal=$answer
  begun_ms=0 recorded unknown "$bob" edit_channel '{"channel": "random", "name": "late"}'
  verifies "$bob" unclear 'it is as it was; it may still arrive: look again in half a minute' false
}

@test "whether permissions were changed" {
  look "$ada" edit_channel_permissions '{"channel": "general", "role": "keeper", "allow": ["MANAGE_MESSAGES"]}'
  proposal=$answer
  recorded unknown "$ada" edit_channel_permissions '{}'
  verifies "$ada" 'not done' 'it is as it was' true
  call=2 nonce=1123456789abcdefghijklmno
  recorded unknown "$ada" edit_channel_permissions '{}'
  discord_do '{"do":"overwrite","channel":"general","role":"keeper","allow":["SPEAK"]}'
  verifies "$ada" unclear 'it is neither as it was nor as it should have become' false
  discord_do '{"do":"overwrite","channel":"general","role":"keeper","allow":["MANAGE_MESSAGES"]}'
  verifies "$ada" done 'it is as it should have become' true
}
