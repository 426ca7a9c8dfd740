load helper

# say N CHANNEL AUTHOR TEXT [FIELDS] - add message N of the archive: minute N of
# 2024-05-01, its id made from that. FIELDS are more members, as JSON.
say() {
  local ms=$((1714521600000 + $1 * 60000))
  jq -cn --arg id "$(id "$1")" --arg channel "$2" --arg author "$3" --arg text "$4" \
    --arg at "$(date -u -d "@$((ms / 1000))" +%FT%TZ)" --argjson more "${5:-"{}"}" \
    '{type: "message", $id, guild: {id: "900", name: "Ship"},
      channel: ({id: ($channel | explode | add | tostring), name: $channel,
        type: "GuildTextChat"}),
      author: {id: ($author | explode | add | . + 5000 | tostring), name: $author},
      $at, $text} + $more' >>"$BATS_TEST_TMPDIR/archive"
}

id() { echo $(((1714521600000 + $1 * 60000 - 1420070400000) << 22)); }

index() {
  sophia-index import -f records "$BATS_TEST_TMPDIR/archive" >/dev/null
  rm "$BATS_TEST_TMPDIR/archive"
}

deck=$(jq -n '"deck" | explode | add')

# What a search found, as message texts, hits only.
texts() { jq -r 'select(.type == "message" and .part != "neighbour") | .text'; }
cursor() { jq -r 'select(.type == "page") | .cursor'; }

# Six messages in two channels.
ship() {
  say 1 deck ada 'the anchor is stuck'
  say 2 deck ben 'use the big winch for it'
  say 3 hold ada 'rats again'
  say 4 deck cyd 'the sails are torn' '{"attachments":[{"id":"1","name":"tear.jpg","url":"https://x.example/tear.jpg","size":3}]}'
  say 5 hold ben 'no cat on this ship'
  say 6 deck ada 'anchor is up, winch works' "{\"reply_to\":\"$(id 2)\"}"
  index
}

@test "without an index it says how to make one" {
  run -78 --separate-stderr sophia-retrieve anchor
  [ -z "$output" ]
  [ "$stderr" = 'sophia-retrieve: there are no messages yet; run: sophia index import FILE' ]
}

@test "a ranked search gives hits with neighbours, a page and its coverage" {
  ship
  sophia-retrieve torn sails >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -rs 'map(select(.part)) | max_by(.score // 0 | tonumber) |
    "\(.lane) \(.part) \(.group) \(.author.name) \(.at) \(.link)"' "$BATS_TEST_TMPDIR/out"
  [ "$output" = "relevance hit 1 cyd 2024-05-01T00:04:00.000Z https://discord.com/channels/900/$deck/$(id 4)" ]
  run -0 jq -c 'select(.type != "message") | [.type, .lane, .count, .more, .searched[0].channel.name, .searched[0].messages]' \
    "$BATS_TEST_TMPDIR/out"
  [[ ${lines[0]} == '["page","relevance",'*',false,null,null]' ]]
  [ "${lines[1]}" = '["coverage",null,null,null,"deck",4]' ]
}

@test "the best match scores highest" {
  ship
  run -0 bash -c 'sophia-retrieve anchor winch | jq -s -r "map(select(.part == \"hit\")) | max_by(.score | tonumber) | .text"'
  [ "$output" = 'anchor is up, winch works' ]
}

@test "people get text with time, channel, author and link" {
  ship
  run -0 sophia-retrieve --text --phrase 'torn'
  [ "${lines[0]}" = '  2024-05-01 00:04 #deck cyd' ]
  [ "${lines[1]}" = '    the sails are torn' ]
  [ "${lines[2]}" = '    [tear.jpg]' ]
  [[ ${lines[3]} == "    https://discord.com/channels/900/"*"/$(id 4)" ]]
  [ "${#lines[@]}" -eq 4 ]
}

@test "people see where an exchange ends: an empty line" {
  ship
  groups=$(sophia-retrieve -C 0 anchor winch | jq -s 'map(.group // empty) | unique | length')
  [ "$groups" -gt 1 ]
  [ "$(sophia-retrieve --text -C 0 anchor winch | grep -c '^$')" -eq $((groups - 1)) ]
}

@test "people and models see names where Discord has marks; records keep the marks" {
  ben=$(jq -n '"ben" | explode | add + 5000')
  said="<@$ben> and <@!$ben>: ask in <#$deck> <a:wave:77> <:ship:78> at <t:1714521600:F> or </roll:79>"
  say 1 deck ben 'hello'
  say 2 deck ada "$said"
  say 3 deck ada 'marks nobody knows: <@1> <#2> <@&3> <t:x> <:a> < b> <@ <<#> <@99999999999999999999> <t:99999999999999999999>'
  index
  run -0 sophia-retrieve --text -C 0 wave
  [ "${lines[1]}" = '    @ben and @ben: ask in #deck :wave: :ship: at 2024-05-01 00:00 UTC or /roll' ]
  run -0 sophia-retrieve --text -C 0 nobody
  [ "${lines[1]}" = '    marks nobody knows: <@1> <#2> <@&3> <t:x> <:a> < b> <@ <<#> <@99999999999999999999> <t:99999999999999999999>' ]
  run -0 sophia-retrieve --jq 'select(.part == "hit").text' -C 0 wave
  [ "$output" = "$(jq -n --arg text "$said" '$text')" ]
  run -0 sophia-tool run retrieve_messages '{"query": "wave"}'
  [[ "$output" == *'@ben and @ben: ask in #deck :wave: :ship:'* ]]
}

@test "a role is called by its name" {
  sophia-index import "$top/share/samples" >/dev/null
  run -0 sophia-retrieve --text -C 0 -n 1 courtyard shed electrician
  [[ "$output" == *'@Bench lead @Fixer: I need six people'* ]]
}

@test "a control character of a stranger does not reach the terminal" {
  say 1 deck ada $'red\e alert'
  index
  run -0 sophia-retrieve --text --all alert
  [[ $output != *$'\e'* ]]
}

@test "nothing found: a page, its coverage, and exit 1" {
  ship
  run -1 --separate-stderr sophia-retrieve kraken
  [ -z "$stderr" ]
  [ "$(jq -r .type <<<"$output" | tr '\n' ' ')" = 'page coverage ' ]
}

@test "a channel, an author, a time and a file narrow both lanes" {
  ship
  run -0 bash -c 'sophia-retrieve -c hold | jq -r "select(.text).text"'
  [ "$output" = $'no cat on this ship\nrats again' ]
  run -0 bash -c 'sophia-retrieve -c "#HOLD" -a @Ada | jq -r "select(.text).text"'
  [ "$output" = 'rats again' ]
  run -0 bash -c 'sophia-retrieve --after 2024-05-01T00:04 --before 2024-05-01T00:06 | jq -r "select(.text).text"'
  [ "$output" = 'no cat on this ship' ]
  run -0 bash -c "sophia-retrieve --after $(id 5) | jq -r 'select(.text).text'"
  [ "$output" = 'anchor is up, winch works' ]
  run -0 bash -c 'sophia-retrieve --has attachment | jq -r "select(.text).text"'
  [ "$output" = 'the sails are torn' ]
  run -0 bash -c 'sophia-retrieve -a ben winch | jq -r "select(.part == \"hit\").text"'
  [ "$output" = $'use the big winch for it' ]
}

@test "several channels and authors add up" {
  ship
  run -0 bash -c 'sophia-retrieve -c hold -c deck -a ben -a cyd | jq -r "select(.text).text"'
  [ "$output" = $'no cat on this ship\nthe sails are torn\nuse the big winch for it' ]
}

@test "oldest first turns the order, and a limit makes pages" {
  ship
  run -0 bash -c 'sophia-retrieve --order oldest -n 2 | jq -c "if .type == \"page\" then .more else .text end"'
  [ "${lines[0]}" = '"the anchor is stuck"' ]
  [ "${lines[1]}" = '"use the big winch for it"' ]
  [ "${lines[2]}" = true ]
}

@test "all, any and phrase are what they say, newest first" {
  ship
  run -0 bash -c 'sophia-retrieve --all is anchor | jq -r "select(.text).text"'
  [ "$output" = $'anchor is up, winch works\nthe anchor is stuck' ]
  run -0 bash -c 'sophia-retrieve --any cat rats | jq -r "select(.text).text"'
  [ "$output" = $'no cat on this ship\nrats again' ]
  run -0 bash -c 'sophia-retrieve --phrase is stuck | jq -r "select(.text).text"'
  [ "$output" = 'the anchor is stuck' ]
  run -1 sophia-retrieve --phrase stuck is
}

@test "around a message: what was said before and after, in its channel" {
  ship
  run -0 bash -c "sophia-retrieve --around $(id 4) -n 3 | jq -r 'select(.text).text'"
  [ "$output" = $'use the big winch for it\nthe sails are torn\nanchor is up, winch works' ]
}

@test "around takes a link, and its cursor reads on at both ends" {
  for n in $(seq 1 9); do say "$n" deck ada "m$n"; done
  index
  link=https://discord.com/channels/900/420/$(id 5)
  sophia-retrieve --around "$link" -n 2 >"$BATS_TEST_TMPDIR/out"
  [ "$(texts <"$BATS_TEST_TMPDIR/out" | tr '\n' ' ')" = 'm4 m5 ' ]
  [ "$(sophia-retrieve --around "$link" -n 4 -k "$(cursor <"$BATS_TEST_TMPDIR/out")" |
    texts | tr '\n' ' ')" = 'm2 m3 m6 m7 ' ]
}

@test "a reply chain goes up to its beginning and down to every answer" {
  say 1 deck ada 'who ate my lunch'
  say 2 deck ben 'not me' "{\"reply_to\":\"$(id 1)\"}"
  say 3 deck cyd 'lovely weather'
  say 4 deck ada 'then who' "{\"reply_to\":\"$(id 2)\"}"
  say 5 deck cyd 'the cat' "{\"reply_to\":\"$(id 1)\"}"
  index
  run -0 bash -c "sophia-retrieve --reply-chain $(id 2) --order oldest | jq -r 'select(.text).text'"
  [ "$output" = $'who ate my lunch\nnot me\nthen who\nthe cat' ]
}

@test "a category stands for its channels and their threads; a thread for itself" {
  say 1 deck ada one '{"channel":{"id":"11","name":"deck","type":"GuildTextChat","parent":"10","category":"Ship"}}'
  say 2 deck ada two '{"channel":{"id":"12","name":"knots","type":"GuildPublicThread","parent":"11"}}'
  say 3 port ada three '{"channel":{"id":"13","name":"port","type":"GuildTextChat"}}'
  index
  run -0 bash -c 'sophia-retrieve -c ship | jq -r "select(.text).text"'
  [ "$output" = $'two\none' ]
  run -0 bash -c 'sophia-retrieve --thread knots | jq -r "select(.text).text"'
  [ "$output" = two ]
  run -0 bash -c 'sophia-retrieve -c "<#11>" | jq -r "select(.text).text"'
  [ "$output" = one ]
}

@test "members are found by id, mention, nickname and earlier names" {
  say 1 deck ada 'one' '{"author":{"id":"77","name":"ada_l","nickname":"Countess Áda"}}'
  say 2 deck ada 'two' '{"author":{"id":"77","name":"ada_new","nickname":"Boss"}}'
  index
  for name in 77 '<@77>' '<@!77>' ada_l ada_new BOSS 'countess ada' '@Countess ÁDA'; do
    run -0 bash -c 'sophia-retrieve -n 1 -a "$1" | jq -r "select(.text).text"' - "$name"
    [ "$output" = two ]
  done
}

@test "a name that several have is not guessed: candidates, exit 65" {
  say 1 deck x one '{"author":{"id":"77","name":"ada1","nickname":"Ada"}}'
  say 2 deck y two '{"author":{"id":"78","name":"ada2","nickname":"ada"}}'
  index
  run -65 --separate-stderr sophia-retrieve -a ADA one
  valid_records <<<"$output"
  [ "$(jq -r '[.type, .kind, .code, (.candidates | map(.id) | sort | join(","))] | join(" ")' \
    <<<"$output")" = 'error input ambiguous 77,78' ]
  [ "$stderr" = "sophia-retrieve: 'ADA' could be: ada (ada2, 78), Ada (ada1, 77); give the id" ]
}

@test "names that are too long for an error are left out of it, whole" {
  local long
  long=$(printf '%0320d' 7)
  say 1 deck x one '{"author":{"id":"77","name":"ada1","nickname":"Ada"}}'
  say 2 deck y two "{\"author\":{\"id\":\"78\",\"name\":\"$long\",\"nickname\":\"ada\"}}"
  say 3 deck z three "{\"author\":{\"id\":\"79\",\"name\":\"$long$long\"}}"
  index
  run -65 --separate-stderr sophia-retrieve -a ada one
  [ "$stderr" = "sophia-retrieve: 'ada' could be: Ada (ada1, 77); give the id" ]
  run -65 --separate-stderr sophia-retrieve -a 7000 one
  [ "$stderr" = "sophia-retrieve: no member '7000' in the index" ]
}

@test "a name nobody has is an error that names the likely ones" {
  ship
  run -65 --separate-stderr sophia-retrieve -a be cat
  [ "$stderr" = "sophia-retrieve: no member 'be'; did you mean: ben ($(jq -n '"ben" | explode | add + 5000'))" ]
  run -65 --separate-stderr sophia-retrieve -c bilge
  [ "$stderr" = "sophia-retrieve: no channel 'bilge' in the index" ]
}

@test "a person named in a query says who: ranked first, not searched for" {
  say 1 deck ada 'my cabin leaks'
  say 30 deck ben 'my cabin leaks'
  say 60 deck cyd 'Ada said so'
  index
  run -0 bash -c 'sophia-retrieve -C 0 "does the cabin of Ada leak" | jq -r "select(.part == \"hit\") | .author.name"'
  [ "$output" = $'ada\nben' ]
}

# read_all LANE - read page after page, adding messages between them; every id
# that was there at first must come, each once.
read_all() {
  local next=() more=true new=1000
  for n in $(seq 1 40); do
    say "$n" deck "a$((n % 3))" "rope number $n"
    id "$n" >>"$BATS_TEST_TMPDIR/want"
  done
  index
  while [ "$more" = true ]; do
    sophia-retrieve --lane "$1" -C 0 -n 7 "${next[@]}" -- rope >"$BATS_TEST_TMPDIR/out"
    jq -r 'select(.text).id' "$BATS_TEST_TMPDIR/out" >>"$BATS_TEST_TMPDIR/seen"
    more=$(jq -r 'select(.type == "page").more' "$BATS_TEST_TMPDIR/out")
    next=(-k "$(cursor <"$BATS_TEST_TMPDIR/out")")
    say $((++new)) deck zed "new rope rope rope $new"
    index
  done
  sort "$BATS_TEST_TMPDIR/want" | diff - <(sort "$BATS_TEST_TMPDIR/seen")
}

@test "ranked pages read everything once while messages arrive" {
  read_all relevance
}

@test "pages in order of time read everything once while messages arrive" {
  read_all chronological
}

@test "pages go on past the pool that is ranked together" {
  for n in $(seq 1 40); do
    jq -cn --argjson n "$n" 'range(15) | . * 40 + $n | {type: "message",
      id: ((. + 1) * 4194304000000 | tostring), guild: {id: "900", name: "Ship"},
      channel: {id: "1", name: "deck"}, author: {id: "2", name: "ada"},
      at: "2015-01-01T00:00:00Z", text: "rope \(range(. % 9) | "knot")"}'
  done | jq -cs 'group_by(.id)[] | .[0]' >"$BATS_TEST_TMPDIR/archive"
  total=$(wc -l <"$BATS_TEST_TMPDIR/archive")
  index
  local next=() more=true
  while [ "$more" = true ]; do
    sophia-retrieve -C 1 -n 100 "${next[@]}" -- rope >"$BATS_TEST_TMPDIR/out"
    jq -r 'select(.part == "hit").id' "$BATS_TEST_TMPDIR/out" >>"$BATS_TEST_TMPDIR/seen"
    more=$(jq -r 'select(.type == "page").more' "$BATS_TEST_TMPDIR/out")
    next=(-k "$(cursor <"$BATS_TEST_TMPDIR/out")")
  done
  [ "$total" -gt 300 ]
  [ "$(wc -l <"$BATS_TEST_TMPDIR/seen")" -eq "$total" ]
  [ "$(sort -u "$BATS_TEST_TMPDIR/seen" | wc -l)" -eq "$total" ]
}

@test "a cursor can be used again, and gives the same page" {
  for n in $(seq 1 30); do say "$n" deck "a$((n % 3))" "rope number $n"; done
  index
  k=$(sophia-retrieve -n 5 rope | cursor)
  sophia-retrieve -n 5 -k "$k" -- rope | jq -c 'select(.text) | [.id, .score, .group]' >"$BATS_TEST_TMPDIR/first"
  say 100 deck zed 'rope rope rope'
  index
  sophia-retrieve -n 5 -k "$k" -- rope | jq -c 'select(.text) | [.id, .score, .group]' |
    diff "$BATS_TEST_TMPDIR/first" -
  [ -s "$BATS_TEST_TMPDIR/first" ]
}

@test "a cursor of another search is refused" {
  ship
  k=$(sophia-retrieve -n 1 -c deck anchor | cursor)
  for other in '-c hold anchor' '-c deck winch' 'anchor' '-c deck --all anchor' '-c deck'; do
    # shellcheck disable=SC2086
    run -65 --separate-stderr sophia-retrieve -k "$k" $other
    [ "$stderr" = "sophia-retrieve: this cursor belongs to another search; repeat that one's words and options with it" ]
  done
  run -65 --separate-stderr sophia-retrieve -k "${k%?}" -c deck anchor
  [ "$stderr" = 'sophia-retrieve: this is no cursor, or a part of it is missing' ]
}

@test "what was edited since the first page is named" {
  for n in $(seq 1 6); do say "$n" deck ada "rope number $n"; done
  index
  k=$(sophia-retrieve -n 2 rope | cursor)
  say 1 deck ada 'string number 1' '{"edited":"2999-01-01T00:00:00Z"}'
  index
  run -0 bash -c 'sophia-retrieve -n 2 -k "$1" -- rope | jq -c "select(.type == \"coverage\").edited_since"' - "$k"
  [ "$output" = "[\"$(id 1)\"]" ]
}

@test "coverage tells what is complete from what nobody vouches for" {
  ship
  run -0 bash -c 'sophia-retrieve -c deck | jq -c "select(.type == \"coverage\") | [.searched[0].from, .searched[0].to, (.missing | length > 0), .forbidden]"'
  [ "$output" = '["2024-05-01T00:01:00.000Z","2024-05-01T00:06:00.000Z",true,[]]' ]
}

@test "FTS syntax, SQL and format strings are words" {
  say 1 deck ada 'plain text'
  say 2 deck ada 'near the OR gate'
  index
  for text in '"' '" OR 1' 'a AND NOT' 'NEAR(a b)' 'tokens:plain' '*' '^plain*' '(((' \
    "'; DROP TABLE message; --" '%s%n%d' '{col}' '-plain' '+' '\' '$(id)' "x' OR '1'='1"; do
    for how in --any --all --phrase; do
      run sophia-retrieve "$how" -- "$text"
      [ "$status" -le 1 ]
    done
    run sophia-retrieve -- "$text"
    [ "$status" -le 1 ]
  done
  run -0 bash -c 'sophia-retrieve --all OR | jq -r "select(.text).text"'
  [ "$output" = 'near the OR gate' ]
}

@test "any bytes are a query" {
  ship
  for text in $'\xff\xfe' $'\xed\xa0\x80' '日本語' 'ไทย' '🏴‍☠️' $'a\u0301' $'\u202e' \
    "$(printf 'x%.0s' $(seq 5000))"; do
    run sophia-retrieve -- "$text"
    [ "$status" -eq 1 ]
  done
}

@test "requests come as lines, one answer each, a bad one is named" {
  ship
  run -65 --separate-stderr bash -c 'printf "%s\n" "{\"query\":\"cat\"}" "{\"limit\":0}" "[" \
    "{\"channels\":[\"hold\"],\"order\":\"oldest\",\"limit\":1}" | sophia-retrieve'
  [ "$(texts <<<"$output")" = $'no cat on this ship\nrats again\nrats again' ] ||
    [ "$(texts <<<"$output")" = $'rats again\nno cat on this ship\nrats again' ]
  [[ $stderr == *'line 2: limit is no number from 1 to 100'* ]]
  [[ $stderr == *'line 3: '* ]]
}

@test "wishes that contradict each other are refused" {
  ship
  run -65 --separate-stderr sophia-retrieve --lane relevance -c deck
  [ "$stderr" = 'sophia-retrieve: ranking by relevance needs words to look for' ]
  run -65 --separate-stderr sophia-retrieve --around "$(id 1)" winch
  run -65 --separate-stderr sophia-retrieve --around 12345678901234567
  [ "$stderr" = 'sophia-retrieve: around: message 12345678901234567 is not indexed' ]
  run -65 --separate-stderr sophia-retrieve --after yesterday
  [ "$stderr" = "sophia-retrieve: after 'yesterday' is neither a time nor a message id" ]
  run -2 sophia-retrieve --has beard
  run -2 sophia-retrieve -n 0
}

@test "one message by chance, of the scope alone" {
  ship
  run -0 bash -c 'sophia-retrieve --random -c hold -a ben | jq -r .text'
  [ "$output" = 'no cat on this ship' ]
  run -1 sophia-retrieve --random -c hold -a cyd
}

@test "the structure: categories, channels, threads, and how much is there" {
  say 1 deck ada one '{"channel":{"id":"11","name":"deck","type":"GuildTextChat","parent":"10","category":"Ship"}}'
  say 2 deck ada two '{"channel":{"id":"12","name":"knots","type":"GuildPublicThread","parent":"11"}}'
  index
  run -0 sophia-retrieve --structure --text
  [ "$output" = $'Ship\n  Ship\n    #deck  1\n      #knots  1' ]
  sophia-retrieve --structure | valid_records
}

# calls CAPABILITY ARGUMENTS... - a call record of each.
calls() {
  while [ $# -gt 0 ]; do
    jq -cn --arg c "$1" --argjson a "$2" '{type: "call", id: "0000000000000000000t.1", capability: $c,
      arguments: $a, tier: "read", context: {actor: {id: "local", name: "n"},
      location: {kind: "local"}, visibility: "private"}}'
    shift 2
  done
}

# serve CAPABILITY ARGUMENTS... - call after call on one process.
serve() { calls "$@" | sophia-retrieve --serve; }

@test "--serve: the tools answer with sources, coverage and a cursor" {
  ship
  serve retrieve_messages '{"query":"winch","limit":1}' \
    search_messages '{"text":"anchor is","mode":"phrase","limit":1}' >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c '[.type, .id, .ok, (.sources | length > 0), (.coverage.searched | length), (.cursor != null), .data.found]' \
    "$BATS_TEST_TMPDIR/out"
  [ "${lines[0]}" = '["result","0000000000000000000t.1",true,true,2,true,null]' ]
  [ "${lines[1]}" = '["result","0000000000000000000t.1",true,true,2,true,2]' ]
}

@test "--serve: names, channels, structure and chance" {
  ship
  serve resolve_member_identity '{"name":"ada"}' \
    resolve_channel_targets '{"names":["deck","hol","nowhere"]}' \
    list_guild_structure '{"limit":1}' random_channel_message '{"channels":["hold"]}' \
    >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -c '.data | [.resolved, (.candidates[0].names // [])[0],
    (.channels // [] | map(.name)), (.unclear // [] | map(.candidates[0].name)), .unknown,
    (.places // [] | length), .picked_from]' "$BATS_TEST_TMPDIR/out"
  [ "${lines[0]}" = '[true,"ada",[],[],null,0,null]' ]
  [ "${lines[1]}" = '[null,null,["deck"],["hold"],["nowhere"],0,null]' ]
  [ "${lines[2]}" = '[null,null,[],[],null,1,null]' ]
  [ "${lines[3]}" = '[null,null,[],[],null,0,2]' ]
}

@test "--serve: without an index each call says so, and works once there is one" {
  call=$(calls retrieve_messages '{"query":"winch"}')
  coproc served { sophia-retrieve --serve; }
  child=$served_PID
  echo "$call" >&"${served[1]}"
  read -r first <&"${served[0]}"
  ship
  echo "$call" >&"${served[1]}"
  read -r second <&"${served[0]}"
  exec {served[1]}>&-
  wait "$child"
  run -0 jq -r '"\(.type) \(.kind) \(.text)"' <<<"$first"
  [ "$output" = 'error config there are no messages yet; run: sophia index import FILE' ]
  run -0 jq -r '.sources[] | select(.part == "hit").text' <<<"$second"
  [[ $output == *winch* ]]
}

@test "--serve: a bad argument and an unknown tool are errors of that call" {
  ship
  serve search_messages '{}' retrieve_messages '{"authors":["nobody"]}' sink_ship '{}' \
    retrieve_messages '{"query":"cat"}' >"$BATS_TEST_TMPDIR/out"
  valid_records "$BATS_TEST_TMPDIR/out"
  run -0 jq -r '"\(.type) \(.text // "")"' "$BATS_TEST_TMPDIR/out"
  [ "${lines[0]}" = 'error text is missing' ]
  [ "${lines[1]}" = "error no member 'nobody' in the index" ]
  [[ ${lines[2]} == 'error sink_ship is not served here' ]]
  [ "${lines[3]}" = 'result ' ]
}

@test "--serve: where it is not known who may read what, nothing is shown" {
  ship
  run -0 bash -c 'jq -cn "{type: \"call\", id: \"0000000000000000000t.1\",
    capability: \"retrieve_messages\", arguments: {query: \"cat\"}, tier: \"read\",
    context: {actor: {id: \"123456789012345678\", name: \"n\"},
    location: {kind: \"dm\"}, visibility: \"private\"}}" | sophia-retrieve --serve'
  [ "$(jq -r '.type + " " + .kind' <<<"$output")" = 'error denied' ]
}

@test "a closed pipe ends it quietly" {
  for n in $(seq 1 60); do say "$n" deck ada "rope $n"; done
  index
  run --separate-stderr bash -c 'sophia-retrieve -c deck | head -n 1 >/dev/null'
  [ -z "$stderr" ]
}

@test "it finds what grep finds: the samples" {
  sophia-index import "$top"/share/samples/*.json >/dev/null
  run -0 "$top/tests/retrieve-grep" "$top"/share/samples/*.json
}

@test "it finds what grep finds: a help channel" {
  fixtures=${SOPHIA_FIXTURES:-$top/../shared/fixtures}/chat
  [ -d "$fixtures" ] || skip "no archive in $fixtures"
  sophia-index import "$fixtures"/*.json >/dev/null
  run -0 "$top/tests/retrieve-grep" "$fixtures"/*.json
}
