bats_require_minimum_version 1.5.0
export LC_ALL=C.UTF-8 # whoever runs them, and from where
top=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
command -v sophia >/dev/null || PATH=$top/bin:$PATH # `bats tests/X.bats` by hand

# Each test has a state folder of its own; share/ is the checkout's, wherever
# the binaries under test are.
state_folder() {
  export SOPHIA_HOME=$BATS_TEST_TMPDIR/home SOPHIA_SHARE=$top/share
  unset SOPHIA_SECRETS DISCORD_TOKEN
  mkdir "$SOPHIA_HOME"
}

# A suite that needs more has a setup of its own, and calls that there.
setup() {
  state_folder
}

# valid_records [FILE] - fail unless every line of FILE (or stdin) is a record
# that share/schema/records describes.
valid_records() {
  /usr/bin/python3 "$top/tests/valid-records" "$top/share/schema/records" "$@"
}

# tool NAME JSON-FIELDS - put a manifest into the state folder; the fields given
# go before the defaults.
tool() {
  mkdir -p "$SOPHIA_HOME/tools"
  jq -n --arg name "$1" --argjson own "$2" '{name: $name,
    description: "A tool of this test.",
    parameters: {type: "object", properties: {}, required: []},
    tier: "read", command: ["./\($name).sh"], serve: false, needs: [],
    time_limit_s: 10, visible: true} + $own' >"$SOPHIA_HOME/tools/$1.json"
}

# script NAME - put stdin beside its manifest as an executable.
script() {
  cat >"$SOPHIA_HOME/tools/$1.sh"
  chmod +x "$SOPHIA_HOME/tools/$1.sh"
}
