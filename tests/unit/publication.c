/* What a task has read goes nowhere where somebody reads who couldn't. */
#define _GNU_SOURCE
#include "access/publication.h"

#include "core/clock.h"
#include "core/err.h"
#include "ext/db.h"
#include "record/context.h"
#include "store/base.h"
#include "store/settings.h"

#include "scratch.h"
#include "tap.h"

/*
 * Guild 1 is ada's (10). #square (20) is for all, #den (21) and the old thread
 * in it (31) for keepers (5), #vault (22) for ada and Sophia (9); 30 is eve's
 * private thread in #square, 23 a voice channel, and 40 is in a guild that is
 * not enabled. eve (11) keeps, bob (12) doesn't, of zoe (13) nothing is known.
 */
static const char guild[] =
    "INSERT INTO meta VALUES ('bot', '9'), ('members', '1');"
    "INSERT INTO guild (id, name, owner, as_of_ms)"
    "  VALUES (1, 'Harbour', 10, 1), (2, 'Elsewhere', 10, 1);"
    "INSERT INTO role (id, guild, name, permissions, as_of_ms)"
    "  VALUES (1, 1, 'all', 1115136, 1), (5, 1, 'keeper', 0, 1),"
    "  (2, 2, 'all', 66560, 1);"
    "INSERT INTO author (ord, id, name) VALUES (1, 9, 'sophia'),"
    "  (2, 10, 'ada'), (3, 11, 'eve'), (4, 12, 'bob');"
    "INSERT INTO member (author, guild, seen, roles_ms)"
    "  SELECT ord, 1, 0, 1 FROM author;"
    "INSERT INTO member_role VALUES (1, 1, 5), (3, 1, 5);"
    "INSERT INTO channel (ord, id, guild, parent, type, name, kind, as_of_ms)"
    "  VALUES (1, 20, 1, NULL, '', 'square', 0, 1),"
    "  (2, 21, 1, NULL, '', 'den', 0, 1), (3, 22, 1, NULL, '', 'vault', 0, 1),"
    "  (4, 30, 1, 20, '', 'aside', 12, 1), (5, 31, 1, 21, '', 'old', 11, 1),"
    "  (6, 23, 1, NULL, '', 'chat', 2, 1), (7, 40, 2, NULL, '', 'far', 0, 1);"
    "INSERT INTO overwrite VALUES (2, 1, 0, 0, 1024), (2, 5, 0, 1024, 0),"
    "  (3, 1, 0, 0, 1024), (3, 9, 1, 1024, 0);"
    "INSERT INTO thread_member VALUES (4, 11), (4, 9)";

static struct store tasks, index_store;
static struct context who;
static struct err why;

static void
say(struct store *s, const char *sql)
{
	struct err e = {0};

	if (store_begin(s, &e) < 0 || db_exec(&s->db, sql, &e) < 0 ||
	    store_commit(s, &e) < 0)
		printf("Bail out! %s\n", e.text);
}

/* The task T has read this, and only this: rows of (channel, name, kind). */
static void
has_read(const char *rows)
{
	char sql[2000];

	snprintf(sql, sizeof(sql),
	    "DELETE FROM task; INSERT INTO task (id, owner, owner_name,"
	    "  location, visibility, objective, approval, profile, state,"
	    "  created_ms, changed_ms) VALUES ('T', '11', 'eve',"
	    "  'guild:1:20', 'private', '', 'ask', 'p', 'running', 0, 0);"
	    "INSERT INTO source (task, channel, channel_name, kind, url,"
	    "  revision, text) SELECT 'T', column1, column2, column3, 'u' ||"
	    "  row_number() OVER (), '', 'x' FROM (VALUES %s)",
	    rows);
	say(&tasks, sql);
}

/* One turn more, in that channel; extra are members of its record. */
static void
has_turn(const char *channel, const char *extra)
{
	char sql[2000];

	snprintf(sql, sizeof(sql),
	    "INSERT INTO turn (id, task, n, actor, actor_name, text, record,"
	    "  state, started_ms) SELECT 'N' || count(*), 'T', count(*) + 1,"
	    "  '11', 'eve', '', '{\"location\":{\"kind\":\"guild\","
	    "  \"guild\":\"1\",\"channel\":\"%s\"}%s}', 'running', 0 FROM turn",
	    channel, extra);
	say(&tasks, sql);
}

static bool
may(const char *place)
{
	why = (struct err){0};
	if (publication_check(&tasks, NULL, &who, "T", place, &why) == 0)
		return true;
	if (why.kind != ERR_DENIED && why.kind != ERR_AGAIN)
		printf("Bail out! %s\n", why.text);
	return false;
}

static void
test_places(void)
{
	has_read("('21', 'den', 'message')");
	ok(may(NULL), "who reads a channel may be told what is in it");
	ok(may("21"), "and so may all who are there");
	ok(may("31"), "and in its threads");
	ok(!may("20"), "but nobody where others see it");
	same(why.text,
	    "not everyone who will read it there may read what this task rests "
	    "on: #den (1)",
	    "with the channel that is in the way");
	ok(!may("30"), "nor in a thread there, whoever is in it");
	ok(!may("99") && !may("x") && !may("40"),
	    "nor where it isn't known who reads");
	has_read("('20', 'square', 'message'), (NULL, NULL, 'page')");
	ok(may("20") && may("21") && may("30") && may("31"),
	    "what all read may be said everywhere, and so may a page");
	ok(!may("22"), "but not where the requester doesn't see it");
	has_read("('30', 'aside', 'message')");
	ok(may("30") && may(NULL) && !may("20"),
	    "what is in a private thread stays there");
	has_read("('23', 'chat', 'message')");
	ok(may("23") && may(NULL) && !may("20"),
	    "nor does what is in voice: who is timed out can't read it");
}

/* A file is from a channel, also when a call read it that is gone since. */
static void
test_files(void)
{
	has_read("(NULL, NULL, 'page')");
	say(&tasks,
	    "INSERT INTO content VALUES ('h', 1, x'00');"
	    "INSERT INTO file (task, path, hash, size, media, origin, url,"
	    "  channel, at_ms) VALUES ('T', 'a', 'h', 1, '', 'import', 'u',"
	    "  '21', 0), ('T', 'b', 'h', 1, '', 'import', 'c', NULL, 0)");
	ok(may("21") && may(NULL), "a file may be shown where it was attached");
	ok(!may("20"), "but not where others are");
	same(why.text,
	    "not everyone who will read it there may read what this task rests "
	    "on: <#21> (1)",
	    "with the channel that it is from");
	say(&tasks,
	    "INSERT INTO source (task, channel, channel_name, kind, url,"
	    "  revision, text) VALUES ('T', '21', 'den', 'message', 'v', '',"
	    "  'x')");
	ok(!may("20") && strstr(why.text, "on: #den (1)") &&
		!strstr(why.text, "<#21>"),
	    "which is named once, if its message is a source as well");
	say(&tasks, "DELETE FROM source; DELETE FROM file");
	ok(may("20"), "without it, all may be shown again");
	has_turn("20", "");
	say(&tasks,
	    "INSERT INTO round (task, n, turn, message, at_ms)"
	    "  SELECT 'T', 1, id, '{}', 0 FROM turn;"
	    "INSERT INTO call (task, n, round, capability, arguments, tier,"
	    "  state, started_ms) VALUES ('T', 1, 1, '', '{}', 'scratch',"
	    "  'open', 0);"
	    "INSERT INTO file_input (task, call, path, hash, channel)"
	    "  VALUES ('T', 1, 'a', 'h', '21')");
	ok(!may("20") && may("21"), "but not what a call made of it");
}

static void
test_unknown(void)
{
	has_read("(NULL, NULL, 'message')");
	ok(!may("20") && !may(NULL), "text from nowhere is said nowhere");
	has_read("('77', 'lost', 'message')");
	ok(!may("20") && !may(NULL), "nor is text from a channel not known");
	ok(!strstr(why.text, "lost") && strstr(why.text, "1 source "),
	    "which isn't named");
	has_read("('40', 'far', 'message')");
	ok(!may("20") && !may(NULL), "or from a server that isn't enabled");
	has_read("('22', 'vault', 'message'), ('21', 'den', 'message')");
	ok(!may("20") && strstr(why.text, "#den (1); 1 source ") &&
		!strstr(why.text, "vault"),
	    "a channel that the requester doesn't see isn't named");
	say(&tasks, "UPDATE source SET gone_ms = 1, text = ''");
	ok(may("20"), "a source that is gone is in nobody's way");
	has_read("('22', 'vault', 'message')");
	who.actor.id = "13";
	ok(!may(NULL) && !may("20"), "and who isn't known is told nothing");
	who.actor.id = "local";
	who.location.kind = LOCATION_LOCAL;
	ok(may(NULL) && may("22") && !may("20"),
	    "at the machine all is read, and no more is published");
	ok(strstr(why.text, "#vault"), "with every reason");
}

static void
test_context(void)
{
	has_read("('20', 'square', 'message')");
	has_turn("21", "");
	ok(may("20"), "a request is its owner's to repeat");
	has_turn("21", ",\"reply\":{\"text\":\"it\"}");
	ok(!may("20"), "what it replied to is not");
	has_read("('20', 'square', 'message')");
	has_turn("21", ",\"more\":{\"forwarded\":[1]}");
	ok(!may("20"), "nor what came with it by others' hand");
	has_read("('20', 'square', 'message')");
	has_turn("21", ",\"more\":{\"mentions\":[1]}");
	ok(may("20"), "but whom it mentions is its own");
	has_read("('20', 'square', 'message')");
	has_turn("21", "");
	say(&tasks, "INSERT INTO control (task, kind, actor, actor_name, text,"
		    " at_ms) VALUES ('T', 'steer', '11', 'eve', 'x', 0)");
	ok(may("20"), "nor is the owner's correction in the way");
	say(&tasks, "UPDATE control SET actor = '12'");
	ok(!may("20") && may("21"), "but anybody else's");
}

static void
test_changes(void)
{
	has_read("('21', 'den', 'message')");
	who.visibility = VISIBILITY_PUBLIC;
	ok(!may("20") && !strstr(why.text, "den"),
	    "in public a channel is named only if all there see it");
	who.visibility = VISIBILITY_PRIVATE;
	say(&index_store, "DELETE FROM member_role WHERE author = 3");
	ok(!may(NULL) && !strstr(why.text, "den"),
	    "a role that is taken away counts at once");
	say(&index_store, "INSERT INTO member_role VALUES (3, 1, 5)");
	say(&index_store, "DELETE FROM member_role WHERE author = 1");
	ok(!may(NULL), "and so does Sophia's own");
	say(&index_store, "INSERT INTO member_role VALUES (1, 1, 5);"
			  "DELETE FROM overwrite WHERE channel = 2");
	ok(may("20"), "a channel that was opened is for all");
}

/* A tool of that tier answered so, with this in a member of that name. */
static void
was_answered(const char *tier, const char *state, const char *key,
    const char *data)
{
	char sql[2000];

	has_read("('20', 'square', 'message')");
	has_turn("20", "");
	snprintf(sql, sizeof(sql),
	    "INSERT INTO round (task, n, turn, message, at_ms)"
	    "  SELECT 'T', 1, id, '{}', 0 FROM turn WHERE task = 'T';"
	    "INSERT INTO call (task, n, round, capability, arguments, tier,"
	    "  state, output, started_ms, ended_ms) VALUES ('T', 1, 1, 'x',"
	    "  '{}', '%s', '%s', '{\"%s\":%s,\"coverage\":\"22\"}', 0, 0)",
	    tier, state, key, data);
	say(&tasks, sql);
}

static void
was_told(const char *tier, const char *data)
{
	was_answered(tier, "ok", "data", data);
}

static void
test_names(void)
{
	was_told("read", "{\"a\":[{\"id\":\"21\"}]}");
	ok(!may("20") && strstr(why.text, "<#21>"),
	    "a channel that a tool named is not named to all");
	ok(may("21") && may(NULL), "but where it is known");
	was_answered("read", "error", "candidates", "[{\"id\":\"21\"}]");
	ok(!may("20") && may("21"),
	    "nor is one that was offered for a word that fits several");
	was_told("write", "{\"id\":\"21\"}");
	ok(may("20"), "what a change says of itself is no such thing");
	was_told("read", "{\"id\":\"23\",\"x\":\"20\"}");
	ok(may("20"), "who sees a channel may hear of it, history or not");
	was_told("read", "[\"5\",\"99\",\"x\",\"\",\"99999999999999999999\"]");
	ok(may("20"), "what is no channel is in nobody's way");
	was_told("read", "\"40\"");
	ok(!may("20"), "a channel of another server is");
}

static void
test_age(void)
{
	char sql[200];

	has_read("('21', 'den', 'message')");
	say(&index_store, "INSERT INTO overwrite VALUES (2, 1, 0, 0, 1024),"
			  "  (2, 5, 0, 1024, 0)");
	ok(may(NULL), "while changes of members are told, what is known holds");
	say(&index_store, "UPDATE meta SET value = '0' WHERE name = 'members'");
	ok(!may(NULL) && why.kind == ERR_DENIED,
	    "else no longer than for an hour");
	snprintf(sql, sizeof(sql), "UPDATE member SET roles_ms = %lld",
	    (long long)clock_now_ms() - 3000000);
	say(&index_store, sql);
	ok(may(NULL), "and as long");
	snprintf(sql, sizeof(sql), "UPDATE guild SET people_ms = %lld",
	    (long long)clock_now_ms() - 2000000);
	say(&index_store, sql);
	ok(!may(NULL) && why.kind == ERR_AGAIN,
	    "but not over a gap in what the gateway heard, for the while");
	ok(!may("20") && why.kind == ERR_AGAIN, "nor for others");
	say(&index_store, "UPDATE guild SET people_ms = NULL;"
			  "UPDATE meta SET value = '1' WHERE name = 'members'");
}

static void
test_dm(void)
{
	has_read("('21', 'den', 'message')");
	who.location = (struct location){LOCATION_DM, NULL, "50"};
	ok(may("50"), "direct messages with the requester are private");
	ok(!may("51") && !may("20"), "others are not known");
	has_read("('50', 'dm', 'message')");
	ok(may("50") && may(NULL) && !may("20"),
	    "what is in them is said there alone");
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	settings_set("discord.guilds", "1", &e);
	if (store_open(&tasks, "tasks", STORE_WRITE, &e) < 0 ||
	    store_open(&index_store, "messages", STORE_WRITE, &e) < 0)
		printf("Bail out! %s\n", e.text);
	say(&index_store, guild);
	who = (struct context){
	    .actor = {"11", "eve"},
	    .location = {LOCATION_GUILD, "1", "20"},
	};
	test_places();
	test_context();
	test_names();
	test_changes();
	test_age();
	test_dm();
	who.location = (struct location){LOCATION_GUILD, "1", "20"};
	test_files();
	test_unknown();
	store_close(&tasks);
	store_close(&index_store);
	scratch_close();
	return tap_done();
}
