#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "record/call.h"
#include "record/turn.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/runner.h"
#include "store/stop.h"
#include "store/task.h"

#include "scratch.h"
#include "tap.h"

enum { MINUTE_MS = 60000 };

static struct store store, other;
static const struct context local = {.actor = {"local", "me"}};
static const struct context ada = {
    .actor = {"11", "ada"},
    .location = {LOCATION_GUILD, "1", "2"},
};
static struct context eve, elsewhere;

static struct runner run;
static char turn_id[ID_LEN + 1], asked_id[ID_LEN + 1];

/* Ada's task runs, with two calls stored. */
static void
begin(enum visibility visibility)
{
	const struct call calls[2] = {
	    {.capability = "create_role", .tier = TIER_WRITE},
	    {.capability = "delete_messages", .tier = TIER_DESTRUCTIVE},
	};
	struct turn t = {.id = turn_id,
	    .actor = ada.actor,
	    .location = ada.location,
	    .visibility = visibility,
	    .text = "tidy up"};
	struct err e = {0};

	id_new(turn_id);
	if (runner_start(&run, &store, &t, turn_id, "extractive", &e) != 1 ||
	    runner_calls(&run, "{}", calls, 2, &e) != 1)
		printf("# %s\n", e.text);
}

static void
finish(void)
{
	struct err e = {0};

	runner_finish(&run,
	    &(struct ending){.verdict = DONE_ANSWERED, .text = "so"}, &e);
	runner_release(&run);
}

/* Ask for the role, two messages of ann's and one of bob's. */
static int
ask(int64_t expires_ms, struct err *e)
{
	char one[64], two[64];
	struct approval_item items[] = {
	    {one, 0, "create_role", TIER_WRITE, false, {.text = "{\"a\":1}"},
		"create_role", "create the role blue"},
	    {two, 1, "delete_messages", TIER_DESTRUCTIVE, true,
		{.text = "{\"b\":2}"}, "messages by ann", "delete \"one\""},
	    {two, 2, "delete_messages", TIER_DESTRUCTIVE, true, {0},
		"messages by ann", "delete \"two\""},
	    {two, 3, "delete_messages", TIER_DESTRUCTIVE, true, {0},
		"messages by bob", "delete \"three\""},
	};
	struct approval x = {.id = asked_id,
	    .task = run.task,
	    .turn = run.turn,
	    .text = "four things",
	    .expires_ms = expires_ms,
	    .items = items,
	    .count = 4};
	int rc = -1;

	snprintf(one, sizeof(one), "%s.1", run.task);
	snprintf(two, sizeof(two), "%s.2", run.task);
	id_new(asked_id);
	if (store_begin(&store, e) == 0 &&
	    approval_ask(&store, &x, "11", e) == 0)
		rc = store_commit(&store, e);
	store_rollback(&store);
	return rc;
}

static void
ask_soon(void)
{
	struct err e = {0};

	ok(ask(clock_now_ms() + 60 * (int64_t)MINUTE_MS, &e) == 0,
	    "something is asked");
}

static int
decide(const struct context *who, enum decision_verdict verdict,
    const char *remark, bool confirmed, struct err *e)
{
	*e = (struct err){0};
	return approval_decide(&other, asked_id, who, verdict, remark,
	    confirmed, e);
}

static int
choose(int64_t place, const char *category, struct err *e)
{
	const char *const categories[] = {category};
	const struct approval_choice c = {&place, place != 0, categories,
	    category != NULL};

	*e = (struct err){0};
	return approval_choose(&other, asked_id, &ada, &c, e);
}

/* How it stands: "chosen:1011 approve by 11". */
static const char *
state(void)
{
	static char text[512];
	struct approval_row r;
	struct err e = {0};
	size_t n;

	if (approval_find(&r, &store, asked_id, NULL, &e) < 0)
		return e.text[0] ? "missing" : "?";
	n = (size_t)snprintf(text, sizeof(text), "chosen:");
	for (size_t i = 0; i < r.x.count; i++)
		text[n++] = r.chosen[i] ? '1' : '0';
	snprintf(text + n, sizeof(text) - n, " %s%s by %s%s%s",
	    r.confirming_ms ? "once " : "",
	    r.decided ? verdict_word(r.verdict) : "pending",
	    r.decider ? r.decider : "nobody", r.remark ? ": " : "",
	    r.remark ? r.remark : "");
	approval_drop(&r);
	return text;
}

/* What the runner is told next: its data, "" for none. */
static const char *
told(void)
{
	static char text[128];
	struct told t;
	struct err e = {0};
	char want[128];

	text[0] = '\0';
	runner_poll(&run, &e);
	if (runner_told(&run, &t, &e) != 1)
		return "";
	snprintf(want, sizeof(want), "{\"approval\":\"%s\"}", asked_id);
	snprintf(text, sizeof(text), "%s by %s",
	    t.kind == TOLD_DECISION && t.data && strcmp(t.data, want) == 0
		? "decision"
		: "something else",
	    t.actor);
	runner_told(&run, &t, &e);
	return text;
}

static void
test_whole(void)
{
	struct approval_row r;
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	ask_soon();
	same(state(), "chosen:1111 pending by nobody", "it is pending, whole");
	ok(approval_find(&r, &other, asked_id, &ada, &e) == 0 &&
		r.x.count == 4 && r.x.confirm && r.x.items[2].n == 2 &&
		!r.x.items[2].arguments.text &&
		strcmp(r.x.items[1].arguments.text, "{\"b\":2}") == 0 &&
		r.x.items[3].tier == TIER_DESTRUCTIVE,
	    "and as it was asked");
	approval_drop(&r);
	approval_drop(&r);
	same(told(), "", "to ask tells the runner nothing");
	ok(decide(&ada, VERDICT_APPROVE, NULL, true, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "what takes two is not approved by a second");
	ok(decide(&ada, VERDICT_APPROVE, NULL, false, &e) == APPROVAL_CONFIRM,
	    "a first one is not enough");
	same(state(), "chosen:1111 once pending by nobody", "but is stored");
	same(told(), "", "and is no decision");
	ok(decide(&ada, VERDICT_APPROVE, NULL, true, &e) == APPROVAL_DECIDED,
	    "the second one approves");
	same(state(), "chosen:1111 once approve by 11", "and is stored");
	same(told(), "decision by 11", "with a word to the runner");
	ok(decide(&ada, VERDICT_DENY, NULL, false, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "nothing changes it later");
	same(e.text, "this was decided already: approved", "which is said");
	same(state(), "chosen:1111 once approve by 11", "and nothing did");
	finish();
}

static void
test_choice(void)
{
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	ask_soon();
	ok(choose(0, "messages by ann", &e) == 2, "a category is chosen");
	same(state(), "chosen:0110 pending by nobody", "that and no other");
	decide(&ada, VERDICT_APPROVE, NULL, false, &e);
	ok(choose(4, NULL, &e) == 1, "then another item");
	ok(decide(&ada, VERDICT_APPROVE, NULL, true, &e) < 0,
	    "what was approved once was something else");
	ok(choose(5, NULL, &e) < 0 && e.kind == ERR_INPUT,
	    "an item that isn't there is not chosen");
	ok(choose(0, "messages by eve", &e) < 0 && e.kind == ERR_INPUT,
	    "nor a category");
	same(state(), "chosen:0001 pending by nobody", "and nothing changed");
	ok(choose(0, NULL, &e) == 4, "all are chosen again");
	ok(choose(1, NULL, &e) == 1, "one that can be taken back");
	ok(decide(&ada, VERDICT_APPROVE, NULL, false, &e) == APPROVAL_DECIDED,
	    "is approved by one word");
	same(state(), "chosen:1000 approve by 11", "and only it");
	ok(choose(2, NULL, &e) < 0 && e.kind == ERR_REFUSED,
	    "nothing is added to it later");
	finish();
}

static void
test_words(void)
{
	char *much = calloc(1, APPROVAL_REMARK_MAX + 2);
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	ask_soon();
	ok(decide(&ada, VERDICT_CORRECT, " \n", false, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "a correction says something");
	memset(much, 'x', APPROVAL_REMARK_MAX + 1);
	ok(decide(&ada, VERDICT_CORRECT, much, false, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "and has an end");
	ok(decide(&ada, VERDICT_EXPIRED, NULL, false, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "nobody says that it expired");
	ok(decide(&ada, VERDICT_CORRECT, "green", false, &e) ==
		APPROVAL_DECIDED,
	    "it is corrected");
	same(state(), "chosen:1111 correct by 11: green", "in these words");
	ask_soon();
	decide(&ada, VERDICT_DENY, "unasked", false, &e);
	same(state(), "chosen:1111 deny by 11", "a denial has no words");
	ask_soon();
	decide(&ada, VERDICT_STOP, NULL, false, &e);
	same(state(), "chosen:1111 stop by 11", "a stop is one for itself");
	ask_soon();
	decide(&ada, VERDICT_INVALID, NULL, false, &e);
	same(state(), "chosen:1111 invalid by 11",
	    "and so is that nobody could be asked");
	free(much);
	finish();
}

static void
test_others(enum visibility visibility)
{
	const bool open = visibility == VISIBILITY_PUBLIC;
	struct approval_row r;
	struct err e = {0}, none = {0};

	begin(visibility);
	ask_soon();
	ok(decide(&eve, VERDICT_APPROVE, NULL, false, &e) < 0 &&
		e.kind == (open ? ERR_DENIED : ERR_INPUT),
	    "somebody else decides nothing");
	ok(choose(1, NULL, &none) == 1, "she who was asked does");
	ok(decide(&local, VERDICT_APPROVE, NULL, false, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "nor does an operator");
	ok(decide(&elsewhere, VERDICT_APPROVE, NULL, false, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "nor she herself elsewhere");
	e = (struct err){0};
	ok(approval_find(&r, &other, asked_id, &eve, &e) < 0,
	    "somebody else doesn't read it");
	none = (struct err){0};
	approval_find(&r, &other, "0123456789abcdefghjk", &eve, &none);
	memcpy(strstr(none.text, "0123"), asked_id, ID_LEN);
	ok((strcmp(e.text, none.text) == 0) == !open,
	    "what is private is as if it weren't there");
	same(state(), "chosen:1000 pending by nobody", "it is still pending");
	same(told(), "", "and the runner was told nothing");
	finish();
	same(state(), "chosen:1000 invalid by nobody", "with its turn it ends");
}

static void
test_time(void)
{
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	ask_soon();
	put_clock(60L * MINUTE_MS);
	ok(decide(&ada, VERDICT_APPROVE, NULL, false, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "it is too late from the time it expires");
	same(e.text, "this has expired; nothing was done", "which is said");
	same(state(), "chosen:1111 expired by nobody", "and is no denial");
	same(told(), "decision by 11", "the runner is told");
	ok(approval_expire(&store, asked_id, &e) == 0, "and finds it so");
	put_clock(0);
	ask_soon();
	ok(approval_expire(&store, asked_id, &e) == 1, "the runner ends one");
	same(told(), "", "without telling itself");
	ok(decide(&ada, VERDICT_STOP, NULL, false, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "then nobody decides it");
	finish();
}

static void
test_gone(void)
{
	char id[ID_LEN + 1] = "";
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	ask_soon();
	ok(approval_pending(&other, run.task, id, &e) == 1 &&
		strcmp(id, asked_id) == 0,
	    "what is pending in a task is found");
	runner_release(&run); /* it dies */
	ok(decide(&ada, VERDICT_APPROVE, NULL, false, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "where nobody runs the task nothing is decided");
	same(state(), "chosen:1111 invalid by nobody", "and never will be");
	ok(approval_pending(&other, run.task, id, &e) == 0,
	    "so nothing is pending");
	begin(VISIBILITY_PUBLIC);
	ask_soon();
	runner_release(&run);
	ok(stop_task(&other, run.task, &ada, &e) == STOP_CANCELLED,
	    "a task is cancelled");
	same(state(), "chosen:1111 invalid by nobody",
	    "and with it what it asked");
}

static void
test_limits(void)
{
	struct approval_item *items = calloc(APPROVAL_ITEMS_MAX + 1,
	    sizeof(*items));
	char *text = calloc(1, APPROVAL_RECORD_MAX), call[64];
	struct approval x = {.id = asked_id, .items = items};
	struct err e = {0};

	begin(VISIBILITY_PUBLIC);
	x.task = run.task;
	x.turn = run.turn;
	x.text = "";
	snprintf(call, sizeof(call), "%s.2", run.task);
	for (size_t i = 0; i <= APPROVAL_ITEMS_MAX; i++)
		items[i] = (struct approval_item){.call = call,
		    .n = (int64_t)i,
		    .capability = "x",
		    .category = "x",
		    .text = "x"};
	id_new(asked_id);
	store_begin(&store, &e);
	ok(approval_ask(&store, &x, "11", &e) < 0 && e.kind == ERR_INPUT,
	    "nothing is asked for without items");
	x.count = APPROVAL_ITEMS_MAX + 1;
	ok(approval_ask(&store, &x, "11", &e) < 0 && e.kind == ERR_INPUT,
	    "nor for too many");
	x.count = APPROVAL_ITEMS_MAX;
	memset(text, 'x', APPROVAL_RECORD_MAX - 1);
	x.text = text;
	ok(approval_ask(&store, &x, "11", &e) < 0 && e.kind == ERR_INPUT,
	    "nor for more than a record holds");
	x.text = "";
	ok(approval_ask(&store, &x, "11", &e) == 0, "but for as many");
	id_new(asked_id);
	call[ID_LEN - 1] = call[ID_LEN - 1] == '0' ? '1' : '0';
	ok(approval_ask(&store, &x, "11", &e) < 0,
	    "a call of another task is none of it");
	store_rollback(&store);
	finish();
	free(items);
	free(text);
}

int
main(void)
{
	struct err e = {0};

	eve = elsewhere = ada;
	eve.actor.id = "12";
	elsewhere.location.channel = "3";
	scratch_open();
	put_clock(0);
	ok(store_open(&store, "tasks", STORE_WRITE, &e) == 0 &&
		store_open(&other, "tasks", STORE_WRITE, &e) == 0,
	    "a store, seen from two sides");
	test_whole();
	test_choice();
	test_words();
	test_others(VISIBILITY_PUBLIC);
	test_others(VISIBILITY_PRIVATE);
	test_time();
	test_gone();
	test_limits();
	store_close(&other);
	store_close(&store);
	scratch_close();
	return tap_done();
}
