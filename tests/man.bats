load helper

# The text of a page from one heading to the next, all white space as one space.
section() {
  mandoc -Tutf8 "$1" | col -bx | sed -n "/^$2/,/^[A-Z]/{//d;p}" | tr -s '[:space:]' ' ' |
    sed 's/^ //; s/ $//'
}

@test "every command has a manual, and every manual lints" {
  for program in "$(dirname "$(command -v sophia)")"/sophia{,-*}; do
    [ -f "$top/man/${program##*/}.1" ] || { echo "no manual of ${program##*/}"; return 1; }
  done
  for page in "$top"/man/*.[157]; do
    mandoc -Tlint -W warning "$page"
  done
}

@test "SYNOPSIS is the usage that -h prints" {
  for program in "$(dirname "$(command -v sophia)")"/sophia{,-*}; do
    page=$top/man/${program##*/}.1
    said=$("$program" -h | sed -n '/^usage:/,/^$/p' | sed 's/^usage://' |
      tr -s '[:space:]' ' ' | sed 's/^ //; s/ $//')
    wrote=$(section "$page" SYNOPSIS)
    [ "$said" = "$wrote" ] || { printf '%s\n' "-h:  $said" "man: $wrote"; return 1; }
  done
}

@test "the help of every command fits into 80 columns" {
  for program in "$(dirname "$(command -v sophia)")"/sophia{,-*}; do
    run -1 grep -E '.{81}' < <("$program" -h)
  done
}

@test "NAME is what the command says of itself" {
  for program in "$(dirname "$(command -v sophia)")"/sophia-*; do
    said=$("$program" -h | head -n 1)
    wrote=$(section "$top/man/${program##*/}.1" NAME)
    [ "${wrote//–/-}" = "$said" ] || { printf '%s\n' "-h:  $said" "man: $wrote"; return 1; }
  done
}

@test "every page that a page refers to is here, or a page of the system" {
  for page in "$top"/man/*.[157]; do
    sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1.\2/p' "$page" | while read -r other; do
      case $other in
        sophia*) [ -f "$top/man/$other" ] || { echo "$page: $other"; exit 1; } ;;
      esac
    done
  done
}

# The commands that a page shows as examples, a line each.
examples() {
  awk '/^\.Sh/ { on = $2 == "EXAMPLES" }
    !on { next }
    sub(/^\.Dl \$ /, "") { print; next }
    /^\.Ed/ && shown != "" { print shown; shown = "" }
    /^\$ / { if (shown != "") print shown; shown = substr($0, 3); next }
    shown != "" { sub(/\\e$/, "", shown); shown = shown $0 }' "$1" |
    sed 's/\\(dq/"/g; s/\\(aq/'"'"'/g'
}

# What an example may end with: not everything is there in a fresh library.
verdict() {
  case $1 in
    'sophia model -p openrouter'*) echo 78 ;; # no key
    'sophia discord'* | 'sophia backfill'* | *'run list_roles') echo 78 ;; # no token
    'sophia gateway |'*) echo 78 ;;          # no token
    *'sophia sandbox run'*) echo 78 ;;       # it is off
    'sophia cost'* | *'list -s paused'* | 'sophia doctor'* | *'select(.skipped'*) echo '[01]' ;;
    *) echo 0 ;;
  esac
}

@test "the examples of the manuals run on the sample" {
  cd "$BATS_TEST_TMPDIR"
  sophia index import "$top/share/samples" >/dev/null
  task=$(sophia ask 'where is the oscilloscope?' | jq -r 'select(.type == "task").id')
  unset OPENROUTER_API_KEY
  echo '{"type":"event","shard":0,"number":0,"name":"RESUMED","sequence":1,"at":"2026-11-30T16:33:57.000Z","data":{}}' >recorded.ndjson
  shown=0
  for page in "$top"/man/*.[157]; do
    while IFS= read -r line; do
      run=$(sed "s/01k2jv4c7q9x3m5n8r0s/$task/; s/845000000000000100/1407655658655434071/
        s|exports/|$top/share/samples|; s|/srv/other|$BATS_TEST_TMPDIR/other|" <<<"$line")
      ended=0
      bash -o pipefail -c "$run" >out 2>err </dev/null || ended=$?
      [[ $ended == $(verdict "$line") ]] || { echo "${page##*/}: $line: exit $ended"; cat err; return 1; }
      shown=$((shown + 1))
    done < <(examples "$page")
  done
  [ "$shown" -ge 20 ]
}

@test "the manual's example of a tool works" {
  mkdir -p "$SOPHIA_HOME/tools"
  for part in json sh; do
    awk -v want="dice.$part" '/^\.Pa/ { on = index($0, want) } /^\.Bd/ && on { copy = 1; next }
      /^\.Ed/ { copy = 0 } copy' "$top/man/sophia-tool.5" |
      sed 's/\\e/\\/g' >"$SOPHIA_HOME/tools/dice.$part"
  done
  chmod +x "$SOPHIA_HOME/tools/dice.sh"
  run -0 sophia-tool run --text dice
  [[ $output == [1-6] ]]
}
