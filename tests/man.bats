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
