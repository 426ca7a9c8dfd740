load helper

# Bombs, floods and failures, on the real engine: each ends with an error that
# says why, or with the code's own, and loses nothing. See also
# sophia-sandbox.bats, which has the usual ones.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}

setup() {
  state_folder
  cd "$BATS_TEST_TMPDIR"
  mkdir in
  printf a >in/one
  printf b >in/two
  before=$(sha256sum in/*)
  docker version >/dev/null 2>&1 || skip "no docker answers here"
  docker image inspect "$image" >/dev/null 2>&1 || skip "there is no image $image: make sandbox-image"
  switch_on
}

switch_on() {
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "${1:-$image}" >/dev/null
}

teardown() {
  [ -z "$engine" ] || stop_engine
  [ ! -d "$SOPHIA_HOME/run/sandbox" ] || [ -z "$(ls "$SOPHIA_HOME/run/sandbox")" ]
}

# code OPTIONS... - run stdin, with files.
code() { sophia-sandbox run -i in -o in --text "$@" -; }

unharmed() { [ "$(sha256sum in/*)" = "$before" ]; }

# refused WHY OPTIONS... - so ends what stdin does, and its files are as they were.
refused() {
  local why=$1
  shift
  run -69 --separate-stderr code "$@"
  echo "$stderr"
  [[ $stderr = *"sophia-sandbox: "$why ]]
  unharmed
}

# begin - a run in the background, which has said "there": its pid, its container's
# name. What is said goes to the file said.
begin() {
  mkfifo there
  sophia-sandbox run -i in -o in --text -l shell - <<<"echo x >one; echo there; sleep 100" \
    >there 2>said 3>&- &
  pid=$!
  read -r word <there
  [ "$word" = there ]
  name=$(ls "$SOPHIA_HOME/run/sandbox")
}

# ends CODE WHY
ends() {
  local ended=0
  wait "$pid" || ended=$?
  cat said
  [[ $ended = $1 ]]
  [[ $(cat said) = $2 ]]
  unharmed
}

too_much='more than 100 files or 20 MiB were changed: split the work'

@test "time: 300 s and no more can be asked for" {
  run -2 --separate-stderr code -t 301 <<<'print(1)'
  run -2 --separate-stderr code -t 0 <<<'print(1)'
  run -0 --separate-stderr code -t 300 <<<'print(1)'
  [ "$output" = 1 ]
}

@test "time: it is over for children, daemons and those that ignore signals, too" {
  run -75 --separate-stderr code -t 2 -l shell <<'S'
trap '' TERM INT HUP
(trap '' TERM HUP; setsid bash -c 'while :; do sleep 0.1; done' &)
echo x >one
while :; do :; done
S
  [ "$stderr" = 'sophia-sandbox: the code ran longer than 2 s, and was ended' ]
  unharmed
}

@test "time: it is over for who stops itself" {
  run -75 code -t 1 -l shell <<<'echo x >one; kill -STOP $$'
  unharmed
}

@test "time: what stays behind does not keep a run from its end" {
  run -0 --separate-stderr code -l shell <<'S'
setsid bash -c 'exec >/dev/null 2>&1; sleep 100; echo late >two' &
bash -c 'trap "" TERM; sleep 100' &
echo done
S
  [ "$output" = done ]
  unharmed
}

@test "time: an engine that stops the clock is given up on" {
  begin
  docker pause "$name" >/dev/null
  kill -TERM "$pid"
  ends 75 'sophia-sandbox: it was cancelled'
  run -1 docker inspect "$name"
}

@test "memory: of many processes together" {
  refused 'the *was killed*' -l python <<'P'
import os, time
open('one', 'w').write('x')
for i in range(40):
    if os.fork() == 0:
        x = bytearray(50 << 20)
        time.sleep(100)
os.wait()
os.kill(os.getpid(), 9)
P
}

@test "memory: of files in all folders that can be written" {
  run -0 --separate-stderr code -l python <<'P'
import os
left = {}
for folder in '/workspace', '/tmp', '/dev/shm':
    path, n = folder + '/big', 0
    try:
        with open(path, 'wb', 0) as f:
            while n < 2000:
                n += f.write(b'x' * (1 << 20)) >> 20
    except OSError as e:
        left[folder] = n
    os.unlink(path)
print(left['/workspace'] <= 256, left['/tmp'] <= 256, left['/dev/shm'] <= 64)
P
  [ "$output" = 'True True True' ]
  unharmed
}

@test "processes: at most 128, threads too, and then an error of the code's own" {
  run -0 --separate-stderr code -l python <<'P'
import os, threading, time
made = 0
try:
    while made < 1000:
        if os.fork() == 0:
            time.sleep(100)
            os._exit(0)
        made += 1
except OSError as e:
    print(e.strerror, made <= 128)
try:
    threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
    print('a thread more')
except RuntimeError as e:
    print(e)
P
  [ "${lines[0]}" = 'Resource temporarily unavailable True' ]
  [ "${lines[1]}" = "can't start new thread" ]
  unharmed
}

@test "processes: a storm of them, while it ends by itself" {
  run -0 --separate-stderr code -l python -t 60 <<'P'
import os, time
if os.fork() == 0:
    while True:
        try:
            os.fork()
        except OSError:
            pass
time.sleep(1)
P
  unharmed
}

@test "disk: a hundred thousand files, and no end of them" {
  refused "$too_much" -l python -t 120 <<'P'
import os
open('one', 'w').write('x')
try:
    for i in range(120000):
        os.close(os.open('f%d' % i, os.O_CREAT, 0o600))
except OSError as e:
    print(e.strerror)
P
  [ -z "$output" ] || [ "$output" = 'No space left on device' ]
}

@test "disk: folders in folders, and no end of them" {
  refused 'the workspace holds a folder or file that can'"'"'t be read, or lies too deep: *' \
    -l python <<'P'
import os
open('one', 'w').write('x')
for i in range(2000):
    os.mkdir('d')
    os.chdir('d')
P
}

@test "disk: a file with a hole of a tebibyte" {
  refused "$too_much" -l shell <<<'echo x >one; truncate -s 1T hole'
}

@test "disk: 20 MiB come out, and a byte more does not" {
  run -0 --separate-stderr code -l shell <<<'truncate -s 20M big'
  [ "$(stat -c %s in/big)" = 20971520 ]
  rm in/big
  refused "$too_much" -l shell <<<'echo x >one; truncate -s 20971519 big'
  refused "$too_much" -l shell <<<'truncate -s 10485761 big1 big2'
}

@test "disk: 100 files come out, and one more does not" {
  run -0 code -l shell <<<'touch $(seq -f n%g 100)'
  [ "$(ls in | wc -l)" = 102 ]
  rm in/n*
  refused "$too_much" -l shell <<<'echo x >one; touch $(seq -f n%g 100)'
}

@test "disk: files that a run can't read again, links, devices, sockets: nothing is taken" {
  while IFS='|' read -r do why; do
    refused "$why" -l shell <<<"echo x >one; $do"
  done <<'T'
chmod 0 two|the workspace holds a folder or file that can't be read, or lies too deep: 'two'
mkdir -m 0 shut|the workspace holds a folder or file that can't be read, or lies too deep: 'shut'
ln -s ../../etc/passwd x|the workspace holds a link: 'x'
ln -sfn / two|the workspace holds a link: 'two'
ln one x|the workspace holds a link: '*'
mknod x c 0 0|the workspace holds a device, pipe or socket: 'x'
mkfifo x|the workspace holds a device, pipe or socket: 'x'
python3 -c 'import socket; socket.socket(1).bind("x")'|the workspace holds a device, pipe or socket: 'x'
rm one; mkdir one; mkfifo one/p|the workspace holds a device, pipe or socket: 'one/p'
touch $'a\x01'|the path 'a?' has a control character
touch $'\xc0\xae'|the path '*' is not UTF-8
touch CON|the path 'CON' names a device
T
}

@test "disk: two names that differ in their case are two files" {
  run -0 code -l shell <<<'echo 1 >One'
  [ "$(cd in && cat One one two | xargs)" = '1 ab' ]
}

@test "disk: a file that became a folder is not put over the old one" {
  run -78 --separate-stderr code -l shell <<<'echo x >one; rm two; mkdir two; echo 2 >two/two'
  [ "$stderr" = 'sophia-sandbox: in: the folder two: Not a directory' ]
  unharmed
}

@test "output: a flood of both at once is ended" {
  refused 'the code printed more than 64 MiB' -l shell <<<'echo x >one; yes & yes >&2'
}

@test "output: bytes of all kinds, and frames among them, are what was printed" {
  run -0 --separate-stderr code -l python <<'P'
import os
os.write(1, bytes(range(256)) * 100)
os.write(1, b'\0\0\0\1Z\0\0\0\3Xe\0')
os.write(2, b'\0\0\0\1Z')
P
  code -l python <<<'import os; os.write(1, bytes(range(256)) * 100 + b"\0\0\0\1Z")' >printed
  [ "$(wc -c <printed)" = 25605 ]
  unharmed
}

@test "runner: code that takes its means away gains nothing" {
  begin=$SECONDS
  run code -l python <<'P'
import resource
open('one', 'w').write('x')
for n in resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_AS, resource.RLIMIT_NPROC:
    resource.prlimit(1, n, (0, 0))
P
  case $status in
  0) [ "$(cat in/one)" = x ] ;;
  69 | 75) unharmed ;;
  *) false ;;
  esac
}

@test "engine: the container is killed, removed or stopped by somebody: an error" {
  for do in kill 'rm -f' 'stop -t 0'; do
    begin
    docker $do "$name" >/dev/null
    ends '[67][59]' 'sophia-sandbox: the container *'
    run -1 docker inspect "$name"
    rm there
  done
}

@test "engine: a user who may not use it is told so" {
  [ "$(id -u)" = 0 ] || skip "only root can be another user"
  chmod 755 "$BATS_TEST_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR" || true
  chown -R nobody "$SOPHIA_HOME"
  run -78 --separate-stderr setpriv --reuid=nobody --regid=nogroup --clear-groups \
    "$(command -v sophia-sandbox)" run - <<<'print(1)'
  [[ $stderr = 'sophia-sandbox: docker does not answer: start it, or let this user use it ('*ermission*')' ]]
}

@test "engine: one that can't be executed is told" {
  sophia-settings set sandbox.engine podman >/dev/null
  run -78 --separate-stderr env PATH="$PWD" "$(command -v sophia-sandbox)" run - <<<'print(1)'
  [[ $stderr = 'sophia-sandbox: there is no podman here: install it (apt-get install podman)'* ]]
}

@test "image: the doctor names one of another version, and one that is not ours" {
  version() { docker commit --change "LABEL org.sophia.sandbox=$1" "$id" "sophia-test-label:$$"; }
  id=$(docker create "$image" true)
  for label in 9 ''; do
    version "$label" >/dev/null
    switch_on "sophia-test-label:$$"
    run -78 sophia-doctor --jq 'select(.what == "sandbox") | [.level, .text]'
    docker image rm "sophia-test-label:$$" >/dev/null
    echo "${lines[0]}"
    [ "${lines[0]}" = "[\"fail\",\"the image sophia-test-label:$$ is of another version\"]" ] || break
    label=both
  done
  docker rm "$id" >/dev/null
  [ "$label" = both ]
}

# An engine of our own, which may be killed.
start_engine() {
  export DOCKER_HOST=unix://$PWD/engine/socket
  mkdir -p engine
  dockerd --data-root "$PWD/engine/data" --exec-root "$PWD/engine/exec" \
    --pidfile "$PWD/engine/pid" --host "$DOCKER_HOST" --bridge=none --iptables=false \
    --ip-masq=false >>engine/log 2>&1 3>&- &
  engine=$!
  until docker version >/dev/null 2>&1; do
    kill -0 "$engine" 2>/dev/null || return 1
  done
}

stop_engine() {
  kill "$engine"
  wait "$engine" || true
  engine=
  # one that was killed left its mounts
  sed -n "s#^[^ ]* \($PWD/engine/[^ ]*\) .*#\1#p" /proc/mounts | sort -r | xargs -r -n 1 umount
}

# The smallest image that runs a shell: ours is half a gigabyte.
make_image() {
  mkdir -p root/{workspace,tmp,proc,sys,dev,etc,bin,usr/lib/sophia,usr/bin,lib,lib64}
  local id
  id=$(env -u DOCKER_HOST docker create "$image" true)
  env -u DOCKER_HOST docker cp "$id:/usr/lib/sophia/runner" root/usr/lib/sophia/
  env -u DOCKER_HOST docker rm "$id" >/dev/null
  cp /bin/bash /bin/sleep root/bin
  ldd /bin/bash /bin/sleep | grep -o '/lib[^ ]*' | sort -u | xargs -I FILE cp -L --parents FILE root
  tar -C root -c . | docker import -c 'LABEL org.sophia.sandbox=1' -c 'ENV PATH=/bin' \
    -c 'ENTRYPOINT ["/usr/lib/sophia/runner"]' - sophia-small:1 >/dev/null
}

@test "engine: killed and started again; the next run removes what it left" {
  [ "$(id -u)" = 0 ] && command -v dockerd >/dev/null || skip "no second dockerd can be started"
  start_engine || skip "no second dockerd can be started: $(tail -n 1 engine/log)"
  make_image
  switch_on sophia-small:1
  run -0 code -l shell <<<'echo $((6 * 7))'
  [ "$output" = 42 ]
  begin
  kill -KILL "$engine"
  wait "$engine" || true
  ends 75 'sophia-sandbox: the container broke off: *'
  rm engine/exec/containerd/containerd.pid # nobody may have reaped that one here
  [ "$(ls "$SOPHIA_HOME/run/sandbox")" = "$name" ] # not forgotten
  run -78 --separate-stderr code -l shell <<<'echo 1'
  [[ $stderr = 'sophia-sandbox: docker does not answer: '* ]]
  unharmed
  start_engine
  run -0 code -l shell <<<'echo $((6 * 7))'
  [ "$output" = 42 ]
  [ -z "$(docker ps -aq)" ]
  unharmed
}
