# approvals.bash - tools that change something, and note it: for suites about
# what is asked before. Load turns first.

# change NAME JSON-FIELDS PROPOSAL - a tool whose check answers with the fields
# of that proposal. Each act is a line of $log: NAME, and the items it may do.
change() {
  tool "$1" "$(jq -nc "$2 + {check: true}")"
  printf '%s\n' "$3" >"$SOPHIA_HOME/tools/$1.proposal"
  script "$1" <<SH
#!/bin/bash
read -r call
case \$call in
*'"phase":"check"'*)
  jq -c '{type: "proposal", targets: []} + .' "$SOPHIA_HOME/tools/$1.proposal" ;;
*)
  jq -r '"$1 " + (.only // "all" | tostring)' <<<"\$call" >>"$log"
  echo '{"type":"result","ok":true,"summary":"$1 is done"}' ;;
esac
SH
}

# What can be taken back; what can't; and what can't, of four messages.
paint() { change paint '{tier: "write"}' '{"text":"paint the wall blue"}'; }
raze() { change raze '{tier: "destructive"}' '{"text":"raze the wall"}'; }
wipe() {
  change wipe '{tier: "destructive"}' '{"text":"delete 4 messages in #general","items":[
    {"n":1,"category":"messages by ann","text":"ann: one"},
    {"n":2,"category":"messages by ann","text":"ann: two"},
    {"n":3,"category":"messages by bob","text":"bob: three"},
    {"n":4,"category":"messages by eve","text":"eve: four"}]}'
}

# done_so_far - what was done, in one line.
done_so_far() {
  [ ! -e "$log" ] || xargs <"$log"
}

# became - what became of the approvals.
became() {
  sql "SELECT ifnull(verdict, 'pending') FROM approval ORDER BY id" | xargs
}

# on_tty SCRIPT - an expect script about sophia-ask on a terminal.
on_tty() {
  expect -f - <<EXPECT
set timeout 20
proc must {text} { expect -ex \$text {} timeout { puts "NEVER: \$text"; exit 99 } eof { puts "EOF before: \$text"; exit 98 } }
proc over {code} {
  expect eof {} timeout { puts "it does not end"; exit 97 }
  set got [lindex [wait] 3]
  if {\$got != \$code} { puts "exit \$got, not \$code"; exit 96 }
}
proc ask {args} { eval spawn -noecho sophia-ask -q -p fake \$args; upvar spawn_id id; set id \$spawn_id }
$1
EXPECT
}
