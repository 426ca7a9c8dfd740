load helper
load turns

# Tools that hand over artifacts: the loop keeps them while the call runs.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  state_folder
  provider_use
}

# attaching - a tool that says each line of the file `says`, with its id, and
# notes what it is answered; it ends well, or as the file `end` says.
attaching() {
  sh_tool plot '{"tier":"scratch","attach":true}' <<SH
while read -r line <&3; do
  printf '%s\n' "\${line/ID/\$id}"
  read -r answer && printf '%s\n' "\$answer" >>"$BATS_TEST_TMPDIR/answers"
done 3<"$BATS_TEST_TMPDIR/says"
[ ! -e "$BATS_TEST_TMPDIR/end" ] || exit 1
result plotted
SH
}

attach() {
  printf '{"type":"attach","id":"ID","filename":"%s","%s":"%s"}\n' "$@" >>"$BATS_TEST_TMPDIR/says"
}

answers() { jq -rc "$1" "$BATS_TEST_TMPDIR/answers"; }

@test "a tool hands over an artifact: it is described at once, and listed in the result" {
  attaching
  attach a.txt text one
  attach a.txt text two
  attach dot.png base64 iVBORw0KGgo=
  says "$(calls plot '{}')" '{"text":"There."}'
  run -0 loop 'plot'
  valid_records <"$BATS_TEST_TMPDIR/answers"
  valid_records <<<"$output"
  [ "$(answers '[.version, .media]' | xargs)" = '[1,text/plain] [2,text/plain] [1,image/png]' ]
  [ "$(answers .id | sort -u | wc -l)" -eq 2 ]
  task=$(pick 'select(.type == "task").id')
  [ "$(pick 'select(.type == "result").artifacts[] | "\(.filename) \(.version) \(.call)"')" = "a.txt 1 $task.1
a.txt 2 $task.1
dot.png 1 $task.1" ]
  [ "$(sql 'SELECT group_concat(filename || version) FROM artifact')" = a.txt1,a.txt2,dot.png1 ]
}

@test "a person who asked is told what was handed over, and how to get it" {
  attaching
  attach a.txt text one
  attach a.txt text two
  attach b.txt text three
  says "$(calls plot '{}')" '{"text":"There."}'
  run -0 --separate-stderr sophia-ask --text -p fake plot
  [ "$output" = There. ]
  task=$(sql 'SELECT id FROM task')
  [ "$stderr" = "Handed over:
a.txt
b.txt
To have one here: sophia sandbox files get $task NAME FILE" ]
  run -0 sophia-sandbox files get "$task" a.txt
  [ "$output" = two ]
  says "$(calls plot '{}')" '{"text":"There."}'
  run -0 --separate-stderr sophia-ask --text -q -p fake plot
  [ -z "$stderr" ]
}

@test "what was handed over stays, whatever becomes of the call" {
  attaching
  attach a.txt text one
  touch "$BATS_TEST_TMPDIR/end"
  says "$(calls plot '{}')" '{"text":"It broke."}'
  run -0 loop 'plot'
  [ "$(pick 'select(.type == "error").kind')" = internal ]
  [ "$(sql 'SELECT filename, call FROM artifact')" = 'a.txt|1' ]
}

@test "what can't be kept is answered with why" {
  attaching
  attach a/b text one
  attach a.txt base64 'aGk'
  attach a.txt base64 'aGl='
  attach a.txt path none.txt
  printf '{"type":"attach","id":"ID","filename":"a"}\n' >>"$BATS_TEST_TMPDIR/says"
  says "$(calls plot '{}')" '{"text":"no"}'
  run -0 loop 'plot'
  valid_records <"$BATS_TEST_TMPDIR/answers"
  [ "$(answers .text)" = 'a filename is needed, without a folder
base64: that is none
base64: that is none
there is no file none.txt
attach: one of text, base64 and path is needed' ]
  [ "$(pick 'select(.type == "result").summary')" = plotted ]
  [ "$(sql 'SELECT count(*) FROM artifact')" = 0 ]
}

@test "a manifest that doesn't say so attaches nothing" {
  attaching
  tool plot '{"tier":"scratch","serve":true}'
  attach a.txt text one
  says "$(calls plot '{}')" '{"text":"no"}'
  run -0 loop 'plot'
  [ "$(answers .text)" = 'the manifest of plot does not say that it attaches' ]
}

@test "by hand nothing is kept, and the tool is told" {
  attaching
  attach a.txt text one
  run -0 sophia-tool run --text plot
  [ "${lines[0]}" = plotted ]
  [ "$(answers .text)" = 'by hand nothing is kept, since there is no task' ]
}
