load helper

readme=$BATS_TEST_DIRNAME/../README.md

setup_file() {
  export LIBRARY=$BATS_FILE_TMPDIR/library
  command -v sophia >/dev/null || PATH=$BATS_TEST_DIRNAME/../bin:$PATH
  SOPHIA_SHARE=$BATS_TEST_DIRNAME/../share SOPHIA_HOME=$LIBRARY \
    sophia index import "$BATS_TEST_DIRNAME/../share/samples" >/dev/null
}

# Ids of tasks and the minute they began are others each time.
normal() {
  sed -E 's/^[0-9a-z]{20}(  [a-z]+ +)[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}  /TASK\1TIME  /'
}

# Where a heading is linked to: "What is not there yet" is #what-is-not-there-yet.
anchors() {
  sed -n 's/^##* //p' "$1" | tr '[:upper:] ' '[:lower:]-' | tr -cd 'a-z0-9\n-'
}

@test "the tour is what the demo prints (if it isn't: make readme)" {
  sed -n '/^<!-- demo -->$/,/^<!-- \/demo -->$/p' "$readme" | sed '1,2d' | head -n -2 |
    normal >"$BATS_TEST_TMPDIR/told"
  unset SOPHIA_HOME SOPHIA_SHARE
  "$top/tests/demo" "$(dirname "$(command -v sophia)")" | sed 1d | normal >"$BATS_TEST_TMPDIR/is"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/is")" -gt 30 ]
  diff "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/is"
}

@test "the conversation in Discord is what its demo prints (if it isn't: make readme)" {
  when() { sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.Z]+/WHEN/g; s/up [0-9]+ s as/up as/'; }
  sed -n '/^<!-- discord -->$/,/^<!-- \/discord -->$/p' "$readme" | sed '1,2d' | head -n -2 |
    when >"$BATS_TEST_TMPDIR/told"
  unset SOPHIA_HOME SOPHIA_SHARE
  "$top/tests/demo-discord" "$(dirname "$(command -v sophia)")" 3>&- | sed 1d | when >"$BATS_TEST_TMPDIR/is"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/is")" -gt 15 ]
  diff "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/is"
}

@test "what is asked before a change is what its demo prints (if it isn't: make readme)" {
  when() { sed -E 's/06[0-9a-z]{18}/TASK/g'; }
  sed -n '/^<!-- changes -->$/,/^<!-- \/changes -->$/p' "$readme" | sed '1,2d' | head -n -2 |
    when >"$BATS_TEST_TMPDIR/told"
  unset SOPHIA_HOME SOPHIA_SHARE
  "$top/tests/demo-changes" "$(dirname "$(command -v sophia)")" 3>&- | sed 1d | when >"$BATS_TEST_TMPDIR/is"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/is")" -gt 30 ]
  diff "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/is"
}

@test "code that a model runs is what its demo prints (if it isn't: make readme)" {
  docker image inspect "${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}" >/dev/null 2>&1 ||
    skip "no docker answers here, or there is no image: make sandbox-image"
  when() { sed -E 's/06[0-9a-z]{18}/ID/g; s/[0-9]+(  image)/SIZE\1/'; }
  sed -n '/^<!-- sandbox -->$/,/^<!-- \/sandbox -->$/p' "$readme" | sed '1,2d' | head -n -2 |
    when >"$BATS_TEST_TMPDIR/told"
  unset SOPHIA_HOME SOPHIA_SHARE
  "$top/tests/demo-sandbox" "$(dirname "$(command -v sophia)")" 3>&- | sed 1d | when >"$BATS_TEST_TMPDIR/is"
  [ "$(wc -l <"$BATS_TEST_TMPDIR/is")" -gt 10 ]
  diff "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/is"
}

@test "the pipelines it shows work on the sample" {
  cp -R "$LIBRARY/." "$SOPHIA_HOME"
  cd "$BATS_TEST_TMPDIR"
  sed -n '/^The same programs in a pipeline/,/^The answers above/s/^    //p' "$readme" >shown
  [ "$(wc -l <shown)" -eq 3 ]
  while IFS= read -r line; do
    run -0 --separate-stderr bash -o pipefail -c "$line"
    [ -z "$stderr" ]
    [ -n "$output" ] || [ -s messages.ndjson.gz ]
  done <shown
  [ "$(zcat messages.ndjson.gz | wc -l)" -eq "$(sophia index export | wc -l)" ]
}

@test "the table of programs is what there is" {
  sed -n '/^| command | one job |/,/^$/s/^| `\(sophia[a-z ]*\)` .*/\1/p' "$readme" |
    tr ' ' - | sort >"$BATS_TEST_TMPDIR/told"
  (cd "$(dirname "$(command -v sophia)")" && ls -d sophia*) | sort >"$BATS_TEST_TMPDIR/is"
  diff "$BATS_TEST_TMPDIR/told" "$BATS_TEST_TMPDIR/is"
}

@test "every link within the repository leads somewhere" {
  for page in README CONTRIBUTING; do
    grep -o '](\([^)]*\))' "$top/$page.md" | sed 's/^](//; s/)$//' >"$BATS_TEST_TMPDIR/links"
    while IFS= read -r link; do
      case $link in https:*) continue ;; esac
      file=${link%%#*}
      [ -e "$top/${file:-$page.md}" ] || { echo "$page: $link"; return 1; }
      [[ $link == *#* ]] || continue
      anchors "$top/${file:-$page.md}" | grep -qx -- "${link#*#}" ||
        { echo "$page: $link"; return 1; }
    done <"$BATS_TEST_TMPDIR/links"
  done
}

@test "what it says to make, make help lists" {
  make -s -C "$top" help | awk '{ print $1 }' >"$BATS_TEST_TMPDIR/goals"
  grep -oh '`make [a-z-]*`' "$top"/{README,CONTRIBUTING}.md | sed -n 's/^`make \(.*\)`$/\1/p' |
    sort -u >"$BATS_TEST_TMPDIR/said"
  [ -s "$BATS_TEST_TMPDIR/said" ]
  while IFS= read -r goal; do
    grep -qx -- "$goal" "$BATS_TEST_TMPDIR/goals" ||
      [ -x "$top/tests/bench/${goal#bench-}.sh" ] || { echo "$goal"; return 1; }
  done <"$BATS_TEST_TMPDIR/said"
}

@test "every library that is linked is in the table, and no other" {
  sed -n '/^LIBS/,/[^\\]$/p' "$top/Makefile" | grep -o '\-l[a-z0-9]*' | sed 's/-l//' |
    sed 's/^sqlite3$/SQLite/; s/^jq$/libjq/; s/^curl$/libcurl/; s/^icuuc$/ICU/
      s/^stemmer$/libstemmer/; s/^edit$/libedit/; s/^gmp$/GMP/; s/^crypto$/libcrypto/; /^m$/d
      s/^websockets$/libwebsockets/; s/^ssl$/libssl/; s/^z$/zlib/' |
    sort >"$BATS_TEST_TMPDIR/linked"
  sed -n '/^| library /,/^$/s/^| \([A-Za-z]*\) .*/\1/p' "$readme" | grep -v '^library$' |
    sort >"$BATS_TEST_TMPDIR/told"
  diff "$BATS_TEST_TMPDIR/linked" "$BATS_TEST_TMPDIR/told"
}

@test "a profile is chosen as it says, and the missing key is named" {
  run -0 sophia settings set profile openrouter
  run -78 --separate-stderr env -u OPENROUTER_API_KEY sophia ask --text hello
  [ "$stderr" = 'sophia-ask: profile openrouter: its key is missing; set OPENROUTER_API_KEY' ]
}
