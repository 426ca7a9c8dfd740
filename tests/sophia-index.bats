#!/usr/bin/env bats
# sophia-index from outside: small archives of every shape, and what is wrong
# with some of them.

load helper

setup() {
	state_folder
	cd "$BATS_TEST_TMPDIR"
}

index() { sophia-index "$@"; }

# export_of MESSAGES [CHANNEL]: an archive of DiscordChatExporter's shape
export_of() {
	printf '{"guild":{"id":"11","name":"Guild","iconUrl":""},'
	printf '"channel":{"id":"%s","type":"GuildTextChat","categoryId":"33",' "${2:-22}"
	printf '"category":"Cat","name":"general","topic":"What it is for"},'
	printf '"dateRange":{"after":null,"before":null},"messages":[%s],' "$1"
	printf '"messageCount":1}\n'
}

# dce ID TEXT [MORE]: one message of it
dce() {
	printf '{"id":"%s","type":"Default","timestamp":"2021-01-01T00:00:00Z",' "$1"
	printf '"timestampEdited":null,"callEndedTimestamp":null,"isPinned":false,'
	printf '"content":"%s","author":{"id":"44","name":"ada","discriminator":' "$2"
	printf '"0000","nickname":"Ada L","color":"#ff0000","isBot":false,"roles":'
	printf '[{"id":"55","name":"Makers","color":null,"position":2}]},'
	printf '"attachments":[],"embeds":[],"stickers":[],"reactions":[],'
	printf '"mentions":[],"inlineEmojis":[]%s}' "${3:+,$3}"
}

counts() { jq -c '[.new,.changed,.unchanged,(.skipped|map(.count)|add//0)]'; }

texts() { index export | jq -r .text; }

@test "help, version, and no verb" {
	run -0 index --help
	[[ $output == *import* && $output == *verify* ]]
	run -0 index --version
	run -2 index
}

@test "an export is imported: a summary, and the message with all it said" {
	export_of "$(dce 4194304000 hello)" >a.json
	run -0 --separate-stderr index import a.json
	[ -z "$stderr" ]
	[ "$(jq -c 'del(.elapsed_ms,.longest_ms,.bytes)' <<<"$output")" = '{"type":"summary","file":"a.json","new":1,"changed":0,"unchanged":0,"skipped":[],"messages":1}' ]
	run -0 --separate-stderr index export
	[ "$output" = '{"type":"message","id":"4194304000","guild":{"id":"11","name":"Guild"},"channel":{"id":"22","name":"general","type":"GuildTextChat","parent":"33","category":"Cat","topic":"What it is for"},"author":{"id":"44","name":"ada","nickname":"Ada L","color":"#ff0000","roles":[{"id":"55","name":"Makers","position":2}]},"at":"2015-01-01T00:00:01.000Z","text":"hello","link":"https://discord.com/channels/11/22/4194304000","revision":"0-a430d84680aabd0b"}' ]
}

@test "a second import changes nothing" {
	export_of "$(dce 1 one),$(dce 2 two)" >a.json
	index import a.json
	index export >before
	run -0 index import a.json
	[ "$(counts <<<"$output")" = '[0,0,2,0]' ]
	index export | cmp - before
	run -0 index verify
}

@test "an edit changes the words that are found, an older revision nothing" {
	export_of "$(dce 1 'first words')" >old.json
	export_of "$(dce 1 'second thoughts' | sed 's/"timestampEdited":null/"timestampEdited":"2021-02-01T00:00:00Z"/')" >new.json
	index import old.json
	run -0 index import new.json
	[ "$(counts <<<"$output")" = '[0,1,0,0]' ]
	run -0 index import old.json
	[ "$(jq -c .skipped <<<"$output")" = '[{"reason":"older revision","count":1}]' ]
	[ "$(texts)" = "second thoughts" ]
	[ "$(index export | jq -r .edited)" = 2021-02-01T00:00:00.000Z ]
	found() { sqlite3 "$SOPHIA_HOME/messages.sqlite" "SELECT count(*) FROM message_fts('$1')"; }
	[ "$(found first)" = 0 ]
	[ "$(found second)" = 1 ]
	index verify
}

@test "attachments, embeds, stickers, reactions, mentions and emoji are kept" {
	export_of "$(dce 1 x '"attachments":[{"id":"7","url":"https://a.example/f.png","fileName":"f.png","fileSizeBytes":9}],"embeds":[{"title":"T","url":"https://e.example","description":"D","author":{"name":"W"},"footer":{"text":"F"},"images":[{"url":"https://i.example"}],"fields":[{"name":"N","value":"V","isInline":true}]}],"stickers":[{"id":"8","name":"wave","format":"Png"}],"reactions":[{"emoji":{"id":"","name":"+1","code":"thumbsup"},"count":3}],"mentions":[{"id":"45","name":"bob"}],"inlineEmojis":[{"id":"9","name":"blob"},{"id":"","name":"x"}]')" >a.json
	index import a.json
	[ "$(index export | jq -c '[.attachments,.embeds,.stickers,.mentions,.emojis,.reactions]')" = '[[{"id":"7","name":"f.png","url":"https://a.example/f.png","size":9}],[{"title":"T","url":"https://e.example","description":"D","author":"W","footer":"F","image":"https://i.example","fields":[{"name":"N","value":"V"}]}],[{"id":"8","name":"wave"}],[{"id":"45","name":"bob"}],[{"id":"9","name":"blob"}],[{"emoji":"+1","count":3}]]' ]
	index verify
}

@test "an answer, a pin, a forwarded message, a poll and a command are told" {
	export_of "$(dce 2 a '"reference":{"messageId":"1","channelId":"22","guildId":"11"}'),$(dce 3 b '"reference":{"messageId":"9","channelId":"77","guildId":"11"}' | sed 's/Default/ChannelPinnedMessage/;s/"isPinned":false/"isPinned":true/'),$(dce 4 '' '"reference":{"type":"Forward","messageId":"5","channelId":"78"},"forwardedMessage":{"content":"sent on","attachments":[]}'),$(dce 5 c '"poll":{"question":"Tea?","answers":[{"text":"yes","votes":2}]},"interaction":{"id":"6","name":"ask","user":{"id":"45","name":"bob"}}')" >a.json
	index import a.json
	[ "$(index export | jq -c '[.id,.reply_to,.kind,.pinned,.reference,.forwarded,.poll,.interaction]|map(.//0)')" = '["2","1",0,0,0,0,0,0]
["3",0,6,true,{"message":"9","channel":"77","guild":"11"},0,0,0]
["4",0,0,0,{"message":"5","channel":"78"},{"text":"sent on"},0,0]
["5",0,0,0,0,0,{"question":"Tea?","answers":[{"text":"yes","votes":2}]},{"id":"6","name":"ask","user":{"id":"45","name":"bob"}}]' ]
}

@test "what was exported imports to the same" {
	export_of "$(dce 1 one),$(dce 2 'two \u00e9' '"attachments":[{"id":"7","url":"u","fileName":"f","fileSizeBytes":0}]')" >a.json
	export_of "$(dce 3 three)" 21 >b.json
	index import a.json b.json
	index export >one.ndjson
	SOPHIA_HOME=$PWD/other index import one.ndjson
	SOPHIA_HOME=$PWD/other index export | cmp - one.ndjson
	[ "$(jq -r .id one.ndjson | xargs)" = "3 1 2" ]
	[ "$(index export 21 | jq -r .text)" = three ]
	run -1 index export 99
	run -2 index export general
}

@test "Discord's own objects are read, a line each or a page of them" {
	m='{"id":"10","channel_id":"22","content":"hi","timestamp":"2020-01-01T00:00:00Z","edited_timestamp":null,"type":19,"pinned":false,"author":{"id":"44","username":"ada","global_name":"Ada","discriminator":"0"},"message_reference":{"message_id":"9","channel_id":"22"},"components":[{"type":17,"components":[{"type":10,"content":"shown"}]}],"sticker_items":[{"id":"8","name":"wave"}],"mention_roles":["55"]}'
	run -0 index import --guild 11 - <<<"$m"
	[ "$(counts <<<"$output")" = '[1,0,0,0]' ]
	printf '[%s,\n%s]' "$m" "${m/\"10\"/\"12\"}" >page.json
	run -0 index import --guild 11 page.json
	[ "$(counts <<<"$output")" = '[1,0,1,0]' ]
	[ "$(index export | jq -c 'select(.id=="10")|[.guild.id,.author.display,.reply_to,.kind,.components,.stickers,.roles]')" = '["11","Ada","9",19,["shown"],[{"id":"8","name":"wave"}],["55"]]' ]
	index verify
}

@test "a later export names what Discord's objects left out" {
	index import - <<<'{"id":"10","channel_id":"22","content":"hi","author":{"id":"44","username":"ada"}}'
	export_of "$(dce 11 ho)" >a.json
	index import a.json
	[ "$(index export | jq -c '[.id,.guild.name,.channel.name]' | xargs)" = '[10,Guild,general] [11,Guild,general]' ]
}

@test "without an index the other verbs say how to make one" {
  for verb in status export verify rebuild; do
    run -78 --separate-stderr sophia-index "$verb"
    [ "$stderr" = 'sophia-index: there are no messages yet; run: sophia index import FILE' ]
    [ -z "$output" ]
  done
}

@test "without a file it does not wait for a terminal to be typed at" {
  run -2 command script -qec 'sophia-index import' /dev/null
  [ "${lines[0]}" = $'sophia-index: which files are to be read? - is stdin\r' ]
}

@test "a folder without archives is said, and is exit 1" {
  mkdir "$BATS_TEST_TMPDIR/none"
  run -1 --separate-stderr sophia-index import "$BATS_TEST_TMPDIR/none"
  [ -z "$output" ]
  [ "$stderr" = "sophia-index: $BATS_TEST_TMPDIR/none: no *.json or *.ndjson file is in it" ]
}

@test "folders are walked, other files left alone" {
	mkdir -p in/deep
	export_of "$(dce 1 one)" >in/a.json
	export_of "$(dce 2 two)" >in/deep/b.json
	echo nonsense >in/c.txt
	run -0 index import in
	[ "$(jq -r .file <<<"$output" | xargs)" = "in/a.json in/deep/b.json" ]
}

@test "a file cut anywhere keeps what came before, and says where it ends" {
	export_of "$(dce 1 one),$(dce 2 two),$(dce 3 three)" >whole.json
	size=$(stat -c %s whole.json)
	last=0
	for n in $(seq 1 37 $((size - 3))) $((size - 3)); do
		head -c "$n" whole.json >cut.json
		rm -rf "$SOPHIA_HOME"
		run -65 --separate-stderr index import cut.json
		[[ ${stderr_lines[0]} == "sophia-index: cut.json: line 1, byte $n: it ends "* ]]
		got=$(jq -s '.[0].new' <<<"$output")
		[ "$got" -ge "$last" ]
		last=$got
	done
	[ "$last" = 3 ]
	index verify
}

@test "a message that is no JSON is skipped with its place, the rest is read" {
	export_of "$(dce 1 one),{\"id\":\"2\",,},$(dce 3 three)" >a.json
	run -65 --separate-stderr index import a.json
	[[ ${stderr_lines[0]} == "sophia-index: a.json: line 1, byte "*": bad JSON at byte "* ]]
	[ "$(jq -c '[.new,.skipped]' <<<"$output")" = '[2,[{"reason":"malformed","count":1}]]' ]
}

@test "wrong brackets end a file there" {
	export_of "$(dce 1 one),{\"id\":\"2\"],$(dce 3 three)" >a.json
	run -65 --separate-stderr index import a.json
	[[ ${stderr_lines[0]} == *"a ] without its [" ]]
	[ "$(texts)" = one ]
}

@test "what is no archive is refused with its place" {
	printf '\n\n<html>' >a.json
	run -65 --separate-stderr index import a.json
	[ "${stderr_lines[0]}" = "sophia-index: a.json: line 3, byte 2: not a chat archive: expected { or [" ]
	echo '{"some":"object"}' >b.json
	run -65 --separate-stderr index import b.json
	[ "${stderr_lines[0]}" = "sophia-index: b.json: line 1, byte 0: not a message" ]
	run -65 --separate-stderr index import none.json
	[ "${stderr_lines[0]}" = "sophia-index: none.json: opening: No such file or directory" ]
	run -2 index import --format csv b.json
}

@test "one bad file does not keep the others out" {
	echo oops >a.json
	export_of "$(dce 1 one)" >b.json
	run -65 index import a.json b.json
	[ "$(texts)" = one ]
}

@test "the channel may come after the messages, in a file but not in a pipe" {
	printf '{"messages":[%s],"guild":{"id":"11","name":"G"},"channel":{"id":"22","name":"late"}}' "$(dce 1 one)" >a.json
	run -0 index import a.json
	[ "$(index export | jq -r .channel.name)" = late ]
	run -65 --separate-stderr index import - < <(cat a.json)
	[[ ${stderr_lines[0]} == *"comes after its messages"* ]]
}

@test "records of other kinds are counted, not refused" {
	run -1 --separate-stderr index import - <<<'{"type":"page","count":0}'
	[ -z "$stderr" ]
	[ "$(jq -c .skipped <<<"$output")" = '[{"reason":"another record","count":1}]' ]
}

@test "--resume passes over a file that was read, and not over a changed one" {
	export_of "$(dce 1 one)" >a.json
	index import a.json
	run -1 index import --resume a.json
	[ "$(jq -c '[.before,.messages]' <<<"$output")" = '[true,0]' ]
	export_of "$(dce 1 one),$(dce 2 two)" >a.json
	run -0 index import --resume a.json
	[ "$(counts <<<"$output")" = '[1,0,1,0]' ]
}

@test "an import killed in the middle is resumed, and all is there" {
	for i in $(seq 1 20000); do
		printf '{"type":"message","id":"%d","channel":{"id":"22","name":"c"},"author":{"id":"44","name":"a"},"text":"the message number %d is here and not there"}\n' "$i" "$i"
	done >a.ndjson
	index import a.ndjson >/dev/null &
	pid=$!
	until [ "$(sqlite3 "$SOPHIA_HOME/messages.sqlite" 'SELECT count(*) > 500 FROM message' 2>/dev/null)" = 1 ] || ! kill -0 $pid 2>/dev/null; do :; done
	kill -KILL $pid 2>/dev/null || true
	wait $pid || true
	run -0 index import --resume a.ndjson
	[ "$(index status | jq .messages)" = 20000 ]
	[ "$(index export | jq -r .id | sort -n | uniq | wc -l)" = 20000 ]
	index verify
}

@test "a tombstone keeps a deleted message out, and a reset keeps the tombstone" {
	export_of "$(dce 1 one),$(dce 2 two)" >a.json
	index import a.json
	index reset --yes
	sqlite3 "$SOPHIA_HOME/messages.sqlite" 'INSERT INTO tombstone VALUES (1, 0)'
	index reset --yes
	run -0 index import a.json
	[ "$(jq -c '[.new,.skipped]' <<<"$output")" = '[1,[{"reason":"deleted","count":1}]]' ]
	[ "$(texts)" = two ]
}

@test "a reset asks first" {
	export_of "$(dce 1 one)" >a.json
	index import a.json
	run -79 --separate-stderr index reset </dev/null
	[ "$stderr" = "sophia-index: nothing was removed: say --yes" ]
	[ "$(texts)" = one ]
	run -0 index reset --yes
	[ "$(jq -c '[.type,.messages,.authors]' <<<"$output")" = '["index",0,0]' ]
	run -1 index export
}

@test "an index of another analyzer is rebuilt before a write" {
	export_of "$(dce 1 'running shoes')" >a.json
	index import a.json
	sqlite3 "$SOPHIA_HOME/messages.sqlite" "UPDATE meta SET value = 1 WHERE name = 'analyzer'"
	[ "$(index status | jq .stale)" = true ]
	run -78 --separate-stderr index verify
	run -0 --separate-stderr index import a.json
	[ "$stderr" = "sophia-index: the analysis of text has changed: rebuilding the index" ]
	[ "$(index status | jq .stale)" = false ]
	run -0 index verify
	run -0 index rebuild
	[ "$(jq -c '[.type,.messages,.stale]' <<<"$output")" = '["index",1,false]' ]
}

@test "verify finds a row without its words, a wrong length and a wrong count" {
	export_of "$(dce 1 one),$(dce 2 two)" >a.json
	index import a.json
	sqlite3 "$SOPHIA_HOME/messages.sqlite" "UPDATE message SET text = 'one more' WHERE id = 1"
	run -1 index verify
	[ "$(jq -r 'select(.level == "fail").text' <<<"$output")" = 'message 1: its length is 1, not 2
the full-text rows 0 to 1023 are not those of their messages
tokens: 2 are counted, there are 3
2 messages, 3 tokens, 3 problems' ]
}

@test "status counts; without an index it says so" {
	run -78 --separate-stderr index status
	export_of "$(dce 1 'the cat and the dog are here, but you are not')" >a.json
	index import a.json
	[ "$(index status --channels | jq -c '[.type,.messages]' | xargs)" = '[index,1] [channel,1]' ]
	[ "$(index status --channels | jq -r 'select(.type=="channel").ranges')" = 1 ]
}

@test "an export that nobody reads holds no lock and no view" {
	for i in $(seq 1 3000); do
		printf '{"type":"message","id":"%d","channel":{"id":"22","name":"c"},"author":{"id":"44","name":"a"},"text":"some text that fills the pipe, number %d"}\n' "$i" "$i"
	done | index import - >/dev/null
	mkfifo pipe
	index export >pipe &
	pid=$!
	exec 8<pipe
	read -r -u 8 line
	export_of "$(dce 5000 new)" 23 >b.json
	run -0 index import b.json
	sqlite3 "$SOPHIA_HOME/messages.sqlite" 'PRAGMA wal_checkpoint(TRUNCATE)' >checkpoint
	[ "$(cat checkpoint)" = "0|0|0" ]
	exec 8<&-
	wait $pid || true
}

@test "two imports at once both arrive" {
	for c in 31 32; do
		for i in $(seq 1 3000); do
			printf '{"type":"message","id":"%d","channel":{"id":"%d","name":"c"},"author":{"id":"%d","name":"a"},"text":"text %d of many"}\n' "$((i * 100 + c))" $c $((i % 7 + c)) "$i"
		done >$c.ndjson
	done
	index import 31.ndjson >/dev/null &
	one=$!
	run -0 index import 32.ndjson
	wait $one
	[ "$(index status | jq .messages)" = 6000 ]
	index verify
}

@test "the help channel of the fixtures is imported whole" {
	chat=${SOPHIA_FIXTURES:-$BATS_TEST_DIRNAME/../../shared/fixtures}/chat
	[ -d "$chat" ] || skip "no fixtures in $chat"
	run -0 index import "$chat"
	[ "$(jq -s 'map(.new)|add' <<<"$output")" = 12471 ]
	run -0 index import "$chat"
	[ "$(jq -sc '[(map(.new)|add),(map(.changed)|add),(map(.unchanged)|add)]' <<<"$output")" = '[0,0,12471]' ]
	index verify
}

@test "what it prints are records that are described" {
	export_of "$(dce 1 one '"attachments":[{"id":"7","url":"u","fileName":"f","fileSizeBytes":1}]')" >a.json
	{
		index import a.json
		index export
		index status --channels
		index verify
	} >records
	/usr/bin/python3 "$BATS_TEST_DIRNAME/valid-records" \
		"$BATS_TEST_DIRNAME/../share/schema/records" records
}

@test "pipes, devices and links to folders among archives don't stop an import" {
	mkdir -p d/sub
	export_of "$(dce 1 one)" >d/a.json
	export_of "$(dce 2 two)" >d/sub/z.json
	mkfifo d/b.json
	ln -s /dev/zero d/c.json
	ln -s . d/d.json
	ln -s a.json d/e.json
	run -0 --separate-stderr timeout 20 sophia-index import d
	[ "$(jq -r .file <<<"$output" | xargs)" = 'd/a.json d/e.json d/sub/z.json' ]
	[ -z "$stderr" ]
	[ "$(texts | xargs)" = 'one two' ]
}

@test "an archive may come by a pipe that has no name" {
	export_of "$(dce 1 one)" >a.json
	run -0 --separate-stderr index import <(cat a.json)
	[ "$(counts <<<"$output")" = '[1,0,0,0]' ]
}

# known: index messages 1 to 200, so that the language of their channel is told
known() {
	local all
	all=$(for i in {1..200}; do dce "$i" "word$i"; echo ,; done)
	export_of "${all%,}" >known.json
	index import known.json >/dev/null
}

# raw ID TEXT [MORE]: a message as Discord's API gives it
raw() {
	printf '{"id":"%s","channel_id":"22","guild_id":"11","content":"%s",' "$1" "$2"
	printf '"timestamp":"2021-01-01T00:00:00Z","author":{"id":"44","username":"ada"}%s}\n' "${3:+,$3}"
}

# importing: run an import of what is written to fd 8; sees ID waits for one
importing() {
	mkfifo pipe
	index import pipe >summary 2>complaint 3>&- &
	importer=$!
	exec 8>pipe
}
sees() {
	local i
	for ((i = 0; i < 1000; i++)); do
		[ -n "$(sqlite3 "$SOPHIA_HOME/messages.sqlite" "SELECT 1 FROM message WHERE id = $1")" ] && return
		read -rt 0.02 <> <(:) || :
	done
	return 1
}

@test "an import beside a rebuild leaves it the words that it will make" {
	known
	importing
	raw 201 'before it' >&8
	sees 201
	# what a rebuild that came as far as message 100 leaves
	sqlite3 "$SOPHIA_HOME/messages.sqlite" "INSERT INTO message_fts(message_fts) VALUES ('delete-all');
		UPDATE meta SET value = 0 WHERE name = 'tokens';
		INSERT INTO meta VALUES ('rebuild', 1)"
	raw 202 'beside it' >&8
	raw 150 'edited beside it' '"edited_timestamp":"2021-02-01T00:00:00Z"' >&8
	sees 202
	exec 8>&-
	wait "$importer"
	index import known.json >/dev/null # carries the rebuild on first
	run -0 index verify
	[ "$(jq -r .text <<<"$output")" = '202 messages, 206 tokens, 0 problems' ]
}

@test "an import whose beginning a reset takes away says so, and claims nothing" {
	known
	all=$(for i in {301..302}; do dce "$i" "word$i"; echo ,; done)
	export_of "${all%,}" >later.json
	importing
	head -c 900 later.json >&8
	sees 301
	index reset -y >/dev/null
	tail -c +901 later.json >&8
	exec 8>&-
	code=0
	wait "$importer" || code=$?
	[ "$code" = 75 ]
	[ "$(<complaint)" = 'sophia-index: pipe: the index was reset meanwhile: import it again' ]
	[ "$(sqlite3 "$SOPHIA_HOME/messages.sqlite" 'SELECT count(*) FROM coverage')" = 0 ]
	run -0 index verify
}

@test "what would be no record of 1 MiB is not taken in, with its names or as JSON" {
	long() { head -c "$1" /dev/zero | tr '\0' "$2"; }
	x=$(long 45000 x) quoted=$(printf '\\u0001%.0s' {1..88000})
	export_of "$(dce 1 "$x"),$(dce 2 "$quoted"),$(dce 3 fits)" >a.json
	run -65 --separate-stderr index import a.json
	[ "$(counts <<<"$output")" = '[2,0,0,1]' ]
	[[ ${stderr_lines[0]} == *': longer than a record may be' ]]
	export_of "$(dce 4 hi)" | sed "s/Ada L/$x/" >b.json
	export_of "$(dce 5 hi)" | sed "s/general/$x/" >c.json
	run -65 --separate-stderr index import b.json c.json
	[[ ${stderr_lines[0]} == *'b.json: line 1, byte '*': its names are longer than a record may be' ]]
	[[ ${stderr_lines[1]} == *'c.json: line 1, byte '*': its names are longer than a record may be' ]]
	# what is cut off where it was too long is no JSON any more
	export_of "$(dce 6 hi "\"stickers\":[{\"name\":\"$(long 400000 x)\"},{\"name\":\"$(long 400000 x)\"}]")" >d.json
	run -65 --separate-stderr index import d.json
	[[ ${stderr_lines[0]} == *': longer than a record may be' ]]
	[ "$(index export | wc -L)" -lt 1048576 ]
	[ "$(index export | wc -l)" = 2 ]
}

@test "an export with a tail of any length does not hide the next one" {
	export_of "$(dce 1 one)" >a.json
	sed -i 's/"messageCount":1/"tail":"TAIL"/' a.json
	{
		sed "s/TAIL.*//" a.json | tr -d '\n'
		head -c 9000000 /dev/zero | tr '\0' x
		printf '"}\n'
		export_of "$(dce 2 two)" 23
	} >b.json
	run -0 --separate-stderr index import b.json
	[ "$(counts <<<"$output")" = '[2,0,0,0]' ]
	[ "$(texts | xargs)" = 'one two' ]
}
