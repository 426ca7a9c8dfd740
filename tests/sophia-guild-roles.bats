load helper
load discord
load changes

keeper=1200000000000000301
hers=1200000000000000302 # Sophia's role
tea=1200000000000000310
captain=1200000000000000311 # above Sophia
robot=1200000000000000204

# bob has tea; ada owns the server; eve administers it; in the hold tea may
# come in, and nobody with tea may speak in the library.
setup() {
  state_folder
  jq '.guilds[0].roles[2].permissions += ["MANAGE_CHANNELS", "MANAGE_ROLES", "MANAGE_MESSAGES", "PIN_MESSAGES", "ADMINISTRATOR"]
    | .guilds[0].roles[2].position = 10
    | .guilds[0].roles += [
      {id: "1200000000000000310", name: "tea", color: 255},
      {id: "1200000000000000311", name: "captain", position: 11},
      {id: "1200000000000000312", name: "admin", permissions: ["ADMINISTRATOR"]},
      {id: "1200000000000000313", name: "beer"}]
    | .guilds[0].members[2].roles = ["tea"]
    | .guilds[0].members[3].roles = ["admin"]
    | .guilds[0].channels += [
      {id: "1200000000000000410", name: "hold", type: 0, overwrites: [
        {role: "@everyone", deny: ["VIEW_CHANNEL"]}, {role: "beer", allow: ["VIEW_CHANNEL"]}]},
      {id: "1200000000000000411", name: "library", type: 0, overwrites: [{role: "tea", deny: ["SEND_MESSAGES"]}]}]' \
    "$top/tests/peers/discord/world.json" >"$BATS_TEST_TMPDIR/world.json"
  discord_start --world "$BATS_TEST_TMPDIR/world.json"
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
}

teardown() {
  discord_stop
}

# role NAME-OR-ID [JQ] - as Discord has it now.
role() {
  discord_rest GET "/guilds/$discord_guild/roles"
  jq -c --arg n "$1" ".[] | select(.name == \$n or .id == \$n) | ${2:-.}" <<<"$output"
}

# roles_of USER - the names of all that somebody has.
roles_of() {
  discord_rest GET "/guilds/$discord_guild/members/$1"
  jq -c '.roles | sort' <<<"$output"
}

effects() {
  discord_state '[.effects[].what] | join(" ")'
}

@test "a role is made, without any permission that wasn't asked for" {
  in='{"name": "Coffee", "color": "#3498db", "mentionable": true}'
  look "$bob" create_role "$in"
  valid_records <<<"$answer"
  says .text 'make a role:
name: "Coffee"
colour: #3498db
can be mentioned by all: yes
permissions: nothing'
  [ -z "$(effects)" ]
  make_it "$bob" create_role "$in"
  valid_records <<<"$lines"
  id=$(role Coffee .id | tr -d '"')
  says .summary "made the role <@&$id>, @Coffee ($id)"
  says '.data | tostring' "{\"role\":{\"id\":\"$id\",\"name\":\"Coffee\",\"mention\":\"<@&$id>\"}}"
  [ "$(role Coffee '[.permissions, .color, .mentionable, .hoist]')" = '["0",3447003,true,false]' ]
}

@test "a role's name and look are changed, and shown as they were" {
  make_it "$bob" edit_role '{"role": "@tea", "name": "Green Tea", "color": "#00ff00", "apart_in_list": true}'
  [ "$(jq -r .text <<<"$proposal")" = "change the role @tea ($tea)
name: \"tea\" -> \"Green Tea\"
colour: #0000ff -> #00ff00
apart in the list of members: no -> yes" ]
  [ "$(jq -c '[.targets[] | .kind + .id]' <<<"$proposal")" = "[\"role$tea\"]" ]
  says .summary "changed the role <@&$tea>, @Green Tea ($tea)"
  [ "$(role "$tea" '[.name, .color, .hoist, .permissions]')" = '["Green Tea",65280,true,"0"]' ]
}

@test "a role's permissions are changed by what both may do" {
  make_it "$ada" edit_role_permissions '{"role": "keeper", "add": ["VIEW_AUDIT_LOG"], "remove": ["PIN_MESSAGES"]}'
  [ "$(jq -r .text <<<"$proposal")" = "change the permissions of @keeper ($keeper)
add: VIEW_AUDIT_LOG
remove: PIN_MESSAGES
then it has: VIEW_AUDIT_LOG, MANAGE_MESSAGES" ]
  [ "$(role keeper .permissions)" = '"8320"' ]
  says .summary "changed the permissions of <@&$keeper>, @keeper ($keeper)"
  make_it "$ada" edit_role_permissions '{"role": "@everyone", "remove": ["ATTACH_FILES"]}'
  [ "$(jq -c '.targets[0].id' <<<"$proposal")" = "\"$discord_guild\"" ]
}

@test "a role is deleted, for everybody" {
  make_it "$eve" delete_role '{"role": "tea"}'
  [ "$(jq -r .text <<<"$proposal")" = "delete the role @tea ($tea), for everybody who has it and in every channel" ]
  says .summary "deleted the role <@&$tea>, @tea ($tea)"
  [ -z "$(role tea)" ]
  [ "$(roles_of "$bob")" = '[]' ]
}

@test "roles are given and taken, one request for each" {
  in='{"members": ["Bobby", "<@1200000000000000204>"], "add": ["keeper", "beer"], "remove": ["tea"]}'
  look "$ada" manage_member_roles "$in"
  valid_records <<<"$answer"
  says .text 'give or take roles, 5 changes in all'
  says '[.items[] | "\(.n) \(.category): \(.text)"] | join("|")' "1 take @tea ($tea): take @tea ($tea) from Bobby ($bob)|2 give @keeper ($keeper): give @keeper ($keeper) to Bobby ($bob)|3 give @beer (1200000000000000313): give @beer (1200000000000000313) to Bobby ($bob)|4 give @keeper ($keeper): give @keeper ($keeper) to robot ($robot)|5 give @beer (1200000000000000313): give @beer (1200000000000000313) to robot ($robot)"
  says '[.targets[] | .kind + .id] | join(" ")' "role$tea role$keeper role1200000000000000313 member$bob member$robot"
  make_it "$ada" manage_member_roles "$in"
  valid_records <<<"$lines"
  [ "$(jq -r 'select(.type == "part") | "\(.n) \(.state)"' <<<"$lines" | paste -sd' ')" = \
    '1 intent 1 succeeded 2 intent 2 succeeded 3 intent 3 succeeded 4 intent 4 succeeded 5 intent 5 succeeded' ]
  says .summary "took <@&$tea> from <@$bob>, gave <@&$keeper> to <@$bob>, gave <@&1200000000000000313> to <@$bob>, gave <@&$keeper> to <@$robot>, gave <@&1200000000000000313> to <@$robot>"
  says '.data.done | length' 5
  says '.data.done[0] | "\(.change) \(.role.mention) \(.member.mention)"' "taken <@&$tea> <@$bob>"
  [ "$(roles_of "$bob")" = "[\"$keeper\",\"1200000000000000313\"]" ]
  [ "$(effects)" = 'role_taken role_given role_given role_given role_given' ]
}

@test "of several changes only those that were approved are made" {
  in='{"members": ["bob", "robot"], "add": ["keeper"]}'
  make_it "$ada" manage_member_roles "$in" '{"only": [2]}'
  says '[.data.done[].member.id] | tostring' "[\"$robot\"]"
  [ "$(roles_of "$bob")" = "[\"$tea\"]" ]
  [ "$(discord_state '.effects | length')" = 1 ]
}

@test "a lone change is proposed and made as one" {
  make_it "$ada" manage_member_roles '{"members": ["bob"], "add": ["keeper", "tea"]}'
  [ "$(jq -r '"\(.text) \(.items)"' <<<"$proposal")" = "give @keeper ($keeper) to Bobby ($bob) null" ]
  [ "$(jq -s 'map(select(.type == "part")) | length' <<<"$lines")" = 0 ]
  says .summary "gave <@&$keeper> to <@$bob>"
}

@test "what would fail is refused before anybody is asked, and says why" {
  refused "$ada" create_role '{}' input 'name is missing'
  refused "$ada" create_role '{"name": "x", "color": "red"}' input 'color is not written like #3498db'
  refused "$ada" create_role '{"name": "x", "color": "#12345g"}' input 'color is not written like #3498db'
  refused "$ada" create_role "{\"name\": \"$(printf 'x%.0s' {1..101})\"}" input 'name has 101 characters, and Discord takes 100'
  refused "$ada" create_role '{"name": "x", "permissions": ["GODMODE"]}' input "'GODMODE' is no permission; they are called as in SEND_MESSAGES"
  refused "$ada" edit_role '{"name": "x"}' input 'role is missing'
  refused "$ada" edit_role '{"role": "nobody", "name": "x"}' input "no role 'nobody'"
  refused "$ada" edit_role '{"role": "tea"}' input 'nothing of the role would change'
  refused "$ada" edit_role '{"role": "everyone", "name": "x"}' refused '@everyone has nothing but permissions'
  refused "$ada" edit_role '{"role": "captain", "name": "x"}' refused "the role captain stands above Sophia's highest one, Sophia"
  refused "$ada" edit_role '{"role": "Sophia", "name": "x"}' refused "the role Sophia is Sophia's own highest one"
  refused "$ada" edit_role_permissions '{"role": "captain", "add": ["SPEAK"]}' refused "the role captain stands above Sophia's highest one, Sophia"
  refused "$ada" edit_role_permissions '{"role": "tea", "add": ["SPEAK"], "remove": ["SPEAK"]}' input 'a permission is added or removed, not both'
  refused "$ada" edit_role_permissions '{"role": "tea", "remove": ["SPEAK"]}' input 'nothing of the role would change'
  refused "$ada" delete_role '{"role": "@everyone"}' refused 'everybody has @everyone, always'
  refused "$ada" delete_role '{"role": "captain"}' refused "the role captain stands above Sophia's highest one, Sophia"
  refused "$ada" manage_member_roles '{"members": ["bob"], "add": ["captain"]}' refused "the role captain stands above Sophia's highest one, Sophia"
  refused "$ada" manage_member_roles '{"members": ["bob"], "add": ["Sophia"]}' refused 'the role Sophia is managed by an integration, not by hand'
  refused "$ada" manage_member_roles '{"members": ["bob"], "add": ["everyone"]}' refused 'everybody has @everyone, always'
  refused "$ada" manage_member_roles '{"members": ["bob"], "add": ["tea"]}' input 'they all have, and lack, just these roles already'
  refused "$ada" manage_member_roles '{"members": ["bob"]}' input 'they all have, and lack, just these roles already'
  refused "$ada" manage_member_roles '{"members": [], "add": ["tea"]}' input 'members names 1 to 20 people'
  refused "$ada" manage_member_roles '{"members": ["bob", "<@1200000000000000202>"], "add": ["beer"]}' input 'Bobby is named twice'
  refused "$ada" manage_member_roles '{"members": ["bob"], "add": ["beer"], "remove": ["beer"]}' input 'beer is named twice'
  refused "$ada" manage_member_roles '{"members": ["ghost"], "add": ["beer"]}' input "no member 'ghost'"
  [ -z "$(effects)" ]
  jq -cn '{do: "batch", orders: [range(243) | {do: "role", name: "r\(.)"}]}' |
    xargs -0 -I{} curl -sS -o /dev/null -d {} "$discord_control"
  refused "$ada" create_role '{"name": "x"}' refused 'the server is full: it has 250 roles'
}

@test "a role managed by an integration isn't deleted by hand" {
  discord_do '{"do":"role","name":"booster","permissions":[],"managed_by":"robot","position":1}' >/dev/null
  refused "$ada" delete_role '{"role": "booster"}' refused 'the role booster is managed by an integration, not by hand'
}

@test "without the permission Sophia refuses by herself" {
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL","MANAGE_ROLES"]}' >/dev/null
  refused "$ada" create_role '{"name": "x", "permissions": ["VIEW_CHANNEL", "BAN_MEMBERS"]}' refused \
    'a role gets no more than Sophia has, and she lacks BAN_MEMBERS'
  refused "$ada" edit_role_permissions '{"role": "tea", "add": ["ADMINISTRATOR"]}' refused \
    'a role gets no more than Sophia has, and she lacks ADMINISTRATOR'
  discord_do '{"do":"role","role":"Sophia","permissions":["VIEW_CHANNEL"]}' >/dev/null
  for try in 'create_role {"name":"x"}' 'edit_role {"role":"tea","name":"x"}' 'edit_role_permissions {"role":"tea","add":["SPEAK"]}' \
    'delete_role {"role":"tea"}' 'manage_member_roles {"members":["bob"],"add":["beer"]}'; do
    refused "$ada" "${try%% *}" "${try#* }" refused "Sophia lacks MANAGE_ROLES in Harbour ($discord_guild)"
  done
  [ "$(discord_state '.statuses["403"] // 0')" = 0 ]
}

@test "privileges don't escalate: nobody gives what they haven't got" {
  lacks="others would get by it what whoever asks doesn't have:"
  # bob, who has no rights but everybody's, through Sophia, who has all
  refused "$bob" create_role '{"name": "x", "permissions": ["ADMINISTRATOR"]}' denied "$lacks ADMINISTRATOR"
  refused "$bob" create_role '{"name": "x", "permissions": ["SEND_MESSAGES", "KICK_MEMBERS"]}' denied "$lacks KICK_MEMBERS"
  refused "$bob" edit_role_permissions '{"role": "tea", "add": ["MANAGE_ROLES"]}' denied "$lacks MANAGE_ROLES"
  refused "$bob" edit_role_permissions '{"role": "@everyone", "add": ["MANAGE_GUILD"]}' denied "$lacks MANAGE_GUILD"
  refused "$bob" manage_member_roles "{\"members\": [\"<@$bob>\"], \"add\": [\"admin\"]}" denied "$lacks ADMINISTRATOR"
  refused "$bob" manage_member_roles '{"members": ["robot"], "add": ["keeper"]}' denied "$lacks MANAGE_MESSAGES, PIN_MESSAGES"
  # a role that opens a channel which is closed to him
  refused "$bob" manage_member_roles "{\"members\": [\"<@$bob>\"], \"add\": [\"beer\"]}" denied "$lacks VIEW_CHANNEL"
  # one that keeps him silent is not his to lose, nor to delete
  refused "$bob" manage_member_roles "{\"members\": [\"<@$bob>\"], \"remove\": [\"tea\"]}" denied "$lacks SEND_MESSAGES"
  refused "$bob" delete_role '{"role": "tea"}' denied "$lacks SEND_MESSAGES"
  [ -z "$(effects)" ]
  # what he has, he may give
  look "$bob" create_role '{"name": "x", "permissions": ["SEND_MESSAGES"]}'
  says .type proposal
  # the owner and an administrator may give all
  for who in "$ada" "$eve"; do
    look "$who" manage_member_roles '{"members": ["bob"], "add": ["admin", "beer"], "remove": ["tea"]}'
    says .type proposal
  done
  # a time-out counts
  discord_do '{"do":"member","user":"bob","timeout_until":"2099-01-01T00:00:00Z"}' >/dev/null
  refused "$bob" create_role '{"name": "x", "permissions": ["SEND_MESSAGES"]}' denied "$lacks SEND_MESSAGES"
}

@test "between the proposal and the act rights may go" {
  look "$eve" manage_member_roles '{"members": ["bob"], "add": ["admin"]}'
  proposal=$answer
  discord_do '{"do":"member","user":"eve","roles":[]}' >/dev/null
  act "$eve" manage_member_roles '{}'
  says '"\(.kind) \(.effect) \(.text)"' "denied none others would get by it what whoever asks doesn't have: ADMINISTRATOR"
  [ -z "$(effects)" ]
}

@test "a role that got more since it was proposed is not given" {
  look "$bob" manage_member_roles '{"members": ["robot"], "add": ["quiet"]}'
  says '"\(.kind) \(.text)"' "input no role 'quiet'"
  discord_do '{"do":"role","name":"quiet","permissions":[],"position":1}' >/dev/null
  look "$bob" manage_member_roles '{"members": ["robot"], "add": ["quiet"]}'
  proposal=$answer
  discord_do '{"do":"role","role":"quiet","permissions":["KICK_MEMBERS"]}' >/dev/null
  act "$bob" manage_member_roles '{}'
  says '"\(.kind) \(.effect) \(.text)"' "denied none others would get by it what whoever asks doesn't have: KICK_MEMBERS"
  look "$ada" edit_role_permissions '{"role": "quiet", "add": ["SPEAK"]}'
  proposal=$answer
  discord_do '{"do":"role","role":"quiet","permissions":["BAN_MEMBERS"]}' >/dev/null
  act "$ada" edit_role_permissions '{}'
  says '"\(.kind) \(.effect) \(.text)"' 'refused none the role has been changed since it was proposed'
  look "$bob" create_role '{"name": "x", "permissions": ["SEND_MESSAGES"]}'
  proposal=$answer
  discord_do '{"do":"role","role":"@everyone","permissions":["VIEW_CHANNEL"]}' >/dev/null
  act "$bob" create_role '{}'
  says '"\(.kind) \(.effect)"' 'denied none'
  look "$ada" delete_role '{"role": "quiet"}'
  proposal=$answer
  discord_do '{"do":"role","role":"quiet","remove":true}' >/dev/null
  act "$ada" delete_role '{}'
  says '"\(.kind) \(.effect) \(.text)"' "refused none the role isn't there any more"
  [ -z "$(effects)" ]
}

@test "of several changes one may fail: what is done is told, and the rest isn't tried" {
  discord_do '{"do":"rest","what":"status","status":403,"body":{"code":50013,"message":"Missing Permissions"},"route":"PUT /guilds","after":1}' >/dev/null
  make_it "$ada" manage_member_roles '{"members": ["bob", "robot", "ada"], "add": ["beer"]}'
  says '"\(.type) \(.ok) \([.data.done[].member.id] | tostring)"' "result false [\"$bob\"]"
  says '.summary | startswith("gave <@&1200000000000000313> to <@'"$bob"'>; not all was done: ")' true
  [ "$(jq -r 'select(.type == "part" and .state == "failed").n' <<<"$lines")" = 2 ]
  [ "$(discord_state '.effects | length')" = 1 ]
}

@test "whatever is lost on the way back is unknown, and never done again" {
  for try in 'create_role {"name":"lost"} POST_/guilds' 'edit_role {"role":"tea","name":"found"} PATCH_/guilds'; do
    read -r tool in route <<<"$try"
    discord_do "{\"do\":\"rest\",\"what\":\"lost\",\"route\":\"${route/_/ }\"}"
    make_it "$ada" "$tool" "$in"
    says '"\(.type) \(.kind) \(.effect)"' 'error unknown unknown'
  done
  [ "$(effects)" = 'role_created role_edited' ]
}

@test "names that pretend to be something else are shown as what they are" {
  discord_do "$(jq -cn '{do: "role", name: "tea (1200000000000000310)\n\u202eadmin", permissions: [], position: 1}')" >/dev/null
  id=$(discord_rest GET "/guilds/$discord_guild/roles"; jq -r '.[-1].id' <<<"$output")
  look "$ada" delete_role "{\"role\": \"$id\"}"
  says .text "delete the role @tea (1200000000000000310)??admin ($id), for everybody who has it and in every channel"
}

@test "whether a role was made, changed, deleted" {
  look "$ada" create_role '{"name": "Milk"}'
  proposal=$answer
  recorded unknown "$ada" create_role '{}'
  verifies "$ada" 'not done' 'it is as it was' true
  call=2 nonce=1123456789abcdefghijklmno
  discord_do '{"do":"rest","what":"lost","route":"POST /guilds"}'
  make_it "$ada" create_role '{"name": "Milk"}'
  recorded unknown "$ada" create_role '{}'
  id=$(role Milk .id | tr -d '"')
  verifies "$ada" done "the audit log has that $id was made by this call" true

  call=3 nonce=2123456789abcdefghijklmno
  look "$ada" edit_role_permissions '{"role": "Milk", "add": ["SPEAK"]}'
  proposal=$answer
  recorded unknown "$ada" edit_role_permissions '{}'
  discord_do '{"do":"role","role":"Milk","permissions":["STREAM"]}' >/dev/null
  verifies "$ada" unclear 'it is neither as it was nor as it should have become' false
  discord_do '{"do":"role","role":"Milk","permissions":["SPEAK"]}' >/dev/null
  verifies "$ada" done 'it is as it should have become' true

  call=4 nonce=3123456789abcdefghijklmno
  look "$ada" delete_role '{"role": "Milk"}'
  proposal=$answer
  recorded unknown "$ada" delete_role '{}'
  verifies "$ada" 'not done' 'it is as it was' true
  call=5 nonce=4123456789abcdefghijklmno
  recorded unknown "$ada" delete_role '{}'
  discord_do '{"do":"role","role":"Milk","remove":true}' >/dev/null
  verifies "$ada" done 'it is as it should have become' true
}

@test "whether roles were given: all of them, none, or only some" {
  look "$ada" manage_member_roles '{"members": ["bob", "robot", "eve"], "add": ["beer"]}'
  proposal=$answer
  recorded unknown "$ada" manage_member_roles '{}' '[1,2]'
  discord_do '{"do":"member","user":"bob","roles":["tea","beer"]}' >/dev/null
  verifies "$ada" unclear '1 of 2 changes are made; it is neither as it was nor as it should have become' false
  discord_do '{"do":"member","user":"robot","roles":["beer"]}' >/dev/null
  verifies "$ada" done '2 of 2 changes are made; it is as it should have become' true
  call=2 nonce=1123456789abcdefghijklmno
  recorded unknown "$ada" manage_member_roles '{}' '[3]'
  verifies "$ada" 'not done' '0 of 1 changes are made; it is as it was' true
}

@test "of several changes one may be lost: what was done, and what may be, is known" {
  in='{"members": ["bob", "robot", "ada"], "add": ["beer"]}'
  discord_do '{"do":"rest","what":"lost","route":"PUT /guilds","after":1}' >/dev/null
  make_it "$ada" manage_member_roles "$in"
  says '"\(.kind) \(.effect)"' 'unknown unknown'
  [ "$(jq -r 'select(.type == "part") | "\(.n) \(.state)"' <<<"$lines" | paste -sd' ')" = '1 intent 1 succeeded 2 intent 2 unknown' ]
  recorded unknown "$ada" manage_member_roles "$in"
  verifies "$ada" unclear '2 of 3 changes are made; it is neither as it was nor as it should have become' false
}
