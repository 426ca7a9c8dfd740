load helper

# On the real engine, with the image of `make sandbox-image`, or the one that
# $SOPHIA_SANDBOX_IMAGE names.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR"
  mkdir in
}

teardown() {
  [ ! -d "$SOPHIA_HOME/run/sandbox" ] || [ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]
}

# engine - code may be run; or skip.
engine() {
  docker version >/dev/null 2>&1 || skip "no docker answers here"
  [ "$(docker image inspect --format '{{index .Config.Labels "org.sophia.sandbox"}}' "$image" 2>/dev/null)" = 1 ] ||
    skip "there is no image $image: make sandbox-image"
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
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
  [ "$stderr" = 'sophia-sandbox: there is no image sophia-none:7: make it with `make sandbox-image`, or name another with `sophia settings set sandbox.image`' ]
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
