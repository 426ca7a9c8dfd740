load helper

# On the real engine, with the image of `make sandbox-image`, or the one that
# $SOPHIA_SANDBOX_IMAGE names; $SOPHIA_SANDBOX_ENGINE may be podman.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}
by=${SOPHIA_SANDBOX_ENGINE:-docker}

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR"
  mkdir in
}

# Whatever a test did, no container is left, and no lock of one.
teardown() {
  [ ! -d "$SOPHIA_HOME/run/sandbox" ] || [ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]
  [ ! -s labels ] || [ -z "$("$by" ps -aq --filter "label=$(head -n 1 labels)")" ]
}

# started - wait until a container of this state folder runs; its name.
started() {
  until name=$(ls "$SOPHIA_HOME/run/sandbox" 2>/dev/null | grep .) &&
    [ "$("$by" inspect --format '{{.State.Running}}' "$name" 2>/dev/null)" = true ]; do :; done
  "$by" inspect --format 'org.sophia.home={{index .Config.Labels "org.sophia.home"}}' "$name" >>labels
  echo "$name"
}

# unharmed - the files that went in are as they were.
unharmed() {
  [ "$(cd in && sha256sum -- * | sha256sum)" = "$before" ]
  [ ! -e out ] || [ -z "$(find out -type f)" ]
}

inputs() {
  printf a >in/one
  printf b >in/two
  before=$(cd in && sha256sum -- * | sha256sum)
}

# engine - code may be run; or skip.
engine() {
  "$by" version >/dev/null 2>&1 || skip "no $by answers here"
  [ "$("$by" image inspect --format '{{index .Config.Labels "org.sophia.sandbox"}}' "$image" 2>/dev/null)" = 1 ] ||
    skip "there is no image $image: make sandbox-image"
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
  sophia-settings set sandbox.engine "$by" >/dev/null
}

code() { sophia-sandbox run --text "$@"; }

@test "it is off until somebody switches it on: exit 78, and how" {
  run -78 --separate-stderr sophia-sandbox run - <<<'print(1)'
  [ -z "$output" ]
  [ "$stderr" = 'sophia-sandbox: running code is switched off: `sophia settings set sandbox.enabled on` switches it on' ]
}

@test "without an engine it says what to install: exit 78" {
  sophia-settings set sandbox.enabled on >/dev/null
  run -78 --separate-stderr env PATH="$PWD" "$(command -v sophia-sandbox)" run - <<<'print(1)'
  [ "$stderr" = 'sophia-sandbox: there is no docker here: install it (apt-get install docker.io), or name another with `sophia settings set sandbox.engine`' ]
}

@test "an engine that doesn't answer is named: exit 78" {
  command -v docker >/dev/null || skip "no docker here"
  sophia-settings set sandbox.enabled on >/dev/null
  DOCKER_HOST=unix://$PWD/none run -78 --separate-stderr sophia-sandbox run - <<<'print(1)'
  [[ $stderr = 'sophia-sandbox: docker does not answer: start it, or let this user use it ('*')' ]]
}

@test "a missing image is named, with what makes it: exit 78" {
  engine
  sophia-settings set sandbox.image sophia-none:7 >/dev/null
  run -78 --separate-stderr sophia-sandbox run - <<<'print(1)'
  how='make sandbox-image'
  [ "${SOPHIA_SANDBOX_ENGINE:-docker}" = docker ] || how+=" ENGINE=$SOPHIA_SANDBOX_ENGINE"
  [ "$stderr" = "sophia-sandbox: there is no image sophia-none:7: make it with \`$how\`, or name another with \`sophia settings set sandbox.image\`" ]
}

@test "Podman's image is made for Podman: what is said makes it there" {
  mkdir engines
  printf '#!/bin/sh\necho "Error: sophia-sandbox:1: image not known" >&2\nexit 125\n' >engines/podman
  chmod +x engines/podman
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.engine podman >/dev/null
  PATH=$PWD/engines:$PATH run -78 --separate-stderr sophia-sandbox run - <<<'print(1)'
  [[ $stderr = *'make it with `make sandbox-image ENGINE=podman`, or'* ]]
}

@test "Python, JavaScript and shell run, and end with the code's own verdict" {
  engine
  run -0 --separate-stderr code - <<<'print(6 * 7)'
  [ "$output" = 42 ]
  [ -z "$stderr" ]
  run -0 code -l javascript - <<<'console.log([1, 2, 3].map(x => x * x).join())'
  [ "$output" = 1,4,9 ]
  echo 'echo $((2 ** 10)); exit 3' >x.sh
  run -1 --separate-stderr code x.sh
  [ "$output" = 1024 ]
  [ "$stderr" = 'exit code 3' ]
}

@test "without a folder to put them in, files are listed, and it says that none is kept" {
  engine
  run -0 --separate-stderr code -l shell - <<<'echo x >f; attach f'
  [ "${stderr_lines[0]}" = 'changed   f (2 bytes)' ]
  [ "${stderr_lines[1]}" = 'attached  f, version 1 (text/plain, 2 bytes)' ]
  [ "${stderr_lines[2]}" = 'none of it is kept: --out names no folder' ]
}

@test "files go in, and those that were changed come out" {
  engine
  printf a >in/same; printf b >in/other; printf c >in/gone
  run -0 --separate-stderr code -i in -o out - <<'P'
import os
print(open('same').read(), ls())
open('other', 'a').write('!')
os.remove('gone')
os.makedirs('deep/er')
open('deep/er/ü.txt', 'w').write('new')
P
  [ "$output" = "a [('gone', 1), ('other', 1), ('same', 1)]" ]
  [ "$(sort <<<"$stderr")" = $'changed   deep/er/ü.txt (3 bytes)\nchanged   other (2 bytes)\nremoved   gone' ]
  [ "$(cd out && find . -type f | sort | xargs)" = './deep/er/ü.txt ./other' ]
  [ "$(cat out/other)" = 'b!' ]
  run -0 code -i in -o in -l shell - <<<'rm gone; echo more >>same'
  [ "$(ls in | xargs)" = 'other same' ]
  [ "$(cat in/same)" = amore ]
}

@test "pandas and openpyxl make a spreadsheet and read it again" {
  engine
  run -0 code - <<'P'
import pandas as p
p.DataFrame({'a': [1, 2, 3]}).to_excel('t.xlsx', index=False)
print(p.read_excel('t.xlsx').a.sum(), attach('t.xlsx')['media'])
P
  [ "${lines[0]}" = '6 application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' ]
}

@test "matplotlib draws, also what is not Latin, and Pillow scales it" {
  engine
  run -0 --separate-stderr code -o out - <<'P'
import matplotlib.pyplot as p
from PIL import Image
p.rcParams['font.family'] = ['DejaVu Sans', 'Noto Sans CJK JP']
p.plot([1, 4, 9]); p.title('日本語'); p.savefig('plot.png')
Image.open('plot.png').convert('RGB').resize((64, 48)).save('small.jpg')
for f in 'plot.png', 'small.jpg':
    d = attach(f); print(d['media'], d['kind'], d['version'])
P
  [ "$output" = $'image/png image 1\nimage/jpeg image 1' ]
  [ "$(ls out | xargs)" = 'plot.png small.jpg' ]
  [[ $stderr != *Glyph* ]]
}

@test "pypdf joins what matplotlib printed" {
  engine
  run -0 code - <<'P'
import matplotlib.pyplot as p
from pypdf import PdfReader, PdfWriter
p.plot([1]); p.savefig('a.pdf')
w = PdfWriter()
for i in range(2):
    w.add_page(PdfReader('a.pdf').pages[0])
w.write('b.pdf')
print(len(PdfReader('b.pdf').pages))
P
  [ "${lines[0]}" = 2 ]
}

@test "ffmpeg cuts a clip" {
  engine
  run -0 code -l shell - <<'P'
ffmpeg -v error -f lavfi -i testsrc=d=3:s=64x48:r=5 -c:v mpeg4 whole.mp4 </dev/null
ffmpeg -v error -ss 1 -t 1 -i whole.mp4 -c copy cut.mp4 </dev/null
ffprobe -v error -show_entries format=duration -of csv=p=0 cut.mp4
P
  [[ ${lines[0]} = 1.* ]]
}

@test "ffmpeg takes a frame and a sound out of a clip, and Pillow sees the frame" {
  engine
  run -0 code -l shell - <<'P'
ffmpeg -v error -f lavfi -i testsrc=d=2:s=64x48:r=5 -f lavfi -i sine=d=2 \
  -c:v mpeg4 -c:a aac clip.mp4 </dev/null
ffmpeg -v error -ss 1 -i clip.mp4 -frames:v 1 frame.png </dev/null
ffmpeg -v error -i clip.mp4 -ac 1 -ar 16000 sound.wav </dev/null
python3 -c 'import wave
from PIL import Image
w = wave.open("sound.wav")
print(Image.open("frame.png").size, w.getnchannels(), round(w.getnframes() / w.getframerate()))'
P
  [ "${lines[0]}" = '(64, 48) 1 2' ]
}

@test "Node reads, packs and unpacks, and waits" {
  engine
  printf 'name,n\na,1\nb,2\n' >in/t.csv
  run -0 --separate-stderr code -l javascript -i in -o out - <<'P'
const fs = require('fs/promises'), zlib = require('zlib'), crypto = require('crypto')
async function main() {
  const rows = (await fs.readFile('t.csv', 'utf8')).trim().split('\n').slice(1).map(r => r.split(','))
  const packed = zlib.gzipSync(JSON.stringify(Object.fromEntries(rows)))
  await fs.writeFile('t.json.gz', packed)
  await new Promise(r => setTimeout(r, 1))
  console.log(zlib.gunzipSync(packed).toString(), crypto.createHash('sha256').update('').digest('hex').slice(0, 8))
}
main()
P
  [ "$output" = '{"a":"1","b":"2"} e3b0c442' ]
  [ "$(zcat out/t.json.gz)" = '{"a":"1","b":"2"}' ]
}

@test "what is handed over has an id and a version while the code runs, and is found again" {
  engine
  run -1 --separate-stderr code -o out - <<'P'
a = attach('one', 'n.txt')
b = attach(b'two', 'n.txt')
print(a['id'] == b['id'], a['version'], b['version'], len(list_attachments()))
print(read_attachment('n.txt'), read_attachment(a['id'], 1), get_attachment('n.txt', -2)['version'])
try:
    attach('/etc/passwd')
except SandboxError as e:
    print(e)
raise SystemExit(5)
P
  [ "${lines[0]}" = 'True 1 2 2' ]
  [ "${lines[1]}" = "b'two' b'one' 1" ]
  [ "${lines[2]}" = '/etc/passwd is neither in /workspace nor in /tmp' ]
  [[ $stderr = $'exit code 5\n'*'n.txt, version 2'* ]]
  [ "$(cat out/n.txt)" = two ]
}

@test "a shell and Node hand over by a command" {
  engine
  run -0 code -l shell - <<<'echo hi >x.txt; attach x.txt | grep -o text/plain; attach --read x.txt'
  [ "${lines[0]} ${lines[1]}" = 'text/plain hi' ]
  run -0 code -l javascript - <<<'
    require("fs").writeFileSync("y.txt", "yo")
    const out = require("child_process").execFileSync("attach", ["y.txt", "z.txt"])
    console.log(JSON.parse(out).filename)'
  [ "${lines[0]}" = z.txt ]
}

@test "with --json it is one result record" {
  engine
  run -1 --separate-stderr sophia-sandbox run -l shell - <<<'echo out; echo err >&2; echo x >f; exit 4'
  valid_records <<<"$output"
  run -0 jq -c '[.ok, .data.exit, .data.stdout.text, .data.stderr.text, .data.files]' <<<"$output"
  [ "$output" = '[true,4,"out\n","err\n",[{"path":"f","size":2}]]' ]
}

@test "code that runs too long is ended, and its files are as they were" {
  engine
  inputs
  run -75 --separate-stderr code -i in -o in -t 1 - <<<$'open("one", "w").write("x")\nwhile True: pass'
  [ "$stderr" = 'sophia-sandbox: the code ran longer than 1 s, and was ended' ]
  unharmed
  run -2 code -t 301 - <<<'print(1)'
}

@test "memory: what takes more than it may is killed, and said so" {
  engine
  inputs
  run -69 --separate-stderr code -i in -o in - <<<$'x = []\nwhile True: x.append(bytearray(10 ** 7))'
  [[ $stderr = *'maybe for its memory' ]]
  unharmed
}

@test "processes: a fork bomb ends with its time, and so does all of it" {
  engine
  inputs
  run -75 --separate-stderr code -i in -o in -t 2 -l shell - <<<'f() { f | f & }; f; while :; do :; done'
  unharmed
}

@test "disk: a full one is the code's own error, and too much is not taken" {
  engine
  inputs
  run -69 --separate-stderr code -i in -o in -l shell - <<<'dd if=/dev/zero of=big bs=1M status=none; echo full'
  [ "$output" = full ]
  [[ $stderr = *'No space left on device'*'more than 100 files or 20 MiB were changed: split the work' ]]
  unharmed
}

@test "output: a mebibyte is shown, and a flood is ended" {
  engine
  sophia-sandbox run --text - <<<'print("x" * 3000000)' >shown 2>said
  [ "$(wc -c <shown)" = 1048576 ]
  [ "$(cat said)" = 'what it printed was cut after 1 MiB' ]
  run -69 --separate-stderr code -l shell - <<<'yes >&2'
  [[ $stderr = *'the code printed more than 64 MiB' ]]
}

@test "101 files, a link, a pipe, a name that is not UTF-8: nothing is taken" {
  engine
  inputs
  while IFS='|' read -r do why; do
    run -69 --separate-stderr code -i in -o in -l shell - <<<"echo x >one; $do"
    [ "$stderr" = "sophia-sandbox: $why" ]
    unharmed
  done <<'T'
for i in $(seq 101); do echo $i >f$i; done|more than 100 files or 20 MiB were changed: split the work
ln -s /etc/passwd link|the workspace holds a link: 'link'
ln one two2|the workspace holds a link: 'two2'
mkfifo pipe|the workspace holds a device, pipe or socket: 'pipe'
echo x >$'a\nb'|the path 'a?b' has a control character
echo x >$'a\xff'|the path 'a?' is not UTF-8
T
}

@test "what can't go in is said before anything runs" {
  engine
  ln -s /etc/passwd in/link
  run -65 --separate-stderr code -i in - <<<'print(1)'
  [ "$stderr" = 'sophia-sandbox: in: link is a link' ]
  rm in/link
  truncate -s $((20 * 1024 * 1024 + 1)) in/big
  run -69 --separate-stderr code -i in - <<<'print(1)'
  [ "$stderr" = 'sophia-sandbox: in: files of more than 20 MiB at once: split the work' ]
}

@test "interrupted: its container is gone before it ends" {
  engine
  inputs
  sophia-sandbox run -i in -o in - <<<$'open("one", "w").write("x")\nimport time\ntime.sleep(100)' 2>said 3>&- &
  pid=$!
  name=$(started)
  kill -TERM "$pid"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" = 75 ]
  [ "$(cat said)" = 'sophia-sandbox: it was cancelled' ]
  run ! "$by" inspect "$name"
  unharmed
}

@test "interrupted at any moment: no container, and nothing half done" {
  engine
  inputs
  for after in 0.02 0.1 0.2 0.3 0.4 0.6; do
    run timeout --preserve-status "$after" sophia-sandbox run -i in -o in - <<'P'
open('one', 'w').write('x')
while True:
    pass
P
    # 143: it came before the program began with anything
    [ "$status" = 75 ] || { [ "$status" = 143 ] && [ -z "$output" ]; }
    [ -z "$(ls "$SOPHIA_HOME/run/sandbox" 2>/dev/null)" ]
    unharmed
  done
  run -1 sophia-sandbox gc
}

@test "the engine's client is killed: an error, and no container" {
  engine
  inputs
  sophia-sandbox run -i in -o in - <<<$'import time\ntime.sleep(100)' 2>said 3>&- &
  pid=$!
  name=$(started)
  kill -KILL "$(pgrep -P "$pid" "$by")"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" = 75 ]
  [[ $(cat said) = 'sophia-sandbox: the container broke off: '* ]]
  run ! "$by" inspect "$name"
  unharmed
}

@test "the program itself is killed: the next one removes what is left" {
  engine
  inputs
  sophia-sandbox run -i in -o in - <<<$'import time\ntime.sleep(100)' 3>&- &
  pid=$!
  name=$(started)
  kill -KILL "$pid"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" = 137 ]
  run -0 code - <<<'print(2)'
  [ "$output" = 2 ]
  run ! "$by" inspect "$name"
  unharmed
  run -1 sophia-sandbox gc
  [ "$output" = '0 containers removed' ]
}

@test "the doctor says whether code can be run" {
  run sophia-doctor --jq 'select(.what == "sandbox") | [.level, .text]'
  [ "${lines[0]}" = '["ok","off: no code is run"]' ]
  engine
  run sophia-doctor --jq 'select(.what == "sandbox") | [.level, .text]'
  [ "${lines[0]}" = "[\"ok\",\"$by has the image $image\"]" ]
  sophia-settings set sandbox.image sophia-none:7 >/dev/null
  run -78 sophia-doctor --jq 'select(.what == "sandbox") | .level'
  [ "${lines[0]}" = '"fail"' ]
}
