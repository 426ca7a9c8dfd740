load helper
load turns
load discord
load converse

ada=1200000000000000201 bob=1200000000000000202
keeper=1200000000000000301 secret=1200000000000000404

setup_file() { provider_start; }
teardown_file() { provider_stop; }
setup() {
  harbour
  export SOPHIA_OPERATORS=$ada
  converse_start
}
teardown() { harbour_close; }

# runs USER COMMAND SUB [OPTIONS] - a person runs a subcommand.
runs() {
  interacts "$1" "{do: \"command\", channel: \"general\", name: \"$2\", options: {\"$3\": ${4:-{\}}}}"
}

# tells USER COMMAND SUB [OPTIONS] - and this is the answer.
tells() {
  runs "$@"
  answered '.content // .data.content' | sed 's/\\\([:|_*]\)/\1/g' # as people see it
}

@test "an operator grants, reads and revokes; it is in the audit under their id" {
  run -0 tells ada access grant '{tier: "write", role: "keeper"}'
  [ "$output" = 'Done.' ]
  run -0 tells ada access grant '{tier: "destructive", user: "bob", mode: "auto", days: 7, everywhere: true}'
  [ "$output" = 'Done.' ]
  run -0 jq -c '.access.grants[0] | [.role, .guild, .tier, .mode, .by]' "$SOPHIA_HOME/settings.json"
  [ "$output" = "[\"$keeper\",\"$discord_guild\",\"write\",\"ask\",\"$ada\"]" ]
  run -0 jq -c '.access.grants[1] | [.user, .guild, .tier, .mode,
    ((.until | sub("\\..*"; "Z") | fromdate) - (.at | sub("\\..*"; "Z") | fromdate))]' "$SOPHIA_HOME/settings.json"
  [ "$output" = "[\"$bob\",null,\"destructive\",\"auto\",604800]" ]
  run -0 tells ada access list
  [[ $output == *"server $discord_guild is enabled"* ]]
  [[ $output == *"grant to role <@&$keeper> in server $discord_guild: write, ask (by $ada, "* ]]
  [[ $output == *"grant to user <@$bob> everywhere: destructive, auto, until "* ]]
  run -0 tells ada access revoke '{user: "bob"}'
  [ "$output" = 'There is none like that.' ]
  run -0 tells ada access revoke '{user: "bob", everywhere: true}'
  [ "$output" = 'Done.' ]
  run -0 sophia-access log --jq "select(.name == \"access.grants\") | [.by, (.added // [] | length), (.removed // [] | length)]"
  [ "$output" = "[\"$ada\",1,0]
[\"$ada\",1,0]
[\"$ada\",0,1]" ]
}

@test "an operator adds, lists and removes rules, by tool or tier" {
  run -0 tells ada access rule-list
  [ "$output" = 'There are no rules here.' ]
  run -0 tells ada access rule-add '{effect: "deny", capability: "send_message", channel: "secret"}'
  [ "$output" = 'Done.' ]
  run -0 tells ada access rule-add '{effect: "deny", capability: "send_message", channel: "secret"}'
  [ "$output" = 'That is so already.' ]
  run -0 tells ada access rule-add '{effect: "ask", tier: "write", user: "bob", everywhere: true}'
  [ "$output" = 'Done.' ]
  run -0 tells ada access rule-add '{effect: "deny", capability: "send_mesage"}'
  [ "$output" = 'Done. But there is no tool of that name yet.' ]
  run -0 tells ada access rule-add '{effect: "deny"}'
  [[ $output == 'That was not done: '*'capability or tier.' ]]
  run -0 jq -c '.access.rules[] | [.effect, .capability, .tier, .user, .guild, .channel, .by]' "$SOPHIA_HOME/settings.json"
  [ "$output" = "[\"deny\",\"send_message\",null,null,\"$discord_guild\",\"$secret\",\"$ada\"]
[\"ask\",null,\"write\",\"$bob\",null,null,\"$ada\"]
[\"deny\",\"send_mesage\",null,null,\"$discord_guild\",null,\"$ada\"]" ]
  run -0 tells ada access rule-list
  [[ $output == *'send_message'* && $output == *"<@$bob>"* && $output != *'is enabled'* ]]
  run -0 tells ada access rule-remove '{effect: "ask", tier: "write", user: "bob"}'
  [ "$output" = 'There is none like that.' ]
  run -0 tells ada access rule-remove '{effect: "ask", tier: "write", user: "bob", everywhere: true}'
  [ "$output" = 'Done.' ]
  run -0 jq -c '.access.rules | length' "$SOPHIA_HOME/settings.json"
  [ "$output" = 2 ]
}

@test "an answer to an operator is theirs alone, and so is what went wrong" {
  run -0 tells ada access grant '{tier: "write"}'
  [[ $output == 'That was not done: must have one of these: user or role.' ]]
  [ "$(discord_state '.interactions[-1].messages[0].ephemeral')" = true ]
  run -0 tells ada access grant '{tier: "write", role: "keeper", everywhere: true}'
  [[ $output == 'That was not done: role: needs its guild.' ]]
  run -0 tells ada protect list
  [ "$output" = 'Nothing is protected here.' ]
  [ "$(discord_state '[.interactions[].messages[].ephemeral] | all')" = true ]
  run -0 sophia-access log --jq 'select(.name | startswith("access."))'
  [ -z "$output" ]
}

@test "nobody else gets at it, whatever they were granted, and they learn nothing" {
  sophia-access grant -u $bob -t destructive -m auto
  before=$(cat "$SOPHIA_HOME/settings.json")
  for what in 'access list' 'access grant {tier:"read",user:"bob"}' 'access revoke {user:"bob"}' \
    'access explain {capability:"note_add"}' 'access rule-add {effect:"allow",tier:"write"}' \
    'access rule-remove {effect:"deny",tier:"write"}' 'access rule-list' 'protect add {channel:"secret"}' \
    'protect remove {channel:"secret"}' 'protect list' 'settings show' \
    'settings set {setting:"voice",value:"formal"}' 'settings reset {category:"access"}'; do
    read -r command sub options <<<"$what"
    run -0 tells bob "$command" "$sub" "${options:-{\}}"
    [ "$output" = 'I am not available to you here.' ]
  done
  interacts bob '{do: "autocomplete", channel: "general", name: "settings", focused: "setting",
    options: {show: {setting: ""}}}'
  run -0 answered '.data.choices | length'
  [ "$output" = 0 ]
  [ "$(cat "$SOPHIA_HOME/settings.json")" = "$before" ]
}

@test "who says to be an operator is none: the id is Discord's" {
  forged() { # what a gateway event holds beside the member
    runs bob access grant '{tier: "destructive", user: "bob"}'
    event INTERACTION_CREATE "$(jq -nc --argjson m "$made" --arg g "$discord_guild" --arg ada $ada --arg bob $bob \
      --arg app "$discord_bot" "{id: \"\(\$m.id | tonumber + 1)\", token: \"x\", application_id: \$app, type: 2,
      guild_id: \$g, channel_id: \$m.channel, channel: {id: \$m.channel, type: 0}, data: \$m.data,
      member: {roles: [], user: {id: \$bob, username: \"ada\"}}, $1}")"
  }
  forged 'user: {id: $ada}, author: {id: $ada}'
  quiet
  run -0 jq -c .access "$SOPHIA_HOME/settings.json"
  [ "$output" = null ]
}

@test "what is protected is listed, and freed again" {
  run -0 tells ada protect add '{channel: "secret"}'
  [ "$output" = 'Done.' ]
  run -0 tells ada protect add '{role: "keeper"}'
  run -0 tells ada protect add '{role: "keeper"}'
  [ "$output" = 'That is so already.' ]
  run -0 tells ada protect list
  [[ ${lines[0]} == "protected channel <#$secret> in server $discord_guild (by $ada, "* ]]
  [[ ${lines[1]} == "protected role <@&$keeper> in server $discord_guild (by $ada, "* ]]
  run -0 tells ada protect remove '{channel: "secret"}'
  [ "$output" = 'Done.' ]
  run -0 jq -c '.access.protected | map(.role)' "$SOPHIA_HOME/settings.json"
  [ "$output" = "[\"$keeper\"]" ]
}

@test "a decision is explained for anybody, with the roles that Discord tells" {
  sophia-access grant -g "$discord_guild" -r $keeper -t write -m auto
  sophia-access rule add deny -c note_list -u $bob
  run -0 tells ada access explain '{capability: "send", tier: "write"}'
  [[ ${lines[0]} == 'allow: a grant covers write calls' ]]
  [[ $output == *"grant to role $keeper in server $discord_guild (up to write, auto) by local: it counts"* ]]
  run -0 tells ada access explain '{capability: "send", tier: "write", user: "bob"}'
  [[ ${lines[0]} == 'deny: there is no grant for write calls here' ]]
  run -0 tells ada access explain '{capability: "note_list", user: "bob"}'
  [[ ${lines[0]} == 'deny: a rule denies note_list here' ]]
  run -0 tells ada access explain '{capability: "nothing_like_it"}'
  [[ $output == 'That was not done: there is no tool nothing_like_it; say what tier it would have.' ]]
}

@test "settings are shown, set and reset; those of the machine are not" {
  run -0 tells ada settings show '{setting: "voice"}'
  [ "${lines[0]}" = '`voice`: balanced (default)' ]
  run -0 tells ada settings set '{setting: "voice", value: "formal"}'
  [ "$output" = 'Done.' ]
  run -0 tells ada settings set '{setting: "voice", value: "formal"}'
  [ "$output" = 'That is so already.' ]
  run -0 tells ada settings show
  [[ $output == *'`voice`: formal'* && $output != *index.path* && $output != *access.grants* ]]
  run -0 tells ada settings set '{setting: "voice", value: "loud"}'
  [ "$output" = 'That was not done: voice: must be one of balanced|casual|formal.' ]
  run -0 tells ada settings set '{setting: "index.path", value: "/tmp/x"}'
  [ "$output" = 'There is no setting index.path that can be seen here.' ]
  run -0 tells ada settings set '{setting: "access.grants", value: "[]"}'
  [[ $output == 'There is no setting'* ]]
  run -0 tells ada settings reset '{category: "general"}'
  [ "$output" = 'Done.' ]
  run -0 jq -c '[.voice, .profile]' "$SOPHIA_HOME/settings.json"
  [ "$output" = '[null,null]' ]
  run -0 tells ada settings reset '{category: "nothing"}'
  [[ $output == 'That was not done: there is no category nothing of settings.' ]]
  run -0 sophia-access log --jq "select(.by == \"$ada\") | .name + \" \" + .after"
  [ "$output" = '"voice formal"
"profile extractive"
"voice balanced"' ]
}

@test "names of settings and of categories are offered" {
  interacts ada '{do: "autocomplete", channel: "general", name: "settings", focused: "setting",
    options: {set: {setting: "discord.", value: ""}}}'
  run -0 answered '.data.choices | map(.value) | join(" ")'
  [ "$output" = 'discord.guilds discord.users discord.dms discord.recover_hours discord.recover_messages' ]
  interacts ada '{do: "autocomplete", channel: "general", name: "settings", focused: "category",
    options: {reset: {category: "e"}}}'
  run -0 answered '.data.choices | map(.value) | join(" ")'
  [[ $output == *general* && $output == *model* && $output == *access* ]]
}

@test "the shell asks Discord for somebody's roles, and a look-up that fails gives nothing" {
  sophia-access grant -g "$discord_guild" -r $keeper -t write -m auto
  sophia-access rule add deny -c pin -g "$discord_guild" -r $keeper
  explain() {
    sophia-access explain -l "guild:$discord_guild:$discord_channel" -t write --jq .decision "$@"
  }
  run -1 --separate-stderr explain -a $ada -c pin --fresh
  [ "$output" = '"deny"' ]
  [ -z "$stderr" ]
  export SOPHIA_OPERATORS=
  run -0 explain -a $ada -c send --fresh
  [ "$output" = '"allow"' ]
  run -1 explain -a $ada -c send
  [ "$output" = '"deny"' ]
  run -1 --separate-stderr explain -a $bob -c send --fresh
  [ "$output" = '"deny"' ]
  [ -z "$stderr" ]
  sophia-access grant -u $bob -t write -m auto
  run -0 explain -a $bob -c pin --fresh # he hasn't that role
  [ "$output" = '"allow"' ]
  export SOPHIA_DISCORD_API=http://127.0.0.1:1
  run -1 --separate-stderr explain -a $bob -c pin --fresh
  [ "$output" = '"deny"' ]
  [[ $stderr == *'sophia-access: their roles: '* ]]
}
