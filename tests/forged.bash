# forged.bash - for the suite of attacks: tables of them, and what none may leave
# behind. Load helper, turns and discord before.

ada=1200000000000000201 # owns the server, and keeps it
bob=1200000000000000202 # was granted something
eve=1200000000000000203 # is let in, and nothing more
keeper=1200000000000000301 secret=1200000000000000404

# attacks - each line of stdin: ID | what is tried | what must hold | HOW. HOW is
# run; it fails if it was answered otherwise than it must be. After each, nothing
# may have happened.
attacks() {
  local id tried holds how
  while IFS='|' read -r -u 8 id tried holds how; do
    attack="$id: $tried: $holds"
    eval "$how"
    nothing_done
  done 8<&0
  attack='the same, as it may be done'
}

# In teardown: at which of them it was.
attack_told() { echo "# ${attack:-before the first}"; }

# nothing_done - nobody can read what was to be said, nothing is made, changed or
# deleted, nobody has decided, and no change was made. $approvals: those that the
# person themselves gave, in this attack.
nothing_done() {
  [ "$(made_in_discord)" = 0 ]
  [ "$(sql "SELECT count(*) FROM receipt WHERE state NOT IN ('failed', 'skipped')")" = 0 ]
  [ "$(sql "SELECT count(*) FROM approval WHERE verdict IN ('approve', 'correct', 'deny', 'stop')")" = "${approvals:-0}" ]
}

# made_in_discord - how many changes can be seen there. What Sophia herself says
# about her work, and takes back, is none.
made_in_discord() {
  discord_state '[.sent[].id] as $ours | [(.sent[] | select(.content == "canary")),
    (.effects[] | select(.what | test("^(channel|role|overwrite|thread|bulk|pinned)"))),
    (.effects[] | select(.what == "message_deleted" and (.id | IN($ours[]) | not)))] | length'
}

# member ID [APPROVAL] - fields of a turn of theirs, in #general.
member() {
  printf '"actor":{"id":"%s","name":"%s"},"location":{"kind":"guild","guild":"%s","channel":"%s"},"approval":"%s"' \
    "$1" "${name:-someone}" "$discord_guild" "$discord_channel" "${2:-auto}"
}

canary='{"channel":"general","text":"canary"}'

# between STEP HOW - Bob's turn of that step; he approves it, and then, before it
# is sent, HOW is done: another change of this server is at work. How the
# calls were answered is in $output.
between() {
  local rc=0
  cp "$BATS_TEST_TMPDIR/settings" "$SOPHIA_HOME/settings.json"
  provider POST reset '' >/dev/null
  says "$1" '{"text":"so"}'
  begin_loop 'do it' "$(member "${who:-$bob}")"
  until_true grep -q '"type":"approval"' "$log"
  exec {guild_lock}>>"$SOPHIA_HOME/run/guild.$discord_guild"
  flock "$guild_lock"
  decide approve >/dev/null
  until_true grep -q 'Waiting for another change' "$log"
  eval "$2" >/dev/null || rc=1
  flock -u "$guild_lock"
  exec {guild_lock}>&-
  end_loop
  approvals=$((${approvals:-0} + 1))
  return $rc
}

# people ORDER - somebody does that in Discord, by hand.
people() { discord_do "$1" >/dev/null; }
