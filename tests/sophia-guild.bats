load helper
load discord

ada=1200000000000000201 # a keeper, and the owner
bob=1200000000000000202
eve=1200000000000000203 # a keeper here
den=1200000000000000410

setup() {
  state_folder
  jq '.guilds[0].members[3].roles = ["keeper"]
    | .guilds[0].channels += [
      {id: "1200000000000000410", name: "den", type: 0, overwrites: [
        {role: "@everyone", deny: ["VIEW_CHANNEL"]},
        {role: "keeper", allow: ["VIEW_CHANNEL"]},
        {role: "Sophia", allow: ["VIEW_CHANNEL"]}]},
      {id: "1200000000000000411", name: "plot", type: 11, parent: "den", owner: "ada"}]
    | .messages += [
      {channel: "den", author: "ada", content: "the hoard is here"},
      {channel: "plot", author: "ada", content: "first"},
      {channel: "plot", author: "eve", content: "second"}]' \
    "$top/tests/peers/discord/world.json" >"$BATS_TEST_TMPDIR/world.json"
  discord_start --world "$BATS_TEST_TMPDIR/world.json"
  sophia-settings set discord.guilds "$discord_guild" >/dev/null
}

teardown() {
  discord_stop
}

# as ACTOR VISIBILITY CHANNEL CAPABILITY ARGUMENTS - the answer to such a call.
as() {
  jq -cn --arg a "$1" --arg v "$2" --arg c "$3" --arg g "$discord_guild" --arg t "$4" --argjson in "${5:-{\}}" \
    '{type: "call", id: "0000000000000000000t.1", capability: $t, arguments: $in, tier: "read",
      context: {actor: {id: $a, name: "n"}, location: {kind: "guild", guild: $g, channel: $c}, visibility: $v}}' |
    sophia-guild --serve
}

# In private; in public in #general.
quiet() { as "$1" private "$discord_channel" "${@:2}"; }
aloud() { as "$1" public "$discord_channel" "${@:2}"; }

# A poll in #general, with a vote: $poll is its id.
ask_all() {
  discord_rest POST "/channels/$discord_channel/messages" '{"poll": {"question": {"text": "Tea?"},
    "answers": [{"poll_media": {"text": "yes"}}, {"poll_media": {"text": "no"}}]}}'
  poll=$(jq -r .id <<<"$output")
  discord_do "{\"do\": \"vote\", \"user\": \"bob\", \"message\": \"$poll\", \"answer\": 1}"
}

@test "each tool answers with a record that is valid" {
  ask_all
  {
    quiet "$ada" get_guild_context
    quiet "$ada" list_roles
    quiet "$ada" get_role_info '{"role": "@keeper"}'
    quiet "$ada" list_members
    quiet "$ada" get_member_profile '{"member": "bobby"}'
    quiet "$ada" list_threads
    quiet "$ada" read_thread_messages '{"thread": "plot"}'
    quiet "$ada" get_poll_results "{\"message\": \"$poll\", \"channel\": \"#general\"}"
  } >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r 'select(.ok).summary' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'Harbour: 5 members, 6 channels
3 roles, the highest first
the role keeper, id 1200000000000000301
5 members
Bobby, id 1200000000000000202
2 active threads
2 messages of plot, the oldest first
1 votes on "Tea?", not final yet' ] || { cat "$BATS_TEST_TMPDIR/out"; false; }
  [ "$(discord_state '.violations | length')" = 0 ]
  [ "$(discord_state '.problems.requests | length')" = 0 ]
}

@test "a poll is counted, given by its link or its id" {
  ask_all
  link=https://discord.com/channels/$discord_guild/$discord_channel/$poll
  run -0 jq -c '[.data.question, (.data.answers | map([.text, .votes])), .data.final, .sources[0].url]' \
    <<<"$(quiet "$bob" get_poll_results "{\"message\": \"$link\"}")"
  [ "$output" = "[\"Tea?\",[[\"yes\",1],[\"no\",0]],false,\"$link\"]" ]
}

@test "the context is the server's, and where it was asked" {
  run -0 jq -c '.data | [.name, .owner.name, .channel.name, .channel.parent.name, (.sophia_may_here | index("SEND_MESSAGES") != null)]' \
    <<<"$(quiet "$bob" get_guild_context)"
  [ "$output" = '["Harbour","Ada","general","Quay",true]' ]
}

@test "a channel that the asker can't see is exactly like one that is not there" {
  for ask in 'read_thread_messages {"thread":"X"}' 'list_threads {"channel":"X"}' \
    'get_poll_results {"message":"1200000000000000600","channel":"X"}'; do
    for x in plot den 1200000000000000411 "<#$den>" secret; do
      hidden=$(quiet "$bob" "${ask%% *}" "${ask#* }" | jq -r .text)
      hidden=$(quiet "$bob" "${ask%% *}" "$(sed "s/X/$x/" <<<"${ask#* }")")
      missing=$(quiet "$bob" "${ask%% *}" "$(sed "s/X/nowhere/" <<<"${ask#* }")")
      [ "$(jq -r '"\(.kind) \(.text)"' <<<"$hidden" | sed "s/'[^']*'/X/")" = \
        "$(jq -r '"\(.kind) \(.text)"' <<<"$missing" | sed "s/'[^']*'/X/")" ] || { echo "$x: $hidden"; false; }
    done
  done
  run -0 jq -c '[.data.threads[].name]' <<<"$(quiet "$bob" list_threads)"
  [ "$output" = '["works"]' ]
  run -0 jq -c '.data.channels' <<<"$(quiet "$bob" get_role_info '{"role": "keeper"}')"
  [ "$output" = '[]' ]
}

@test "in private a keeper reads what keepers read; in public only what all there can" {
  run -0 jq -c '[.sources[].text]' <<<"$(quiet "$eve" read_thread_messages '{"thread": "plot"}')"
  [ "$output" = '["first","second"]' ]
  run -0 jq -r '"\(.kind) \(.text)"' <<<"$(aloud "$eve" read_thread_messages '{"thread": "plot"}')"
  [ "$output" = "input no channel or thread 'plot'" ]
  run -0 jq -c '[.data.threads[].name]' <<<"$(aloud "$eve" list_threads)"
  [ "$output" = '["works"]' ]
  run -0 jq -c '[.sources[].text]' <<<"$(as "$eve" public "$den" read_thread_messages '{"thread": "plot"}')"
  [ "$output" = '["first","second"]' ]
  run -0 jq -c '[.sources[].text]' <<<"$(as "$eve" public "$den" read_thread_messages '{"thread": "works"}')"
  [ "$output" = '["The crane is repaired."]' ]
}

@test "whoever is no member, or isn't where it will be read, gets nothing" {
  run -0 jq -r .kind <<<"$(quiet 1200000000000000999 list_roles)"
  [ "$output" = denied ]
  run -0 jq -r .kind <<<"$(as "$bob" public "$den" list_roles)"
  [ "$output" = denied ]
}

@test "a thread is read page by page, back to its beginning" {
  first=$(quiet "$ada" read_thread_messages '{"thread": "plot", "limit": 1}')
  run -0 jq -c '[.sources[].text]' <<<"$first"
  [ "$output" = '["second"]' ]
  run -0 jq -c '[.sources[].text]' \
    <<<"$(quiet "$ada" read_thread_messages "{\"thread\": \"plot\", \"limit\": 1, \"cursor\": $(jq .cursor <<<"$first")}")"
  [ "$output" = '["first"]' ]
  run -0 jq -r .text <<<"$(quiet "$ada" read_thread_messages '{"thread": "general"}')"
  [ "$output" = "'general' is a channel, not a thread" ]
}

@test "members are listed by role and by name, and searched for by any name" {
  run -0 jq -c '[.data.members[].name]' <<<"$(quiet "$bob" list_members '{"role": "keeper"}')"
  [ "$output" = '["Ada","Eve"]' ]
  run -0 jq -c '[.data.members[].name]' <<<"$(quiet "$bob" list_members '{"query": "bo"}')"
  [ "$output" = '["Bobby"]' ]
  page=$(quiet "$bob" list_members '{"limit": 2}')
  run -0 jq -c '[.data.members[].name]' <<<"$(quiet "$bob" list_members "{\"cursor\": $(jq .cursor <<<"$page")}")"
  [ "$output" = '["Bobby","Eve","robot"]' ]
  run -0 jq -c '.data | [.id, [.roles[].name], .bot, .owner]' <<<"$(quiet "$bob" get_member_profile "{\"member\": \"<@$ada>\"}")"
  [ "$output" = "[\"$ada\",[\"keeper\"],false,true]" ]
  run -0 jq -r '"\(.kind) \(.text)"' <<<"$(quiet "$bob" get_member_profile '{"member": "nobody"}')"
  [ "$output" = "input no member 'nobody'" ]
}

@test "what arguments lack or have wrong is said" {
  for call in 'get_role_info {}' 'get_role_info {"role":"king"}' 'get_member_profile {}' 'list_members {"limit":0}' \
    'list_members {"cursor":"x"}' 'list_threads {"archived":true}' 'read_thread_messages {}' \
    'get_poll_results {"message":"x"}' 'get_poll_results {"message":"1200000000000000600"}' 'nothing {}'; do
    [ "$(quiet "$ada" "${call%% *}" "${call#* }" | jq -r .kind)" = input ] || { echo "$call"; false; }
  done
}

@test "by hand, the person at the terminal asks about the only server that is enabled" {
  sophia settings set discord.guilds ''
  run -78 --separate-stderr sophia-tool run list_roles
  sophia settings set discord.guilds "$discord_guild"
  run -0 sophia-tool run --json list_roles
  [ "$(jq -c '[.data.roles[].name]' <<<"$output")" = '["Sophia","keeper","@everyone"]' ] ||
    [ "$(jq '.data.roles | length' <<<"$output")" = 3 ]
}

@test "of a server that was taken out nobody is told any more" {
  sophia settings set discord.guilds 1
  [ "$(quiet "$ada" list_roles | jq -r .kind)" = denied ]
}

@test "it serves tools only" {
  run -2 sophia-guild
  run -2 sophia-guild --serve word
}
