load helper
load turns
load effects

# The disk is full, read only, or fails: nothing is changed in the world without
# an intent that is stored, whoever asked is told why, and once there is room
# again all goes on. As root, on a file system of its own.

setup_file() { provider_start; }
teardown_file() { provider_stop; }

setup() {
  [ "$(id -u)" -eq 0 ] || skip 'only root can mount a disk'
  disk=$BATS_TEST_TMPDIR/disk
  mkdir "$disk"
  mount -t tmpfs -o size=3m sophia-test "$disk" 2>/dev/null ||
    skip 'no file system can be mounted here'
  export SOPHIA_HOME=$disk/home
  mkdir -m 700 "$SOPHIA_HOME"
  log=$BATS_TEST_TMPDIR/log
  provider_use
  effects_use
  run -0 loop 'so that there is a store'
}

teardown() {
  [ -z "${disk:-}" ] || umount "$disk" 2>/dev/null || umount -l "$disk" || :
}

# paints - Ada has something changed, without being asked. Her task's records are
# in $output, what was said besides in $said, and the exit code in $status.
paints() {
  provider POST reset '' >/dev/null
  says "$(calls change '{"n":1}')" '{"text":"It is red."}'
  status=0
  turn 'paint it' "$ada" >"$BATS_TEST_TMPDIR/turn"
  "$@" sophia-loop <"$BATS_TEST_TMPDIR/turn" >"$log" 2>"$log.err" || status=$?
  output=$(cat "$log") said=$(cat "$log.err")
}

# fill - until there is not a byte left.
fill() {
  ! cat /dev/zero >"$disk/filler" 2>/dev/null || return
  [ "$(df --output=avail "$disk" | tail -n 1)" -eq 0 ]
}

# honest - whatever happened to the wall was intended on the disk before.
honest() {
  ! grep -v '^intent' "$seen" || { echo "done without an intent"; return 1; }
}

# goes_on - with the disk as it should be, the same is done once more.
goes_on() {
  local before
  before=$(did)
  paints
  [ "$status" -eq 0 ] || { echo "$said"; return 1; }
  [ "$(did)" -eq $((before + 1)) ]
  honest
  [ "$(sql 'PRAGMA integrity_check')" = ok ]
}

@test "a full disk: nothing is done, it says so, and it goes on once there is room" {
  fill
  paints
  [ "$status" -ne 0 ]
  [[ "$said$output" == *full* || "$said$output" == *'No space left'* ]]
  [ "$(did)" -eq 0 ]
  rm "$disk/filler"
  goes_on
}

@test "a disk that only lets itself be read: the same" {
  mount -o remount,ro "$disk"
  paints
  [ "$status" -ne 0 ]
  [[ "$said$output" == *[Rr]ead-only* || "$said$output" == *readonly* ||
    "$said$output" == *'read only'* ]]
  [ "$(did)" -eq 0 ]
  mount -o remount,rw "$disk"
  goes_on
}

# fails_at N ERROR - the loop's N-th sync fails; 1 if it makes none.
fails_at() {
  paints strace -DD -qq -o "$log.trace" -e trace=fdatasync \
    -e "inject=fdatasync:error=$2:when=$1"
  grep -q INJECTED "$log.trace"
}

@test "a commit that fails, whichever: no effect without an intent, and none twice" {
  points=0
  for error in EIO ENOSPC; do
    for n in {1..20}; do
      : >"$effects" && : >"$seen"
      fails_at "$n" "$error" || break
      points=$((points + 1))
      [ "$(did)" -le 1 ]
      honest
      [ "$status" -eq 0 ] || [ -n "$said$output" ]
      sophia-task recover >/dev/null || [ $? -eq 1 ]
      # An effect that nobody could store is not known, and never forgotten.
      [ "$(sql "SELECT count(*) FROM receipt WHERE state = 'intent'")" -eq 0 ]
      [ "$(did)" -eq 0 ] || [ "$(sql "SELECT count(*) FROM receipt
        WHERE state IN ('succeeded', 'unknown') AND task = (SELECT max(task)
        FROM receipt)")" -eq 1 ]
    done
  done
  echo "$points"
  [ "$points" -ge 8 ]
  goes_on
}
