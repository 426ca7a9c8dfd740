load helper

file() { cat "$SOPHIA_HOME/settings.json"; }

@test "every setting is listed, with its default, as a valid record" {
  sophia-settings list >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -rs 'map(select(.set)) | length' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 0 ]
  run -0 jq -r 'select(.name == "model.slots") | .value' "$BATS_TEST_TMPDIR/out"
  [ "$output" = 4 ]
}

@test "a person sees the value, and what it is for" {
  run -0 sophia-settings list --text
  [ "${lines[2]}" = 'voice                      balanced (default)' ]
  [ "${lines[3]}" = '                             how answers sound; never what they say' ]
}

@test "what is set is in the file, which is ours alone" {
  run -0 --separate-stderr sophia-settings set --text voice formal
  [ "$output" = formal ]
  run -0 sophia-settings set --text runtime.tool_call_limit 100
  run -0 sophia-settings get --text runtime.tool_call_limit
  [ "$output" = 100 ]
  run -0 file
  [ "$output" = '{
	"version": 1,
	"voice": "formal",
	"runtime": {
		"tool_call_limit": 100
	}
}' ]
  [ "$(stat -c %a "$SOPHIA_HOME/settings.json")" = 600 ]
}

@test "a list of ids is an array in the file, and ids with commas by hand" {
  run -0 sophia-settings set --text discord.guilds '1407655444743831676, 1510000000000000001'
  [ "$output" = 1407655444743831676,1510000000000000001 ]
  run -0 sophia-settings set --text discord.users '*'
  [ "$output" = '*' ]
  sophia-settings set discord.dms on
  run -0 jq -c .discord "$SOPHIA_HOME/settings.json"
  [ "$output" = '{"guilds":["1407655444743831676","1510000000000000001"],"users":["*"],"dms":"on"}' ]
  run -0 sophia-settings get --jq .value discord.guilds
  [ "$output" = '["1407655444743831676","1510000000000000001"]' ]
  run -0 sophia-settings set --text discord.guilds ''
  [ -z "$output" ]
  run -0 jq -c .discord.guilds "$SOPHIA_HOME/settings.json"
  [ "$output" = '[]' ]
}

@test "one is unset, a category reset, the others stay" {
  sophia-settings set voice casual
  sophia-settings set budget.actor 2
  sophia-settings set budget.installation 20.50
  sophia-settings set language fr
  run -0 --separate-stderr sophia-settings reset budget
  [ -z "$output$stderr" ]
  run -0 sophia-settings unset --text voice
  [ "$output" = balanced ]
  run -0 file
  [ "$output" = '{
	"version": 1,
	"language": "fr"
}' ]
  run -0 sophia-settings reset general
  run -0 file
  [ "$output" = '{
	"version": 1
}' ]
}

@test "a value that won't do changes nothing: exit 65" {
  sophia-settings set voice casual
  before=$(file)
  run -65 --separate-stderr sophia-settings set voice loud
  [ "$stderr" = 'sophia-settings: voice: must be one of balanced|casual|formal' ]
  run -65 --separate-stderr sophia-settings set model.slots 0
  [ "$stderr" = 'sophia-settings: model.slots: must be a whole number from 1 to 64' ]
  run -65 --separate-stderr sophia-settings set model.slots 3x
  run -65 --separate-stderr sophia-settings set budget.actor 1,5
  [ "$stderr" = 'sophia-settings: budget.actor: must be an amount like 2.50, or empty' ]
  run -65 --separate-stderr sophia-settings set index.path here
  [ "$stderr" = 'sophia-settings: index.path: must be a path that begins with /' ]
  run -65 --separate-stderr sophia-settings set discord.guilds '*'
  [ "$stderr" = "sophia-settings: discord.guilds: \"*\" is no id of Discord's: a number, which its menus copy in developer mode" ]
  run -65 --separate-stderr sophia-settings set discord.users 12,me
  [ "$stderr" = "sophia-settings: discord.users: \"me\" is no id of Discord's: a number, which its menus copy in developer mode; nor *" ]
  run -65 --separate-stderr sophia-settings set volume 3
  [ "$stderr" = 'sophia-settings: there is no setting volume' ]
  run -65 --separate-stderr sophia-settings reset volume
  [ "$stderr" = 'sophia-settings: there is no category volume of settings' ]
  [ "$(file)" = "$before" ]
}

@test "a file that isn't valid is exit 78, and names the field" {
  while IFS='|' read -r text why; do
    printf '%s' "$text" >"$SOPHIA_HOME/settings.json"
    run -78 --separate-stderr sophia-settings check
    [ "$stderr" = "sophia-settings: $SOPHIA_HOME/settings.json: $why" ]
  done <<'END'
{"voice":"formal"}|version: must be 1
{"version":1,"volume":3}|there is no setting volume
{"version":1,"model":{"slots":"4"}}|model.slots: must be a whole number from 1 to 64
{"version":1,"model":{"slots":65}}|model.slots: must be a whole number from 1 to 64
{"version":1,"voice":4}|voice: must be a text
{"version":1,"voice":""}|voice: must be one of balanced|casual|formal
{"version":1,"index":{"file":"/x"}}|there is no setting index.file
{"version":1,"model.slots":9}|there is no setting model.slots
{"version":1,"model":{"slots.":9}}|there is no setting model.slots.
{"version":1,"voice":{"tone":"formal"}}|voice: must be a text
{"version":1,"volume":{}}|there is no setting volume
{"version":1,"discord":{"guilds":"12"}}|discord.guilds: must be a list of ids
{"version":1,"discord":{"guilds":[12]}}|discord.guilds: each must be an id of Discord's in quotes
{"version":1,"discord":{"users":["18446744073709551616"]}}|discord.users: "18446744073709551616" is no id of Discord's: a number, which its menus copy in developer mode; nor *
END
}

@test "a file that isn't valid is changed by nobody" {
  echo '{"version":1,"volume":3}' >"$SOPHIA_HOME/settings.json"
  run -78 sophia-settings set voice formal
  run -78 sophia-settings list
  run -0 file
  [ "$output" = '{"version":1,"volume":3}' ]
}

@test "two changes at one time both hold" {
  sophia-settings set voice casual &
  sophia-settings set language de &
  sophia-settings set model.slots 9 &
  wait
  run -0 sophia-settings list --jq 'select(.set) | .name'
  [ "${lines[*]}" = '"voice" "language" "model.slots"' ]
}

@test "wrong usage is exit 2" {
  run -2 sophia-settings
  run -2 sophia-settings get
  run -2 sophia-settings set voice
  run -2 sophia-settings list voice
}
