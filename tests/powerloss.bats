load helper

# A gateway and an index that follows it run while every write, name change and
# sync of theirs is recorded. Then, for each moment of that, the disk is built
# again as a loss of power may have left it: what was synced, and of the rest
# nothing, everything, lengths without contents, or whatever chance wants. Both
# must find it fit for use: no event is gone that somebody saw, no number comes
# twice, nothing is skipped, and Discord is asked to resume after the last event
# that is there.

setup() {
  peers=${SOPHIA_PEERS:-$top/build/peers}
  case $peers in */san/*) skip 'a preloaded library does not go with ASan' ;; esac
  [ -x "$peers/powercut" ] || skip "make $peers/powercut first"
  disk=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "$BATS_TEST_TMPDIR")/sophia-power.XXXXXX")
  mkdir "$disk/live" "$disk/left"
}

teardown() {
  rm -rf "${disk:-}"
}

# recorded [VARIABLE=VALUE...] COMMAND... - with BACK set, in place of the shell.
recorded() {
  ${BACK:+exec} env SOPHIA_HOME="$disk/live" POWERLOSS_ROOT="$disk/live" POWERLOSS_LOG="$disk/log" \
    LD_PRELOAD="$peers/powerloss.so" "$@"
}

live() {
  run -0 recorded "$@" "$peers/powercut" work "$disk/seen"
}

# look [STEP]
look() {
  SOPHIA_HOME=$disk/left "$peers/powercut" check "$disk/log" "$disk/seen" "$@"
}

@test "whenever the power goes, nothing that was seen is lost, and no number comes twice" {
  live
  run -0 look
  [[ $output == *' disks, all consistent' ]]
}

@test "the same with a sync that fails" {
  live POWERLOSS_EIO=20
  run -0 look 5
  [[ $output == *' disks, all consistent' ]]
}

@test "the real index, in its database, misses nothing and has nothing twice" {
  export SOPHIA_SHARE=$top/share
  SOPHIA_HOME=$disk/live sophia-settings set discord.guilds 1
  BACK=1 recorded sophia-index follow >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
  follow=$!
  run -0 recorded "$peers/powercut" tell
  kill "$follow"
  wait "$follow"
  SOPHIA_HOME=$disk/left run -0 "$peers/powercut" index "$disk/log"
  [[ $output == *' disks, all consistent' ]]
}

@test "a disk that lies about what it synced is found out" {
  live POWERLOSS_LIE=1
  run -1 look
  [[ $output == *'an event is gone that somebody may have seen'* ]]
}
