load helper

# what bash would offer for these words; the last one is being typed
offer() {
  bash --norc -c 'source "$1"; shift
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _sophia; printf "%s\n" "${COMPREPLY[@]}"' \
    - "$top/share/completions/sophia.bash" "$@"
}

@test "sophia alone, with help, -h or --help lists all commands" {
  run -0 sophia
  listing=$output
  for word in help -h --help; do
    run -0 sophia "$word"
    [ "$output" = "$listing" ]
  done
  [ "${lines[0]}" = "sophia - ask a community's own history" ]
  [ "${lines[1]}" = 'usage: sophia command [argument ...]' ]
}

@test "each command is listed with the purpose that it states itself" {
  listing=$(sophia)
  for program in "$(dirname "$(command -v sophia)")"/sophia-*; do
    name=${program##*/sophia-}
    said=$("$program" --help | head -n 1)
    [ "$said" = "sophia-$name - $(sed -n "s/^  $name  *//p" <<<"$listing")" ] || {
      echo "$said"; grep "  $name " <<<"$listing"; return 1; }
  done
}

@test "sophia X runs sophia-X with its arguments and its exit code" {
  run -0 sophia tool list --jq .name
  grep -qx '"evaluate_math"' <<<"$output"
  run -65 sophia tool show nothing
}

@test "a program found in PATH is run and listed, but not in place of ours" {
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "mine: $*"\nexit 7\n' >"$BATS_TEST_TMPDIR/bin/sophia-extra"
  printf '#!/bin/sh\necho mine\n' >"$BATS_TEST_TMPDIR/bin/sophia-tool"
  printf 'no program\n' >"$BATS_TEST_TMPDIR/bin/sophia-text"
  chmod +x "$BATS_TEST_TMPDIR"/bin/sophia-{extra,tool}
  export PATH=$PATH:$BATS_TEST_TMPDIR/bin
  run -7 sophia extra 'a b' -c
  [ "$output" = 'mine: a b -c' ]
  run -0 sophia
  [[ $output == *$'Found in PATH, not part of Sophia:\n  extra '* ]]
  [[ $output != *'  text '* ]]
  run -0 sophia tool --version
  [[ $output == 'sophia-tool '* ]]
}

@test "an unknown command is exit 2, with what may have been meant" {
  run -2 --separate-stderr sophia toll list
  [ "$stderr" = $'sophia: there is no command \'toll\'\nDid you mean one of these?\n\ttool' ]
  [ -z "$output" ]
  run -2 --separate-stderr sophia otol
  [ "${stderr_lines[2]}" = $'\ttool' ]
  run -2 --separate-stderr sophia xyzzyxyzzy
  [ "${stderr_lines[1]}" = "'sophia help' lists what there is." ]
  run -2 sophia --frobnicate
  run -2 sophia help frobnicate
  run -2 sophia ../tool
}

@test "help on a command is its --help, on a subject its manual" {
  run -0 sophia help tool
  [ "$output" = "$(sophia-tool --help)" ]
  mkdir "$BATS_TEST_TMPDIR/bin"
  printf '#!/bin/sh\necho "man $*"\n' >"$BATS_TEST_TMPDIR/bin/man"
  chmod +x "$BATS_TEST_TMPDIR/bin/man"
  PATH=$BATS_TEST_TMPDIR/bin:$PATH run -0 sophia help records
  [ "$output" = "man -l $top/share/../man/sophia-records.5" ]
}

@test "--version is that of the other programs" {
  run -0 sophia --version
  [ "$output" = "sophia $(sophia-tool --version | cut -d' ' -f2)" ]
}

@test "bash completes commands, verbs and options" {
  run -0 offer sophia to
  [ "$output" = tool ]
  run -0 offer sophia help too
  [ "$output" = tool ]
  run -0 offer sophia tool ''
  [ "${lines[*]}" = 'list show check run' ]
  run -0 offer sophia-tool s
  [ "$output" = show ]
  run -0 offer sophia tool run --t
  [ "${lines[*]}" = '--task --text' ]
  run -0 offer sophia tool --s
  [ "$output" = --serve ]
}

@test "zsh's and fish's completions parse, and ask the programs" {
  for shell in zsh fish; do
    file=$top/share/completions/_sophia
    [ $shell = zsh ] || file=$top/share/completions/sophia.fish
    grep -q -e --list-options "$file"
    command -v $shell >/dev/null || continue
    $shell -n "$file"
  done
}

@test "that there is nothing is said at a terminal, and silent in a pipe" {
  sophia index import "$top/share/samples" >/dev/null
  while IFS=: read -r line words; do
    run -1 --separate-stderr bash -c "sophia $line --text | cat; exit \${PIPESTATUS[0]}"
    [ -z "$output$stderr" ]
    run -1 command script -qec "sophia $line" /dev/null </dev/null
    [ "$output" = "sophia-${line%% *}: $words"$'\r' ]
  done <<'LINES'
retrieve xyzzy:nothing was found; --structure shows what is indexed
task list:there is no such task
cost:no model was used
LINES
}

@test "wrong usage of a verb shows how that one is used, not all of them" {
  run -2 --separate-stderr sophia settings set voice
  [ "$stderr" = $'sophia-settings: too few arguments\nusage: sophia-settings set name value' ]
  run -2 --separate-stderr sophia index reset --force
  [ "$stderr" = $'sophia-index: there is no option --force\nusage: sophia-index reset [-y]' ]
}

@test "no control character of C0 or C1 reaches a terminal by a message or record" {
  run -2 --separate-stderr sophia $'a\e[2J\u009b2J\u007f'
  [ "${stderr_lines[0]}" = "sophia: there is no command 'a?[2J?2J?'" ]
  run -0 sophia tool run query_json '{"filter":".","data":"\"\\u009b2J\""}'
  [[ $output == *'["\u009b2J"]'* ]]
  run -0 sophia tool list --jq '"\u009b2J\u00a0"'
  [ "${lines[0]}" = $'"\\u009b2J\u00a0"' ]
}
