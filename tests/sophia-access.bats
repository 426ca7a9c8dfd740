load helper

guild=1407655444743831676
ada=1510000000000000001 bob=1510000000000000002
helpers=1520000000000000001 admins=1520000000000000002
lobby=1530000000000000001 vault=1530000000000000002

setup() {
  state_folder
  sophia-settings set discord.guilds $guild >/dev/null
}

access() { sophia-access "$@"; }

# What is decided about a call, in a word: the arguments of explain.
decided() {
  sophia-access explain --jq .decision "$@" | tr -d '"'
}

@test "what is granted is listed, by whom and when" {
  run -0 access grant -u $ada -g $guild -t write
  run -0 access grant -r $helpers -g $guild -t destructive -m auto -e 2999-01-31T18:00:00Z
  run -0 access rule add deny -c delete_channel -g $guild
  run -0 access protect -g $guild --channel $vault
  run -0 access moderator add -g $guild -u $bob
  SOPHIA_OPERATORS=77 access list >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -rs 'map(.kind) | join(" ")' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 'server direct operator grant grant rule protected moderator' ]
  run -0 jq -c 'select(.role) | [.role, .guild, .tier, .mode, .until, .ended, .by]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = "[\"$helpers\",\"$guild\",\"destructive\",\"auto\",\"2999-01-31T18:00:00.000Z\",false,\"local\"]" ]
  run -0 access list --text -g 5
  [ "${lines[*]}" = 'direct messages are off' ]
}

@test "a person reads who may do what" {
  access grant -u $ada -t read
  access protect -g $guild --channel $vault
  today=$(date -u +%F)
  run -0 access list --text
  [ "${lines[0]}" = "server $guild is enabled" ]
  sophia-settings set discord.users '*' >/dev/null
  [[ $(access list --text) == *$'\neverybody in an enabled server may ask\n'* ]]
  [ "${lines[1]}" = "direct messages are off" ]
  [ "${lines[2]}" = "grant to user $ada everywhere: read, ask (by local, $today)" ]
  [ "${lines[3]}" = "protected channel $vault in server $guild (by local, $today)" ]
}

@test "a grant takes the place of the one before, and is revoked as a whole" {
  access grant -u $ada -g $guild -t write
  run -1 --separate-stderr access grant -u $ada -g $guild -t write
  [ -z "$output$stderr" ]
  run -0 access grant -u $ada -g $guild -t read -m auto
  run -0 access list --jq 'select(.kind == "grant") | [.tier, .mode]'
  [ "$output" = '["read","auto"]' ]
  run -1 access revoke -u $ada
  run -1 access revoke -u $bob -g $guild
  run -0 access revoke -u $ada -g $guild
  run -0 access list --jq 'select(.kind == "grant")'
  [ -z "$output" ]
}

@test "rules are removed by the words that they were added with" {
  access rule add ask -t write -g $guild -r $helpers
  access rule add deny -c send_message -u $ada
  run -1 access rule add deny -c send_message -u $ada
  run -1 access rule remove ask -c send_message -u $ada
  run -1 access rule remove deny -c send_message
  run -0 access rule remove deny -c send_message -u $ada
  run -0 access list --jq 'select(.kind == "rule") | [.effect, .tier, .role]'
  [ "$output" = "[\"ask\",\"write\",\"$helpers\"]" ]
}

@test "what can't be meant is exit 65 with the field, and changes nothing" {
  before=$(cat "$SOPHIA_HOME/settings.json")
  refused() {
    run -65 --separate-stderr access "${@:2}"
    [ "$stderr" = "sophia-access: $1" ] || { echo "$stderr"; return 1; }
  }
  refused "user: 'ada': must be an id of Discord's" grant -u ada -t write
  refused "user: '0$ada': must be an id of Discord's" grant -u 0$ada -t write
  refused "tier: 'all': must be read|write|destructive" grant -u $ada -t all
  refused 'tier: is missing' grant -u $ada
  refused "mode: 'maybe': must be ask|auto" grant -u $ada -t write -m maybe
  refused 'must have one of these: user or role' grant -t write
  refused 'must have one of these: user or role' grant -u $ada -r $helpers -g $guild -t write
  refused 'role: needs its guild' grant -r $helpers -t write
  refused "until: 'soon': must be a time like 2026-12-31T18:00:00Z" grant -u $ada -t write -e soon
  refused 'until: that has passed already' grant -u $ada -t write -e 2001-01-01
  refused "effect: 'forbid': must be deny|ask|allow" rule add forbid -t write
  refused 'must have one of these: capability or tier' rule add deny -t write -c x
  refused 'must have one of these at most: user or role' rule add deny -t write -u $ada -r $helpers -g $guild
  refused 'channel: needs its guild' rule add deny -t write --channel $lobby
  refused "capability: 'Send message': must be the name of a capability" rule add deny -c 'Send message'
  refused 'guild: is missing' protect --channel $vault
  refused 'must have one of these: channel or role' protect -g $guild
  refused 'guild: is missing' moderator add -u $ada
  [ "$(cat "$SOPHIA_HOME/settings.json")" = "$before" ]
  run -2 access rule change deny -t write
  run -2 access explain
  run -2 access explain -a $ada -c send -t write # and where?
  [[ $output == *'where do they ask? Say --location'* ]]
}

@test "a rule for a tool that isn't there is kept, and the slip is told" {
  run -0 --separate-stderr access rule add deny -c send_mesage -g $guild
  [ "$stderr" = 'sophia-access: there is no tool send_mesage yet; sophia tool list shows all' ]
  run -0 --separate-stderr access rule remove deny -c send_mesage -g $guild
  [ -z "$stderr" ]
  run -0 --separate-stderr access rule add deny -c send_message -g $guild
  [ -z "$stderr" ]
}

@test "a bad grant in the file stops whoever reads it: exit 78, and the field" {
  bad() {
    echo "{\"version\":1,\"access\":{\"grants\":[$2]}}" >"$SOPHIA_HOME/settings.json"
    run -78 --separate-stderr access list
    [ "$stderr" = "sophia-access: $SOPHIA_HOME/settings.json: access.grants$1" ] || { echo "$stderr"; return 1; }
    run -78 access grant -u $bob -t read
  }
  good='"user":"5","mode":"ask","by":"local","at":"2026-11-30T00:00:00Z"'
  bad "[0]: tier: 'write ': must be read|write|destructive" "{$good,\"tier\":\"write \"}"
  bad '[0]: tier: is missing' "{$good}"
  bad '[1]: tiers: there is no such field' "{$good,\"tier\":\"read\"},{$good,\"tiers\":\"write\"}"
  bad '[0]: tier: is there twice' "{$good,\"tier\":\"read\",\"tier\":\"write\"}"
  bad '[0]: tier: must be a text in quotes' "{$good,\"tier\":3}"
  bad '[0]: must be an object' '"5"'
}

@test "nobody may change anything but who was granted it" {
  here="-l guild:$guild:$lobby"
  [ "$(decided -c x -t write)" = ask ]
  [ "$(decided -c x -t write -a $ada $here)" = deny ]
  access grant -u $ada -g $guild -t write
  [ "$(decided -c x -t write -a $ada $here)" = ask ]
  [ "$(decided -c x -t read -a $ada $here)" = allow ]
  [ "$(decided -c x -t destructive -a $ada $here)" = deny ]
  [ "$(decided -c x -t write -a $ada -l guild:5:6)" = deny ]
  access grant -u $ada -g $guild -t destructive -m auto
  [ "$(decided -c x -t destructive -a $ada $here)" = allow ]
  [ "$(decided -c x -t destructive -a $ada $here --ask)" = ask ]
  [ "$(decided -c x -t destructive -a $ada $here --corrected)" = ask ]
  [ "$(decided -c x -t read -a $bob $here)" = deny ]
  access moderator add -u $bob -g $guild
  [ "$(decided -c x -t read -a $bob $here)" = allow ]
  [ "$(decided -c x -t write -a $bob $here)" = deny ]
}

@test "roles that aren't known give nothing, and evade nothing" {
  access grant -r $helpers -g $guild -t write
  access grant -u $bob -g $guild -t write -m auto
  access rule add deny -c pin -r $admins -g $guild
  here="-l guild:$guild:$lobby -t write"
  [ "$(decided -a $ada $here -c send)" = deny ]
  [ "$(decided -a $ada $here -c send --roles $helpers,$admins)" = ask ]
  [ "$(decided -a $ada $here -c send --roles $admins)" = deny ]
  [ "$(decided -a $bob $here -c pin)" = deny ]
  [ "$(decided -a $bob $here -c pin --roles $helpers)" = allow ]
  [ "$(decided -a $bob $here -c send)" = allow ]
  run -0 access explain -a $bob $here -c send --jq .roles_matter
  [ "$output" = true ] # a role might be granted more
  run -1 access explain -a $bob $here -c pin --text
  [ "${lines[0]}" = 'deny: a rule denies pin here' ]
  [[ $output == *"rule: deny pin of role $admins in server $guild by local: counted, since it can't be told that it isn't about this"* ]]
  [ "${lines[-1]}" = "their roles in server $guild would matter" ]
}

@test "an explanation names what counted, as a record" {
  access grant -u $ada -g $guild -t write
  access grant -u $ada -t read
  access rule add allow -c send -g $guild
  access explain -a $ada -l guild:$guild:$lobby -c send -t write >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r '.decision, .why, .reasons[]' "$BATS_TEST_TMPDIR/out"
  [ "$output" = "allow
a rule has send not asked about
$ada is let in by a grant, or as a moderator
grant to user $ada in server $guild (up to write, ask) by local: it counts
grant to user $ada everywhere (up to read, ask) by local: it does not reach that far
ask: a grant covers write calls, and asks
rule: allow send in server $guild by local
allow: a rule has send not asked about" ]
}

@test "nothing destructive happens to what is protected, or inside or around it" {
  sophia-index import "$top/share/samples" >/dev/null
  db=$SOPHIA_HOME/messages.sqlite
  sample=$(sqlite3 "$db" 'SELECT guild FROM channel WHERE parent LIMIT 1')
  channel=$(sqlite3 "$db" 'SELECT id FROM channel WHERE parent LIMIT 1')
  category=$(sqlite3 "$db" "SELECT parent FROM channel WHERE id = $channel")
  sophia-settings set discord.guilds "$sample" >/dev/null
  ask="-l guild:$sample:$channel -t destructive -c x -g $sample"
  export SOPHIA_OPERATORS=$ada
  [ "$(decided -a $ada $ask -T channel:$channel)" = ask ]
  access protect -g $sample --channel $channel
  [ "$(decided -a $ada $ask -T channel:$channel)" = deny ]
  [ "$(decided -a $ada $ask -T message:$channel:9)" = deny ]
  [ "$(decided -a $ada $ask -T channel:$category)" = deny ]
  [ "$(decided -a $ada $ask -T channel:12345)" = deny ] # who knows
  [ "$(decided -a $ada $ask -T role:$helpers)" = ask ]
  [ "$(decided -a $ada -l guild:$sample -t write -c x -T channel:$channel)" = ask ]
  [ "$(decided $ask -a local -T channel:$channel)" = deny ]
  access unprotect -g $sample --channel $channel
  access protect -g $sample --channel $category
  [ "$(decided -a $ada $ask -T channel:$channel)" = deny ]
  access unprotect -g $sample --channel $category
  access protect -g $sample -r $helpers
  [ "$(decided -a $ada $ask -T role:$helpers)" = deny ]
  [ "$(decided -a $ada $ask -T role:$admins)" = ask ]
}

@test "moving channels and changing members' roles is destructive, whoever says not" {
  for name in move_channel move_category manage_member_roles; do
    run -0 access explain -c $name -t read --jq '[.tier, .confirm]'
    [ "$output" = '["destructive",true]' ]
  done
}

@test "a grant ends by itself" {
  access grant -u $ada -t write -e 2999-01-01
  [ "$(decided -c x -t write -a $ada -l guild:$guild)" = ask ]
  sed -i 's/2999/2001/' "$SOPHIA_HOME/settings.json"
  [ "$(decided -c x -t write -a $ada -l guild:$guild)" = deny ]
  run -0 access list --jq 'select(.kind == "grant").ended'
  [ "$output" = true ]
}

@test "who changed what is in the audit, a line a change" {
  [ "$(access log --jq .name)" = '"discord.guilds"' ]
  access grant -u $ada -t write
  access grant -u $ada -t read
  sophia-settings set voice formal >/dev/null
  sophia-settings set voice formal >/dev/null
  sophia-settings reset access
  access log >"$BATS_TEST_TMPDIR/log"
  valid_records "$BATS_TEST_TMPDIR/log"
  run -0 jq -c '[.by, .name, (.removed // [] | map(.tier? // .)), (.added // [] | map(.tier? // .)), .after]' "$BATS_TEST_TMPDIR/log"
  [ "$output" = '["local","discord.guilds",[],["'$guild'"],null]
["local","access.grants",[],["write"],null]
["local","access.grants",["write"],["read"],null]
["local","voice",[],[],"formal"]
["local","access.grants",["read"],[],null]' ]
  [ "$(stat -c %a "$SOPHIA_HOME/audit.ndjson")" = 600 ]
  run -0 access log --text
  [[ ${lines[3]} == *" local voice 'balanced' -> 'formal'" ]]
}

@test "half a line that a crash left goes, and without an audit nothing changes" {
  printf '{"type":"audit","at"' >>"$SOPHIA_HOME/audit.ndjson"
  run -0 access grant -u $ada -t write
  access log >"$BATS_TEST_TMPDIR/log"
  valid_records "$BATS_TEST_TMPDIR/log"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/log")" = 2 ]
  rm "$SOPHIA_HOME/audit.ndjson"
  mkdir "$SOPHIA_HOME/audit.ndjson"
  run -78 access grant -u $bob -t write
  run -0 access list --jq 'select(.kind == "grant").user'
  [ "$output" = "\"$ada\"" ]
}

@test "of many who grant at once nobody undoes another's" {
  for i in 1 2 3 4 5 6 7 8; do
    sophia-access grant -u 151000000000000010$i -t write 3>&- &
  done
  wait
  run -0 access list --jq 'select(.kind == "grant").user'
  [ "${#lines[@]}" = 8 ]
  [ "$(access log --jq 'select(.name == "access.grants").added[].user' | sort -u | wc -l)" = 8 ]
}
