#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/db.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "history/page.h"
#include "record/event.h"
#include "store/base.h"
#include "store/coverage.h"
#include "store/settings.h"
#include "store/verify.h"

#include "scratch.h"
#include "tap.h"

static struct store store;
static struct ingest in;
static int64_t number_next, sequence_next, now_ms = 1700000000000;

/* Ids in the tests are small; all are of the first ms of Discord's time. */
static int
event(const char *name, const char *data)
{
	struct event x = {.number = ++number_next,
	    .sequence = ++sequence_next,
	    .at_ms = ++now_ms,
	    .data = data,
	    .data_len = strlen(data)};
	struct err e = {0};
	int told;

	snprintf(x.name, sizeof(x.name), "%s", name);
	if (strcmp(name, "READY") == 0)
		x.sequence = sequence_next = 1;
	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0 ||
	    ingest_shard(&in, 0, &e) < 0)
		printf("# begin: %s\n", e.text);
	told = ingest_event(&in, &x, &e);
	if (told < 0)
		printf("# %s: %s\n", name, e.text);
	if (ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		printf("# end: %s\n", e.text);
	return told;
}

static struct page_sum sum;

/* A page asked for just now, unless an older time is given. */
static int
page(uint64_t channel, uint64_t before, size_t limit, int64_t asked_ms,
    const char *list)
{
	struct page_ask ask = {.guild = 1,
	    .channel = channel,
	    .before = before,
	    .limit = limit,
	    .asked_ms = asked_ms ? asked_ms : ++now_ms};
	struct json *v = NULL;
	struct err e = {0};
	int result = -1;

	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0)
		printf("# begin: %s\n", e.text);
	if (json_read(&v, list, strlen(list), &e) == 0)
		result = page_put(&in, &ask, v, &sum, &e);
	if (result < 0)
		printf("# page: %s\n", e.text);
	json_free(v);
	if (ingest_end(&in, &e) < 0 || store_commit(&store, &e) < 0)
		printf("# end: %s\n", e.text);
	return result;
}

static const char *
ask(const char *sql)
{
	static struct buf rows;
	struct stmt s = {0};
	struct err e = {0};

	buf_clear(&rows);
	stmt_start(&s, &store.db, sql);
	while (stmt_next(&s, &e) > 0)
		buf_fmt(&rows, "%s%s", rows.len ? "," : "", row_text(&s, 0));
	stmt_end(&s);
	if (e.kind)
		printf("# %s: %s\n", sql, e.text);
	return buf_text(&rows);
}

static const char *
text_of(uint64_t id)
{
	static char sql[128];

	snprintf(sql, sizeof(sql), "SELECT text FROM message WHERE id = %llu",
	    (unsigned long long)id);
	return ask(sql);
}

static void
no_finding(void *ctx, const struct finding *f)
{
	(void)ctx;
	if (f->level != HEALTH_OK)
		printf("# %s\n", f->text);
}

/* Do rows, tokens, chunks and counts agree? */
static bool
agrees(void)
{
	struct verify_count n;
	struct err e = {0};

	return verify_run(&store.db, &n, no_finding, NULL, &e) == 0 &&
	       n.problems == 0 &&
	       strcmp(ask("SELECT count(*) FROM channel c WHERE messages <>"
			  " (SELECT count(*) FROM message WHERE channel ="
			  " c.ord)"),
		   "0") == 0;
}

#define AUTHOR "\"author\":{\"id\":\"40\",\"username\":\"ada\"}"
#define IN(channel) "\"guild_id\":\"1\",\"channel_id\":\"" channel "\""

static int
say(const char *id, const char *channel, const char *text)
{
	struct buf b = {0};
	int told;

	buf_fmt(&b,
	    "{\"id\":\"%s\",\"guild_id\":\"1\",\"channel_id\":\"%s\"," AUTHOR
	    ",\"member\":{\"nick\":\"countess\",\"roles\":[\"5\"]},"
	    "\"content\":\"%s\"}",
	    id, channel, text);
	told = event("MESSAGE_CREATE", b.data);
	buf_release(&b);
	return told;
}

static const char guild[] =
    "{\"id\":\"1\",\"name\":\"Harbour\",\"owner_id\":\"40\",\"roles\":["
    "{\"id\":\"1\",\"name\":\"@everyone\",\"permissions\":\"66560\"},"
    "{\"id\":\"5\",\"name\":\"crew\",\"permissions\":\"0\",\"color\":255,"
    "\"position\":1},"
    "{\"id\":\"6\",\"name\":\"bots\",\"permissions\":\"0\",\"position\":2}],"
    "\"members\":[{\"user\":{\"id\":\"9\",\"username\":\"sophia\",\"bot\":true}"
    ",\"roles\":[\"6\"]}],\"channels\":["
    "{\"id\":\"10\",\"type\":4,\"name\":\"Rooms\",\"position\":0},"
    "{\"id\":\"11\",\"type\":0,\"name\":\"general\",\"parent_id\":\"10\","
    "\"topic\":\"all\",\"nsfw\":false,\"position\":1},"
    "{\"id\":\"12\",\"type\":0,\"name\":\"secret\",\"permission_overwrites\":["
    "{\"id\":\"1\",\"type\":0,\"allow\":\"0\",\"deny\":\"1024\"}]},"
    "{\"id\":\"13\",\"type\":0,\"name\":\"bots\",\"permission_overwrites\":["
    "{\"id\":\"1\",\"type\":0,\"allow\":\"0\",\"deny\":\"1024\"},"
    "{\"id\":\"6\",\"type\":0,\"allow\":\"1024\",\"deny\":\"0\"}]}],"
    "\"threads\":[{\"id\":\"20\",\"type\":11,\"parent_id\":\"11\",\"name\":"
    "\"plans\",\"thread_metadata\":{\"archived\":false,\"locked\":false}}]}";

static const char ready[] = "{\"user\":{\"id\":\"9\"},\"session_id\":\"s\"}";

static void
test_nothing_enabled(void)
{
	ok(event("READY", ready) == 1, "READY is told to us");
	ok(event("GUILD_CREATE", guild) == 0 && say("100", "11", "hello") == 0,
	    "a guild that isn't enabled leaves nothing");
	same(ask("SELECT count(*) FROM guild"), "0", "no row of it");
	same(ask("SELECT count(*) FROM message"), "0", "nor of its messages");
}

static void
test_structure(void)
{
	struct err e = {0};

	settings_set("discord.guilds", "1", &e);
	event("READY", ready);
	ok(event("GUILD_CREATE", guild) == 1, "an enabled guild is taken");
	same(ask("SELECT name || ' ' || owner FROM guild"), "Harbour 40",
	    "its name and owner");
	same(ask("SELECT name FROM channel ORDER BY id"),
	    "Rooms,general,secret,bots,plans", "its channels and threads");
	same(ask("SELECT type || ' ' || topic || ' ' || parent FROM channel"
		 " WHERE id = 11"),
	    "GuildTextChat all 10", "what a channel is");
	same(ask("SELECT deny FROM overwrite o JOIN channel c ON c.ord ="
		 " o.channel WHERE c.id = 12"),
	    "1024", "its overwrites");
	same(ask("SELECT name || color FROM role WHERE id = 5"), "crew#0000FF",
	    "a role with its colour");
	same(ask("SELECT value FROM meta WHERE name = 'bot'"), "9",
	    "who Sophia is");
	same(
	    ask("SELECT id FROM channel WHERE live_ms IS NOT NULL ORDER BY id"),
	    "11,13,20", "what can be seen is watched, by roles and parents");
}

static void
test_messages(void)
{
	ok(say("100", "11", "the kiln is hot") == 1, "a message is put");
	same(text_of(100), "the kiln is hot", "with its text");
	same(ask("SELECT nickname FROM member m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 40"),
	    "countess", "and its author's nickname");
	same(ask("SELECT role FROM member_role m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 40"),
	    "5", "and roles");
	say("100", "11", "the kiln is hot");
	same(ask("SELECT count(*) FROM message"), "1",
	    "told again, it is there once");
	event("MESSAGE_UPDATE",
	    "{\"id\":\"100\"," IN("11") ",\"embeds\":[{\"title\":\"Kilns\"}]}");
	same(text_of(100), "the kiln is hot",
	    "an embed that comes later leaves the text");
	same(ask("SELECT more FROM message"),
	    "{\"embeds\":[{\"title\":\"Kilns\"}]}", "and is kept");
	event("MESSAGE_UPDATE",
	    "{\"id\":\"100\"," IN(
		"11") ",\"content\":\"the kiln is cold\","
		      "\"edited_timestamp\":\"2026-01-01T00:00:02Z\"}");
	same(text_of(100), "the kiln is cold", "an edit is taken");
	same(ask("SELECT more FROM message"),
	    "{\"embeds\":[{\"title\":\"Kilns\"}]}", "and leaves the embed");
	event("MESSAGE_UPDATE",
	    "{\"id\":\"100\"," IN(
		"11") ",\"content\":\"the kiln is warm\","
		      "\"edited_timestamp\":\"2026-01-01T00:00:01Z\"}");
	same(text_of(100), "the kiln is cold",
	    "an older edit that comes later is not");
	event("MESSAGE_UPDATE",
	    "{\"id\":\"100\"," IN(
		"11") ",\"pinned\":true,"
		      "\"edited_timestamp\":\"2026-01-01T00:00:02Z\"}");
	same(ask("SELECT flags & 1 FROM message"), "1", "a pin is seen");
	event("MESSAGE_UPDATE",
	    "{\"id\":\"999\"," IN("11") ",\"content\":\"who?\"}");
	same(text_of(999), "", "a part of what isn't there is nothing");
	ok(event("MESSAGE_CREATE", "{\"id\":\"7\",\"guild_id\":\"1\"}") == -1,
	    "a message without a channel is refused");
	ok(event("MESSAGE_CREATE", "{") == -1, "and so is what is no JSON");
	ok(say("101", "11", "and the roof leaks") == 1,
	    "the turn goes on after it");
	ok(agrees(), "tokens agree with their messages");
}

static int
react(const char *name, const char *user, const char *emoji)
{
	struct buf b = {0};
	int told;

	buf_fmt(&b,
	    "{\"message_id\":\"101\",\"user_id\":\"%s\"," IN(
		"11") ",\"emoji\":"
		      "{\"id\":null,\"name\":\"%s\"}}",
	    user, emoji);
	told = event(name, b.data);
	buf_release(&b);
	return told;
}

static const char *
more(void)
{
	return ask("SELECT coalesce(more, '') FROM message WHERE id = 101");
}

static void
test_reactions(void)
{
	react("MESSAGE_REACTION_ADD", "40", "x");
	react("MESSAGE_REACTION_ADD", "41", "x");
	react("MESSAGE_REACTION_ADD", "41", "y");
	same(more(),
	    "{\"reactions\":[{\"emoji\":\"x\",\"count\":2},"
	    "{\"emoji\":\"y\",\"count\":1}]}",
	    "reactions are counted");
	react("MESSAGE_REACTION_ADD", "41", "x");
	react("MESSAGE_REACTION_REMOVE", "41", "y");
	react("MESSAGE_REACTION_REMOVE", "41", "y");
	same(more(), "{\"reactions\":[{\"emoji\":\"x\",\"count\":2}]}",
	    "once each, however often they are told");
	event("MESSAGE_REACTION_REMOVE_ALL",
	    "{\"message_id\":\"101\"," IN("11") "}");
	same(more(), "", "all can be taken away");
	ok(agrees(), "and tokens agree still");
}

static void
test_poll(void)
{
	event("MESSAGE_CREATE",
	    "{\"id\":\"102\"," IN(
		"11") "," AUTHOR ",\"content\":\"\",\"poll\":{"
		      "\"question\":{\"text\":\"Tea?\"},\"answers\":[{\"answer_id\":1,"
		      "\"poll_media\":{\"text\":\"yes\"}},{\"answer_id\":2,"
		      "\"poll_media\":{\"text\":\"no\"}}]}}");
	event("MESSAGE_POLL_VOTE_ADD",
	    "{\"message_id\":\"102\",\"user_id\":\"40\",\"answer_id\":2," IN(
		"11") "}");
	same(ask("SELECT more FROM message WHERE id = 102"),
	    "{\"poll\":{\"question\":\"Tea?\",\"answers\":[{\"text\":\"yes\"},"
	    "{\"text\":\"no\",\"votes\":1}]}}",
	    "a vote is counted");
	event("MESSAGE_POLL_VOTE_REMOVE",
	    "{\"message_id\":\"102\",\"user_id\":\"40\",\"answer_id\":2," IN(
		"11") "}");
	same(ask("SELECT more FROM message WHERE id = 102"),
	    "{\"poll\":{\"question\":\"Tea?\",\"answers\":[{\"text\":\"yes\"},"
	    "{\"text\":\"no\",\"votes\":0}]}}",
	    "and taken back");
}

#define PAGED(id, text)                                                        \
	"{\"id\":\"" id "\",\"channel_id\":\"11\"," AUTHOR                     \
	",\"content\":\"" text "\"}"

static void
test_deletion(void)
{
	int64_t before_ms = now_ms;

	event("MESSAGE_DELETE", "{\"id\":\"100\"," IN("11") "}");
	same(text_of(100), "", "a deleted message is gone");
	ok(agrees(), "with its tokens, and its place in a chunk");
	same(ask("SELECT message FROM notice"), "100,100,100",
	    "edits are noticed, to be told of");
	page(11, 101, 100, before_ms, "[" PAGED("100", "the kiln is cold") "]");
	same(text_of(100), "", "a stale page doesn't bring it back");
	say("100", "11", "the kiln is hot");
	same(text_of(100), "", "nor does its event, told late");
	event("MESSAGE_DELETE_BULK",
	    "{\"ids\":[\"101\",\"102\",\"103\"]," IN("11") "}");
	same(ask("SELECT count(*) FROM message"), "0", "many go at once");
	say("103", "11", "never to be seen");
	same(text_of(103), "", "even one that wasn't there yet");
	ok(agrees(), "and all agrees");
}

static void
test_pages(void)
{
	say("110", "11", "one");
	say("111", "11", "two");
	page(11, 0, 3, 0,
	    "[" PAGED("111", "two, edited") "," PAGED("109",
		"old") "," PAGED("108", "older") "]");
	same(text_of(108), "older", "a page is put");
	same(text_of(110), "", "what is missing on it was deleted");
	same(text_of(111), "two, edited", "what has changed is changed");
	same(ask("SELECT low || '-' || high FROM coverage c JOIN channel d"
		 " ON d.ord = c.channel WHERE d.id = 11 ORDER BY low"),
	    "0-100,108-111", "its stretch is covered");
	page(11, 108, 3, 0, "[" PAGED("104", "first") "]");
	same(ask("SELECT low || '-' || high FROM coverage c JOIN channel d"
		 " ON d.ord = c.channel WHERE d.id = 11"),
	    "0-111", "a short page reaches to the beginning");
	event("MESSAGE_REACTION_ADD",
	    "{\"message_id\":\"109\",\"user_id\":\"40\"," IN(
		"11") ",\"emoji\":"
		      "{\"name\":\"x\"}}");
	page(11, 110, 1, now_ms - 1, "[" PAGED("109", "old") "]");
	same(ask("SELECT more FROM message WHERE id = 109"),
	    "{\"reactions\":[{\"emoji\":\"x\",\"count\":1}]}",
	    "a page asked for before a reaction doesn't take it away");
	page(11, 110, 1, 0,
	    "[{\"id\":\"109\",\"channel_id\":\"11\"," AUTHOR ",\"content\":"
	    "\"old\",\"reactions\":[{\"count\":4,\"emoji\":{\"name\":\"x\"}}]}]");
	same(ask("SELECT more FROM message WHERE id = 109"),
	    "{\"reactions\":[{\"emoji\":\"x\",\"count\":4}]}",
	    "one asked for after it tells the count");
	page(11, 110, 2, 0,
	    "[{\"id\":\"109\",\"channel_id\":\"11\"," AUTHOR
	    ",\"content\":\"old\",\"edited_timestamp\":\"soon\"}," PAGED("108",
		"older") "]");
	same(text_of(109), "old", "what can't be read is no reason to delete");
	page(11, 104, 3, 0, "[]");
	same(ask("SELECT count(*) FROM message"), "4",
	    "an empty page deletes nothing");
	ok(agrees(), "and all agrees");
}

static const char *
covered(const char *channel)
{
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "SELECT low || '-' || high FROM covered v JOIN channel c ON c.ord ="
	    " v.channel WHERE c.id = %s ORDER BY low",
	    channel);
	return ask(sql);
}

/* Since when all is to be looked through. */
static int64_t
wished(void)
{
	return atoll(ask("SELECT value FROM meta WHERE name = 'sweep'"));
}

static void
test_live(void)
{
	struct coverage_gap gap;
	struct err e = {0};
	int64_t sweep;

	same(covered("13"), "", "a watched channel tells nothing at first");
	say("200", "13", "beep");
	same(covered("13"), "200-200", "its first message begins the range");
	say("201", "11", "meanwhile");
	same(covered("13"), "200-201", "which grows with the shard");
	say("202", "12", "behind a door");
	same(covered("12"), "", "what can't be seen is never covered");
	event("CHANNEL_CREATE",
	    "{\"id\":\"300\",\"guild_id\":\"1\",\"type\":0,\"name\":\"new\"}");
	say("301", "300", "first");
	same(covered("300"), "300-301",
	    "a new channel is known from its start");
	page(20, 0, 50, 0, "[]");
	same(covered("20"), "0-20,20-301",
	    "the newest page joins what comes live");
	ok(coverage_gap(&store.db, 20, 0, COVERAGE_TOP, &gap, &e) == 1 &&
		gap.low == 302 && gap.high == COVERAGE_TOP,
	    "only what is to come is not known");
	event("CHANNEL_UPDATE",
	    "{\"id\":\"13\",\"guild_id\":\"1\",\"type\":0,\"name\":\"bots\","
	    "\"permission_overwrites\":[{\"id\":\"6\",\"type\":0,\"allow\":\"0\""
	    ",\"deny\":\"1024\"}]}");
	say("302", "11", "they can't hear us");
	same(covered("13"), "200-301", "lost access ends the range");
	sweep = wished();
	sequence_next += 3;
	say("303", "11", "after a gap");
	same(covered("300"), "300-302", "and so does an event that is missing");
	ok(wished() >= now_ms && wished() > sweep,
	    "which leaves a wish for a sweep");
	event("READY", ready);
	sweep = wished();
	event("GUILD_CREATE", guild);
	ok(wished() > sweep,
	    "what was looked through since READY is so again for its servers");
	say("400", "11", "back again");
	ok(coverage_gap(&store.db, 11, 200, 399, &gap, &e) == 1 &&
		gap.high == 399,
	    "a new session leaves a gap before its first message");
	same(ask("SELECT forbidden FROM channel WHERE id = 300"),
	    "Discord does not list it",
	    "a channel that is no longer listed is marked, not deleted");
}

static void
test_channel_deletion(void)
{
	struct err e = {0};

	say("401", "20", "in the thread");
	event("THREAD_CREATE",
	    "{\"id\":\"402\",\"guild_id\":\"1\",\"type\":11,\"parent_id\":"
	    "\"11\",\"name\":\"more plans\",\"newly_created\":true}");
	say("403", "402", "in another");
	event("CHANNEL_DELETE", "{\"id\":\"11\",\"guild_id\":\"1\"}");
	same(ask("SELECT id FROM tombstone_channel ORDER BY id"), "11,20,402",
	    "a channel goes with its threads");
	if (store_begin(&store, &e) < 0 || ingest_begin(&in, &e) < 0)
		printf("# %s\n", e.text);
	while (messages_sweep(&in.messages, &e) > 0)
		;
	ingest_end(&in, &e);
	store_commit(&store, &e);
	same(ask("SELECT DISTINCT c.id FROM message m JOIN channel c"
		 " ON c.ord = m.channel ORDER BY 1"),
	    "12,13,300", "and all their messages");
	say("404", "20", "an echo");
	same(text_of(404), "", "nothing is put into it any more");
	ok(agrees(), "and all agrees");
}

static void
test_guilds_change(void)
{
	struct err e = {0};

	same(ask("SELECT count(*) > 0 FROM channel WHERE live_ms IS NOT NULL"),
	    "1", "channels come live");
	settings_set("discord.guilds", "2", &e);
	ok(ingest_guilds_changed(&in, &e) == 1, "a change of guilds is seen");
	say("450", "11", "to nobody");
	same(text_of(450), "", "a guild that was disabled is not heard");
	same(ask("SELECT count(*) FROM channel WHERE live_ms IS NOT NULL"), "0",
	    "and nothing of it comes live any more");
	settings_set("discord.guilds", "1", &e);
	say("451", "11", "to us again");
	same(text_of(451), "to us again", "enabled again, it is");
	same(covered("11"), "0-302,400-400", "but what came between is a gap");
	event("GUILD_CREATE", guild);
}

static void
test_people(void)
{
	event("GUILD_MEMBER_UPDATE",
	    "{\"guild_id\":\"1\",\"user\":{\"id\":\"41\",\"username\":\"bob\"},"
	    "\"nick\":\"Bobby\",\"roles\":[\"5\",\"6\"]}");
	same(ask("SELECT role FROM member_role m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 41 ORDER BY 1"),
	    "5,6", "a member's roles are known");
	event("GUILD_ROLE_DELETE", "{\"guild_id\":\"1\",\"role_id\":\"5\"}");
	same(ask("SELECT role FROM member_role m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 41 ORDER BY 1"),
	    "6", "a role that is deleted is nobody's");
	event("GUILD_MEMBER_REMOVE",
	    "{\"guild_id\":\"1\",\"user\":{\"id\":\"41\"}}");
	same(ask("SELECT left_ms > 0 FROM member m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 41"),
	    "1", "who left is known to have left");
	event("INTERACTION_CREATE",
	    "{\"id\":\"9000\",\"guild_id\":\"1\",\"member\":{\"user\":{"
	    "\"id\":\"42\",\"username\":\"cy\"},\"roles\":[\"6\"]}}");
	same(ask("SELECT role FROM member_role m JOIN author a ON a.ord ="
		 " m.author WHERE a.id = 42"),
	    "6", "whoever uses a command tells of their roles");
	event("INTERACTION_CREATE",
	    "{\"id\":\"9001\",\"user\":{\"id\":\"43\",\"username\":\"di\"}}");
	event("GUILD_DELETE", "{\"id\":\"1\"}");
	same(ask("SELECT gone_ms > 0 FROM guild WHERE id = 1"), "1",
	    "and so is it when Sophia was sent away");
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	if (store_open(&store, "messages", STORE_WRITE, &e) < 0 ||
	    ingest_open(&in, &store, &e) < 0)
		printf("Bail out! %s\n", e.text);
	test_nothing_enabled();
	test_structure();
	test_messages();
	test_reactions();
	test_poll();
	test_deletion();
	test_pages();
	test_live();
	test_guilds_change();
	test_people();
	test_channel_deletion();
	ingest_close(&in);
	store_close(&store);
	scratch_close();
	return tap_done();
}
