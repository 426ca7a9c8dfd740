#define _GNU_SOURCE
#include "store/inbox.h"

#include "core/err.h"
#include "core/id.h"
#include "record/context.h"
#include "record/turn.h"
#include "store/address.h"
#include "store/base.h"
#include "store/heard.h"
#include "store/intake.h"
#include "store/trail.h"

#include "scratch.h"
#include "tap.h"

static struct store store;
static struct err why;

/* Add a request as of that minute, and commit: as inbox_add(). */
static int
add(const char *claim, int64_t minute, bool late)
{
	char id[ID_LEN + 1];
	const struct turn turn = {
	    .id = id,
	    .actor = {"11", "ada"},
	    .location = {LOCATION_GUILD, "1", "2"},
	    .text = claim,
	};
	int got = -1;

	id_new(id);
	if (store_begin(&store, &why) == 0)
		got = inbox_add(&store, claim, &turn, minute * 60000, late,
		    &why);
	if (got >= 0 && store_commit(&store, &why) < 0)
		got = -1;
	store_rollback(&store);
	return got;
}

/* The minutes of all rows, in the order in which they are begun. */
static const char *
minutes(void)
{
	static char text[128];
	struct inbox_row row = {0};
	struct stmt scan = {0};
	size_t len = 0;

	text[0] = '\0';
	while (inbox_next(&scan, &store, row.id, &row, &why) > 0)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
		    "%s%lld%s", len ? " " : "", (long long)row.asked_ms / 60000,
		    row.late ? "*" : "");
	stmt_end(&scan);
	return text;
}

static void
run(const char *sql)
{
	if (db_exec(&store.db, sql, &why) < 0)
		printf("# %s\n", why.text);
}

static void
test_requests(void)
{
	char first[ID_LEN + 1];
	struct inbox_row row = {0};
	struct stmt scan = {0};

	ok(add("message:1", 1, false) == 1, "a request is let in");
	ok(add("message:1", 1, false) == 0, "but not a second time");
	ok(add("message:2", 2, true) == 1 && add("message:3", 3, true) == 1 &&
		add("message:4", 4, true) == 1,
	    "late ones are, too");
	same(minutes(), "1 2* 3* 4*", "the oldest comes first");
	ok(inbox_trim(&store, 2, 0, &why) == 1, "of many late ones");
	same(minutes(), "1 3* 4*", "the newest stay");
	ok(add("message:2", 2, true) == 0, "what was let go stays away");
	ok(inbox_trim(&store, 2, 4 * 60000, &why) == 1, "so do those that");
	same(minutes(), "1 4*", "are too old");
	ok(inbox_next(&scan, &store, 0, &row, &why) == 1 && row.tries == 0,
	    "nobody has tried yet");
	snprintf(first, sizeof(first), "%s", row.turn);
	stmt_end(&scan);
	ok(inbox_tried(&store, first, 77, &why) == 0 &&
		inbox_next(&scan, &store, 0, &row, &why) == 1 &&
		row.tries == 1 && row.due_ms == 77,
	    "a try is counted, and when the next is due");
	stmt_end(&scan);
	run("INSERT INTO task SELECT 't', '11', 'ada', 'guild:1:2', 'public',"
	    " 'x', 'ask', 'p', 'running', NULL, 0, 0, 0, 0");
	run("INSERT INTO turn (id, task, n, actor, actor_name, text, record,"
	    " state, answer, started_ms, ended_ms) SELECT turn, 't', 1, '11', 'ada', 'x', '{}',"
	    " 'running', NULL, 0, NULL FROM inbox ORDER BY id LIMIT 1");
	ok(inbox_sweep(&store, &why) == 0, "one whose turn has begun");
	same(minutes(), "4*", "leaves");
}

/* Could somebody begin that turn now? Nothing is kept of having asked. */
static bool
may_begin(const char *turn)
{
	char claim[ID_LEN + 8];
	int got = -1;

	snprintf(claim, sizeof(claim), "turn:%s", turn);
	if (store_begin(&store, &why) == 0)
		got = intake_claim(&store, claim, turn, 0, &why);
	store_rollback(&store);
	return got == 1;
}

static void
test_call_off(void)
{
	const struct context who = {.actor = {"11", "ada"},
	    .location = {LOCATION_GUILD, "1", "2"}};
	char turn[ID_LEN + 1], begun[ID_LEN + 1];

	ok(add("message:5", 5, false) == 1 && add("message:6", 6, false) == 1 &&
		inbox_of(&store, &who, begun, &why) == 1,
	    "of two requests that wait, the newest is meant");
	run("INSERT INTO turn (id, task, n, actor, actor_name, text, record,"
	    " state, answer, started_ms, ended_ms) SELECT turn, 't', 2, '11', 'ada', 'x', '{}',"
	    " 'running', NULL, 0, NULL FROM inbox ORDER BY id DESC LIMIT 1");
	ok(inbox_of(&store, &who, turn, &why) == 1 && strcmp(turn, begun) != 0,
	    "but not if it was begun, and nobody has noted that yet");
	ok(may_begin(turn) && inbox_cancel(&store, turn, &why) == 1 &&
		!may_begin(turn),
	    "whoever was started for what is called off does not begin it");
	ok(inbox_cancel(&store, turn, &why) == 0, "it is called off once");
	ok(add("message:7", 7, false) == 1 &&
		inbox_of(&store, &who, turn, &why) == 1 &&
		address_add(&store, turn,
		    &(struct address){.channel = "2", .request = "77"},
		    &why) == 0,
	    "one was asked for by a message");
	ok(inbox_withdraw(&store, "77", &why) == 1 && !may_begin(turn),
	    "and is not begun when that is deleted");
	run("DELETE FROM inbox; DELETE FROM address;"
	    " DELETE FROM turn WHERE n = 2");
}

static void
test_trail(void)
{
	const struct address to = {.channel = "2", .request = "55"};
	enum trail_kind kind;
	char task[ID_LEN + 1];
	struct stmt q = {0};
	char turn[ID_LEN + 1] = "";

	stmt_start(&q, &store.db, "SELECT id FROM turn");
	if (stmt_next(&q, &why) > 0)
		snprintf(turn, sizeof(turn), "%s", row_text(&q, 0));
	stmt_end(&q);
	ok(address_add(&store, turn, &to, &why) == 0, "a turn has an address");
	ok(trail_find(&store, "55", &kind, task, &why) == 1 &&
		kind == TRAIL_REQUEST,
	    "a message that asked leads to its task");
	same(task, "t", "which is known by its id");
	run("INSERT INTO progress SELECT id, '2', 'n', '56', 0 FROM turn");
	ok(trail_find(&store, "56", &kind, task, &why) == 1 &&
		kind == TRAIL_PROGRESS,
	    "so does the one that shows how it goes");
	run("INSERT INTO outbox (id, task, turn, location, visibility, kind,"
	    " record, state, at_ms) SELECT 1, 't', id, 'guild:1:2', 'public',"
	    " 'answer', '{}', 'pending', 0 FROM turn");
	run("INSERT INTO delivery (outbox, k, nonce, text, state, message,"
	    " attempts, first_ms)"
	    " VALUES (1, 1, 'm', 'x', 'delivered', '57', 1, 0)");
	ok(trail_find(&store, "57", &kind, task, &why) == 1 &&
		kind == TRAIL_OUTCOME,
	    "and the answer");
	ok(trail_find(&store, "58", &kind, task, &why) == 0,
	    "any other leads nowhere");
}

static void
test_heard(void)
{
	struct catchup c = {.whole = true, .id = "1", .after = "900"};
	struct stmt scan = {0};
	int64_t number, at_ms;

	ok(heard_get(&store, 0, &number, &at_ms, &why) == 0 && number == 0,
	    "nothing was heard yet");
	ok(heard_set(&store, 0, 5, 6, &why) == 0 &&
		heard_set(&store, 0, 7, 8, &why) == 0 &&
		heard_get(&store, 0, &number, &at_ms, &why) == 0 &&
		number == 7 && at_ms == 8,
	    "then so far");
	ok(catchup_add(&store, &c, &why) == 0, "a guild is noted");
	c.after = "1000";
	ok(catchup_add(&store, &c, &why) == 0 &&
		catchup_first(&scan, &store, &c, &why) == 1 && c.whole,
	    "and noted again, later");
	same(c.after, "900", "from where it was known first");
	stmt_end(&scan);
	c = (struct catchup){.whole = true, .id = "1", .after = "80"};
	ok(catchup_add(&store, &c, &why) == 0 &&
		catchup_first(&scan, &store, &c, &why) == 1,
	    "or from before");
	same(c.after, "80", "by number, not by letters");
	stmt_end(&scan);
	run("UPDATE task SET location = 'dm:33'");
	ok(catchup_direct(&store, "50", &why) == 0, "direct messages, too");
	c = (struct catchup){.whole = true, .id = "1"};
	ok(catchup_move(&store, &c, NULL, &why) == 0 &&
		catchup_first(&scan, &store, &c, &why) == 1 && !c.whole &&
		!c.guild,
	    "which are next when the guild is done");
	same(c.id, "33", "where a task is");
	stmt_end(&scan);
}

int
main(void)
{
	scratch_open();
	if (store_open(&store, "tasks", STORE_WRITE, &why) < 0)
		printf("Bail out! %s\n", why.text);
	test_requests();
	test_call_off();
	test_trail();
	test_heard();
	store_close(&store);
	scratch_close();
	return tap_done();
}
