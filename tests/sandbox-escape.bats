load helper

# Ways out of the sandbox, on the real engine. sandbox/attacks.py runs once as
# code does, and once where nothing holds it, so that each attack is seen to be
# one. sandbox/liar.py stands in for our runner, in an image of its own. Here is
# a test for each.
image=${SOPHIA_SANDBOX_IMAGE:-sophia-sandbox:1}
at=$top/tests/sandbox

setup_file() {
  docker version >/dev/null 2>&1 || { export WHY_NOT="no docker answers here"; return 0; }
  docker image inspect "$image" >/dev/null 2>&1 ||
    { export WHY_NOT="there is no image $image: make sandbox-image"; return 0; }
  cd "$BATS_FILE_TMPDIR"
  export SOPHIA_HOME=$PWD/home SOPHIA_SHARE=$top/share LIAR=sophia-test-liar:$$
  mkdir -p home user/.docker liar lies
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
  lay_out_host
  make_images
  { attack; ask; } & one=$!
  (lie_all)
  wait "$one" || { tail -n 5 *.said >&2; return 1; }
  host_state >host.after
  control
  kill "$host"
}

teardown_file() {
  [ -z "$LIAR" ] || docker image rm -f "$LIAR" "$LIAR"-{old,mute,text,early} >/dev/null 2>&1 || true
}

setup() {
  [ -z "$WHY_NOT" ] || skip "$WHY_NOT"
  cd "$BATS_FILE_TMPDIR"
}

# What of the host should be as it was.
host_state() {
  cat /proc/sys/kernel/{core_pattern,hostname} /proc/sys/vm/overcommit_memory
  sha256sum /etc/passwd /etc/hosts file
  stat -c '%a %u %n' "$BATS_FILE_TMPDIR" /dev /tmp /run/docker.sock
  cat touched 2>/dev/null || true
}

lay_out_host() {
  mkfifo go
  /usr/bin/python3 -B "$at/host.py" "$PWD" <go 3>&- &
  host=$!
  exec 4>go
  until [ -s host.py ]; do :; done
  secret=$(cat file)
  # docker hands proxies of this file on into containers
  cat >user/.docker/config.json <<<"{\"proxies\":{\"default\":{\"httpProxy\":\"http://$secret\",\"noProxy\":\"x\"}}}"
  host_state >host.before
}

# A container that starts what is given instead of our runner.
make_images() {
  install -m 755 "$at/liar.py" liar
  export DOCKER_BUILDKIT=0
  derive "$LIAR" 'COPY liar.py /usr/lib/sophia/runner'
  derive "$LIAR-old" 'ENTRYPOINT ["/bin/bash", "-c", "printf \"\\\\0\\\\0\\\\0\\\\2V\\\\t\"; read x"]'
  derive "$LIAR-mute" 'ENTRYPOINT ["/bin/true"]'
  derive "$LIAR-text" 'ENTRYPOINT ["/bin/bash", "-c", "echo hello, world; read x"]'
  derive "$LIAR-early" 'ENTRYPOINT ["/bin/bash", "-c", "printf \"\\\\0\\\\0\\\\0\\\\1Z\\\\0\\\\0\\\\0\\\\2V\\\\1\"; read x"]'
}

derive() {
  printf 'FROM %s\nUSER 0\n%s\n' "$image" "$2" >liar/Dockerfile # root: not to be asked
  docker build -q -t "$1" liar >/dev/null 2>built || { cat built >&2; return 1; }
}

attack() {
  cat host.py "$at/attacks.py" >code.py
  env HOME="$PWD/user" DOCKER_CONFIG="$PWD/user/.docker" SECRET="$secret" \
    DISCORD_TOKEN="$secret" {http,https,all,no,ftp}_proxy="http://$secret" \
    {HTTP,HTTPS,ALL,NO,FTP}_PROXY="http://$secret" \
    sophia-sandbox run -t 300 --text code.py >verdicts 2>verdicts.said
}

# What code asks its host for in ways that won't do.
ask() {
  sophia-sandbox run -t 300 --text -l python - <"$at/asks.py" >asked 2>asked.said
}

# The same where hardly anything holds it.
control() {
  docker run --rm -i --user=0 --network=host --ipc=host --uts=host --cgroupns=host \
    --cap-add=ALL --cap-drop=SYS_RESOURCE --security-opt=seccomp=unconfined \
    --security-opt=systempaths=unconfined -v /sys:/sys -v "$PWD:$PWD" \
    -v /var/run/docker.sock:/run/docker.sock -e SECRET="$secret" -e http_proxy=x \
    --device=/dev/null:/dev/extra --entrypoint=bash "$image" -c \
    'cp /bin/true /var/s; chmod 4755 /var/s; echo x >/etc/shadow; sleep 60 & python3 -; exit $?' \
    <code.py >control 2>control.said
}

# lie NAME [IMAGE] - its exit code in rc, what was said, and the files after it.
lie() {
  local folder=lies/$1 rc=0
  mkdir -p "$folder/in"
  printf a >"$folder/in/one"
  printf b >"$folder/in/two"
  sophia-sandbox run -i "$folder/in" -o "$folder/in" --text - <<<"$1" \
    >"$folder/out" 2>"$folder/said" 3>&- || rc=$?
  echo "$rc" >"$folder/rc"
}

lie_all() {
  local kind
  export SOPHIA_HOME=$PWD/home.lies
  mkdir home.lies
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$LIAR" >/dev/null
  export -f lie
  PYTHONPATH=$at /usr/bin/python3 -B -c 'import liar; print(*liar.LIES, sep="\n")' >known
  grep -vx stays known | xargs -P 4 -I NAME bash -c 'lie NAME'
  for kind in old mute text early; do
    sophia-settings set sandbox.image "$LIAR-$kind" >/dev/null
    lie "image_$kind"
  done
}

# held ATTACK... - they got nowhere here, and would have got somewhere.
held() {
  local name
  for name; do
    grep -a "^$name " verdicts || grep -a . verdicts.said
    [[ $(grep -a "^$name " verdicts) = "$name held "* ]]
    [[ " $untried " = *" $name "* || $(grep -a "^$name " control) = "$name out "* ]]
  done
}

# What does in the other container as well: process 1 is spared by the kernel, no
# descriptor is handed on, no packets are sent, and not every machine has these.
untried="dns tcp ipv6 metadata_ipv6 loopback_ipv6 odd_sockets_32_bit descriptors signal_runner \
namespace_mnt namespace_pid block_devices sysrq oom_score scheduler raise_limits \
kexec load_module remove_module io_permission io_level"

# lied NAME CODE WHY - that was the end of it, and the files are as they were.
lied() {
  cat "lies/$1/said"
  [ "$(cat "lies/$1/rc")" = "$2" ]
  [[ $(cat "lies/$1/said") = "sophia-sandbox: "$3 ]]
  untouched "$1"
}

untouched() {
  [ "$(ls -A "lies/$1/in" | xargs)" = 'one two' ]
  [ "$(cat "lies/$1/in/"{one,two})" = ab ]
}

# file NAME WHY - such a file spoilt the whole export.
file() { lied "$1" 69 "$2"; }

@test "network: no way to an address of IPv4" { held ipv4 private_ipv4 tcp; }
@test "network: no way to an address of IPv6" { held ipv6; }
@test "network: no names are looked up" { held dns; }
@test "network: no metadata service at 169.254.169.254" { held metadata_ipv4; }
@test "network: no metadata service at fd00:ec2::254" { held metadata_ipv6; }
@test "network: no multicast" { held multicast; }
@test "network: not even the engine's own gateway" { held gateway; }
@test "network: there is no interface but lo" { held interfaces; }
@test "network: the host's loopback is another" { held loopback loopback_ipv6; }
@test "network: abstract sockets of the host are not there" { held abstract; }
@test "network: no raw sockets, nor packets" { held raw packet; }
@test "network: no socket to the hypervisor" { held hypervisor; }
@test "network: no sockets but of four kinds, also not by other numbers" { held odd_sockets odd_sockets_32_bit; }
@test "network: an interface can't be set" { held interface_flags; }

@test "host: its files are not there" { held host_file; }
@test "host: its sockets are not there" { held host_socket; }
@test "host: the engine's socket is not there" { held engine_socket sockets; }
@test "host: nothing of it is mounted" { held mounts; }
@test "host: what the engine mounts over /etc can't be written" { held engine_files; }
@test "host: no devices but the harmless ones" { held devices block_devices; }
@test "host: no file by a made-up handle" { held file_handle; }
@test "host: no folder of process 1, and no chroot" { held other_root other_folder chroot; }
@test "host: no descriptor is inherited" { held descriptors; }
@test "host: no password file" { held shadow; }

@test "environment: no value of the caller's, of no process" { held environment; }
@test "environment: no proxy, neither the caller's nor docker's" { held proxies; }
@test "environment: no other processes are seen" { held processes; }

@test "/proc: no sysrq" { held sysrq; }
@test "/proc: no core pattern" { held core_pattern; }
@test "/proc: nothing in /proc/sys can be written" { held proc_sys; }
@test "/sys: nothing in it can be written" { held sys_files; }
@test "/sys: no control group can be joined, and none has a release agent" { held cgroups; }
@test "/proc: no memory of the kernel, no addresses in it, and no log" { held kernel_memory kernel_addresses kernel_log; }
@test "/proc: no firmware" { held firmware; }
@test "/proc: it can't spare itself when memory runs out, nor sacrifice the runner" { held oom_score oom_score_of_runner; }

@test "root: no folder of the image can be written" { held root_files; }
@test "root: no program of the image can be overwritten" { held overwrite; }
@test "root: it can't be mounted again to be written" { held remount_root; }
@test "root: there are no setuid programs" { held setuid_files; }
@test "root: no capability can be given to a file" { held file_capability; }
@test "root: no capabilities, of five kinds" { held capabilities; }
@test "root: no new privileges" { held new_privileges; }
@test "root: system calls are filtered" { held seccomp; }
@test "root: the user is nobody of the system" { held user; }
@test "root: it can't become root, nor join its groups" { held become_root become_root_group join_groups; }

@test "namespaces: no new ones" { held unshare_{mount,cgroup,uts,ipc,user,pid,net,user_and_all}; }
@test "namespaces: no new process with one" { held clone_user clone3_user; }
@test "namespaces: none can be joined" { held set_namespace; }
@test "namespaces: none is the host's" { held namespace_{cgroup,ipc,mnt,net,pid,uts}; }
@test "mounts: nothing can be mounted, in the old way" { held mount_tmpfs mount_proc mount_bind; }
@test "mounts: nothing can be mounted, in the new way" { held mount_new_way mount_tree mount_move; }
@test "mounts: nothing can be unmounted, and the root stays" { held unmount pivot_root; }
@test "mounts: no device can be made" { held make_block_device make_character_device; }

@test "runner: it can't be traced" { held trace_runner seize_runner; }
@test "runner: its memory can't be read or written" { held read_runner_memory write_runner_memory copy_runner_memory; }
@test "runner: where its memory lies is not told, nor its environment" { held runner_map runner_environment; }
@test "runner: its descriptors can't be opened or taken" { held runner_descriptors take_descriptor; }
@test "runner: no frame can be forged by its stdout" { held forge_frame; }
@test "runner: no signal stops or ends it" { held signal_runner; }

@test "kernel: no keyring" { held keyring_add keyring_control keyring_request; }
@test "kernel: no bpf, no perf, no userfaultfd" { held bpf perf_event userfaultfd; }
@test "kernel: no io_uring" { held io_uring; }
@test "kernel: no module, no other kernel, no reboot" { held load_module remove_module kexec reboot; }
@test "kernel: no clock, name, swap or accounting can be set" { held set_clock set_hostname swap_on accounting; }
@test "kernel: no ports, and no other personality" { held io_permission io_level personality; }
@test "kernel: no better priority, and no higher limits" { held nice scheduler raise_limits; }
@test "kernel: no watch over file systems" { held fanotify; }

@test "each attack and each lie has its test" {
  [ "$(sed -n 's/ .*//p' verdicts | sort)" = "$(sed -n 's/.*{ held \(.*\); }/\1/p' "$BATS_TEST_FILENAME" |
    while read -r names; do eval "printf '%s\n' $names"; done | sort)" ]
  [ "$(sort known)" = "$(sed -n -E 's/.*\{ (lied|file) ([a-z0-9_]+) .*/\2/p; s/^# told: //p' "$BATS_TEST_FILENAME" |
    grep -v ^image_ | xargs -n 1 | sort)" ]
}

# told: truth hangs_that_never_opened attaches_what_is_no_name stays
@test "liar: what is no lie is taken" {
  cat lies/truth/said
  [ "$(cat lies/truth/rc)" = 0 ]
  [ "$(cd lies/truth/in && find . -type f | sort | xargs)" = './deep/er ./one ./two' ]
  [ "$(cat lies/truth/in/{one,two})" = achanged ]
}

@test "frames: of no bytes" { lied length_zero 69 'a frame of 0 bytes'; }
@test "frames: of 4 GiB" { lied length_huge 69 'a frame of 4294967295 bytes'; }
@test "frames: of a byte too many" { lied length_more_than_a_frame 69 'a frame of 65538 bytes'; }
@test "frames: one cut in the middle" { lied frame_cut 75 'the container broke off: *'; }
@test "frames: the end before the last" { lied ends_after_exit 75 'the container broke off: *'; }
@test "frames: the end before the code's" { lied ends_before_exit 75 'the container broke off: *'; }
@test "frames: the last one first" { lied done_before_exit 69 'the container spoke out of turn'; }
@test "frames: one after the last" { lied more_after_done 69 'the container spoke out of turn'; }
@test "frames: half of one after the last" { lied half_after_done 75 'the container broke off: *'; }
@test "frames: ready twice" { lied ready_twice 78 'the image is of another version of Sophia: *'; }
@test "frames: of no kind" { lied of_no_kind 69 'the container spoke out of turn'; }
@test "frames: files before the code has ended" { lied files_before_exit 69 'the container spoke out of turn'; }
@test "frames: printed after the end" { lied prints_after_exit 69 'a frame of no kind among the files'; }
@test "frames: ended twice" { lied exit_twice 69 'a frame of no kind among the files'; }
@test "frames: ended in no known way" { lied exit_of_no_kind 69 'the code ended in no known way'; }
@test "frames: an end of too many bytes" { lied exit_too_long 69 'the code ended in no known way'; }
@test "frames: an end of no bytes" { lied exit_empty 69 'the code ended in no known way'; }
@test "frames: a flood of what was printed" { lied flood 69 'the code printed more than 64 MiB'; }
@test "frames: killed among its files" { lied killed 75 'the container broke off: *'; }

@test "image: of another version" { lied image_old 78 'the image is of another version of Sophia: *'; }
@test "image: one that says nothing, and ends well" { lied image_mute 78 'the image * does not speak as one of ours: *'; }
@test "image: one that talks otherwise" { lied image_text 69 'a frame of * bytes'; }
@test "image: one that is done before it is ready" { lied image_early 69 'the container spoke out of turn'; }

@test "files: an absolute path" { file absolute "the path '/etc/cron.d/x' has an empty part"; }
@test "files: a path that leads out" { file parent "the path '../x' has a part that is . or .."; }
@test "files: a path that leads out later" { file parent_inside "the path 'a/../../x' has a part that is . or .."; }
@test "files: a path that ends in .." { file parent_last "the path 'a/..' has a part that is . or .."; }
@test "files: a path that begins with ." { file dot "the path './one' has a part that is . or .."; }
@test "files: no path" { file empty "the path '' is empty or too long"; }
@test "files: two slashes" { file empty_part "the path 'a//b' has an empty part"; }
@test "files: a slash at the end" { file slash_last "the path 'a/' has an empty part"; }
@test "files: a NUL in a path" { file nul "the path 'one' has a control character"; }
@test "files: a line break in a path" { file newline "the path 'a?b' has a control character"; }
@test "files: an escape sequence in a path" { file escape_character "the path 'a?[[]2J' has a control character"; }
@test "files: a control character of two bytes in a path" { file c1_control "the path 'a?x' has a control character"; }
@test "files: a path that is not UTF-8" { file not_utf8 "the path 'a?' is not UTF-8"; }
@test "files: dots spelt too long" { file overlong_dots "the path '*/x' is not UTF-8"; }
@test "files: half a pair" { file surrogate "the path '*' is not UTF-8"; }
@test "files: beyond Unicode" { file beyond_unicode "the path '*' is not UTF-8"; }
@test "files: a part of 256 bytes" { file part_of_256 "the path 'xx*' has a part of more than 255 bytes"; }
@test "files: a path of 1025 bytes" { file path_of_1025 "the path 'xx*' is empty or too long"; }
@test "files: 33 parts" { file parts_33 "the path 'x/x*' has too many parts"; }
@test "files: what Windows takes for a device" { file device_name "the path 'a/NUL.txt' names a device"; }
@test "files: what Windows takes for a port" { file device_number "the path 'com1' names a device"; }
@test "files: a link" { file link "the workspace holds a link: 'ln'"; }
@test "files: a device" { file device "the workspace holds a device, pipe or socket: 'dev'"; }
@test "files: one that can't be read" { file unreadable "the workspace holds a folder or file that can't be read, or lies too deep: 'd'"; }
@test "files: a thing of no kind" { file thing_of_no_kind "the workspace holds a thing of no kind: 'q'"; }
@test "files: the same twice" { file twice "the path 'new' is there twice, or leads through a file"; }
@test "files: through a file" { file through_a_file "the path 'new/x' is there twice, or leads through a file"; }
@test "files: a file where there is a folder" { file is_a_folder "the path 'new' is there twice, or leads through a file"; }
@test "files: 101" { file files_101 'more than 100 files at once: split the work'; }
@test "files: a byte more than 20 MiB" { file bytes_20_mib_and_1 'files of more than 20 MiB at once: split the work'; }
@test "files: a byte more than 20 MiB together" { file bytes_together 'files of more than 20 MiB at once: split the work'; }
@test "files: sizes that wrap around" { file size_wraps 'files of more than 20 MiB at once: split the work'; }
@test "files: fewer bytes than were said" { file too_few_bytes 'the last file is not whole'; }
@test "files: fewer bytes, and another file" { file too_few_bytes_then_more 'a file ends before its time'; }
@test "files: more bytes than were said" { file too_many_bytes 'a file has more bytes than was said'; }
@test "files: bytes of none" { file bytes_of_no_file 'a file has more bytes than was said'; }
@test "files: no bytes, again and again" { file bytes_none 'a file has more bytes than was said'; }
@test "files: without size and path" { file head_cut 'a file without size and path'; }
@test "files: kept twice" { file kept_twice 'a file is there twice'; }
@test "files: kept, then changed" { file kept_and_changed 'a file is there twice'; }
@test "files: changed, then kept" { file changed_and_kept 'a file is there twice'; }
@test "files: kept that never was there" { file kept_never_put 'a file is as it was that never was there'; }
@test "files: one below what was kept" { file below_what_is_kept 'a file is there twice'; }
@test "files: too many by its own word" { file over 'more than 100 files or 20 MiB were changed: split the work'; }
@test "files: good ones among bad ones" { file good_after_bad "the path '../x' has a part that is . or .."; }

@test "asking: in a place that is taken" { lied asks_in_a_place_that_is_taken 69 "the container asked on a connection that can't be"; }
@test "asking: before a connection is open" { lied asks_before_it_opens 69 "the container asked on a connection that can't be"; }
@test "asking: a connection opened twice" { lied opens_twice 69 "the container asked on a connection that can't be"; }
@test "asking: on a connection that was closed" { lied asks_after_it_hung 69 "the container asked on a connection that can't be"; }
@test "asking: on no connection" { lied asks_cut 69 'the container asked on no connection'; }
@test "asking: no connection closed" { lied hangs_cut 69 'the container closed no connection'; }
@test "asking: more than it reads" { lied asks_and_never_reads 69 'the code asked for more than it read'; }
@test "asking: to close what never was open does nothing" {
  cat lies/hangs_that_never_opened/said
  [ "$(cat lies/hangs_that_never_opened/rc)" = 0 ]
  untouched hangs_that_never_opened
}

# answered NAME - that went well, and the next question did, too.
answered() {
  cat asked
  grep -qx "$1 well" asked
}

@test "asking: lengths that can't be" { answered lengths; }
@test "asking: lines that never end, and such that are no JSON" { answered lines; }
@test "asking: a thousand connections, each after the other" { answered thousand; }
@test "asking: more connections at one time than are served" { answered crowd; }
@test "asking: answers are not read" { answered deaf; }
@test "asking: no answer reaches another connection" { answered stale; }
@test "asking: the socket is taken away, and another put there" { answered socket; }
@test "asking: more than 100 attachments" { answered many; }

@test "asking: a name that leads elsewhere is no attachment" {
  cat lies/attaches_what_is_no_name/{said,out}
  [ "$(cat lies/attaches_what_is_no_name/rc)" = 0 ]
  [ ! -s lies/attaches_what_is_no_name/out ]
  untouched attaches_what_is_no_name
}

# cut SIGNAL - end a run with that at some moment; then its files are the old ones,
# or if it was done, the new ones, and of its container nothing is left.
cut() {
  local ended=0 moment="0.$((RANDOM % 1000))"
  rm -rf cut && mkdir -p cut/home cut/in
  export SOPHIA_HOME=$PWD/cut/home
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$image" >/dev/null
  printf old >cut/in/file
  timeout --foreground --signal="$1" "$moment" sophia-sandbox run -i cut/in -o cut/in --text \
    -l shell - <<<'for i in 1 2 3 4 5 6 7 8; do head -c 2000000 /dev/zero >>file; done' \
    >cut/out 2>cut/said 3>&- || ended=$?
  echo "after $moment s: exit $ended, $(cat cut/said)"
  [ "$1" != KILL ] || name=$(ls cut/home/run/sandbox 2>/dev/null || true)
  case $1,$(stat -c %s cut/in/file) in
  *,3 | KILL,16000003) ;;
  *,16000003) grep -q '^changed' cut/said ;;
  *) false ;;
  esac
  [ "$1" = KILL ] || [ -z "$(ls cut/home/run/sandbox)" ]
}

@test "cancel: SIGINT at any moment" { for i in 1 2 3 4 5; do cut INT; done; }
@test "cancel: SIGTERM at any moment" { for i in 1 2 3 4 5; do cut TERM; done; }
@test "cancel: SIGKILL at any moment, and the next removes what is left" {
  for i in 1 2 3 4 5; do
    cut KILL
    sophia-sandbox gc || [ $? = 1 ]
    [ -z "$name" ] || run -1 docker inspect "$name"
    [ -z "$(ls cut/home/run/sandbox 2>/dev/null)" ]
  done
}

@test "cancel: one that would stay is removed by force" {
  mkdir home.stays
  export SOPHIA_HOME=$PWD/home.stays
  sophia-settings set sandbox.enabled on >/dev/null
  sophia-settings set sandbox.image "$LIAR" >/dev/null
  mkfifo stays
  sophia-sandbox run --text - <<<stays >stays 3>&- 2>said & pid=$!
  read -r word <stays
  [ "$word" = here ]
  name=$(ls home.stays/run/sandbox)
  [ "$(docker inspect --format '{{.State.Running}}' "$name")" = true ]
  kill -TERM "$pid"
  ended=0
  wait "$pid" || ended=$?
  [ "$ended" = 75 ]
  [ "$(cat said)" = 'sophia-sandbox: it was cancelled' ]
  run -1 docker inspect "$name"
}

@test "two at once: each has its own files, and a third removes neither" {
  mkdir -p a b
  printf a >a/file; printf b >b/file
  mkfifo go.a go.b
  for n in a b; do
    sophia-sandbox run -i $n -o $n --text -l shell - \
      <<<"touch mine-$n; echo there; while [ \$SECONDS -lt 2 ]; do :; done; ls; cat file" \
      >go.$n 2>said.$n 3>&- &
    eval "pid_$n=\$!"
  done
  exec 5<go.a 6<go.b
  read -r word <&5 && read -r word <&6 # both run
  run -1 sophia-sandbox gc
  rest=$(cat <&5 | xargs) && [ "$rest" = 'file mine-a a' ]
  rest=$(cat <&6 | xargs) && [ "$rest" = 'file mine-b b' ]
  wait "$pid_a" "$pid_b"
  [ "$(ls a b | xargs)" = 'a: file mine-a b: file mine-b' ]
}

@test "host: nothing was reached, and nothing changed" {
  diff host.before host.after
  [ -s touched ] # by the control
}
