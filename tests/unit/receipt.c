#define _GNU_SOURCE
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "record/call.h"
#include "record/part.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/recovery.h"
#include "store/runner.h"
#include "store/runner_change.h"
#include "store/task.h"
#include "store/tell.h"

#include "scratch.h"
#include "tap.h"

static struct store store;
static const struct context local = {.actor = {"local", "me"}};
static struct runner run;
static char turn_id[ID_LEN + 1];

static int64_t
number(const char *sql)
{
	struct err e = {0};
	int64_t n = -1;

	if (db_int(&store.db, sql, -1, &n, &e) < 0)
		printf("# %s\n", e.text);
	return n;
}

/* A task runs, with two calls stored. */
static void
begin(void)
{
	const struct call calls[2] = {
	    {.capability = "paint", .tier = TIER_WRITE},
	    {.capability = "burn", .tier = TIER_DESTRUCTIVE},
	};
	struct turn t = {.id = turn_id, .actor = local.actor, .text = "paint"};
	struct err e = {0};

	id_new(turn_id);
	if (runner_start(&run, &store, &t, turn_id, "extractive", &e) != 1 ||
	    runner_calls(&run, "{}", calls, 2, &e) != 1)
		printf("# %s\n", e.text);
}

static void
steer(void)
{
	struct store other;
	struct err e = {0};
	int64_t id;

	if (store_open(&other, "tasks", STORE_WRITE, &e) < 0 ||
	    store_begin(&other, &e) < 0 ||
	    tell(&other, run.task, TOLD_STEER, &local, "no", NULL, &id, &e) <
		0 ||
	    store_commit(&other, &e) < 0)
		printf("# %s\n", e.text);
	store_close(&other);
}

static int
intend(int64_t call, struct err *e)
{
	char nonce[64];
	struct receipt x = {.task = run.task,
	    .call = call,
	    .capability = "paint",
	    .arguments = "{\"a\":1}",
	    .nonce = nonce,
	    .text = "paint it red",
	    .plan = "{\"p\":2}"};

	snprintf(nonce, sizeof(nonce), "%s.%d", run.task, (int)call);
	*e = (struct err){0};
	return runner_intend(&run, &x, e);
}

static int
part(int64_t n, enum part_state state, struct err *e)
{
	*e = (struct err){0};
	return runner_part(&run, 1,
	    &(struct part){.n = n,
		.state = state,
		.text = "a wall",
		.data.text = "{\"id\":1}"},
	    e);
}

static int
settle(int64_t n, enum receipt_state state, enum call_state call, struct err *e)
{
	*e = (struct err){0};
	return runner_settle(&run,
	    &(struct outcome){.n = n,
		.state = call,
		.summary = "so",
		.output = "{\"ok\":true}\n"},
	    state, e);
}

static void
test_once(void)
{
	struct receipt_scan scan = {0};
	struct receipt r;
	struct err e = {0};

	begin();
	ok(settle(1, RECEIPT_SUCCEEDED, CALL_OK, &e) < 0 &&
		e.kind == ERR_REFUSED &&
		number("SELECT count(*) FROM call WHERE state = 'ok'") == 0,
	    "there is no outcome without an intent");
	ok(intend(1, &e) == 1, "an intent is stored");
	ok(intend(1, &e) < 0 && e.kind == ERR_REFUSED,
	    "the same call has no second one");
	ok(intend(3, &e) < 0 && e.kind == ERR_REFUSED,
	    "nor has a call that isn't stored");
	ok(settle(1, RECEIPT_SUCCEEDED, CALL_OK, &e) == 0, "it succeeds");
	ok(number("SELECT count(*) FROM call WHERE state = 'ok' AND n = 1") ==
		1,
	    "and so does its call, in the same commit");
	ok(intend(1, &e) < 0 && e.kind == ERR_REFUSED,
	    "after its outcome, too, it has no second intent");
	ok(settle(1, RECEIPT_FAILED, CALL_ERROR, &e) < 0 &&
		e.kind == ERR_REFUSED,
	    "an outcome is never overwritten");
	ok(receipt_get(&scan, &store, run.task, 1, &r, &e) == 0 &&
		r.state == RECEIPT_SUCCEEDED &&
		strcmp(r.arguments, "{\"a\":1}") == 0 &&
		strcmp(r.outcome, "{\"ok\":true}") == 0 &&
		strcmp(r.plan, "{\"p\":2}") == 0 && !r.guild &&
		r.settled == SETTLED_NOT,
	    "it is read as it was written");
	receipt_stop(&scan);
	ok(receipt_get(&scan, &store, run.task, 2, &r, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "one that isn't there is said so");
	receipt_stop(&scan);
	runner_release(&run);
}

static void
test_superseded(void)
{
	struct told t;
	struct err e = {0};

	begin();
	steer();
	ok(runner_stale(&run, &e) == 1, "a correction makes it stale");
	ok(intend(1, &e) == 0, "and nothing is intended any more");
	ok(number("SELECT count(*) FROM receipt WHERE state = 'skipped' AND"
		  " outcome_ms IS NOT NULL") == 1,
	    "what was wanted is kept as skipped");
	ok(runner_poll(&run, &e) == 1 && runner_told(&run, &t, &e) == 1 &&
		runner_stale(&run, &e) == 0,
	    "once it was read, it supersedes no more");
	ok(intend(2, &e) == 1, "the next one is intended");
	ok(runner_withdraw(&run, 2, "{}", &e) == 0 &&
		number("SELECT count(*) FROM receipt"
		       " WHERE state = 'skipped'") == 2,
	    "and may be withdrawn before it is sent");
	ok(settle(2, RECEIPT_SUCCEEDED, CALL_OK, &e) < 0,
	    "then it has no outcome");
	runner_release(&run);
}

static void
test_parts(void)
{
	struct buf list = {0};
	struct err e = {0};

	begin();
	ok(part(1, PART_INTENT, &e) < 0, "there is no part before the intent");
	intend(1, &e);
	ok(part(2, PART_INTENT, &e) < 0, "parts come in order");
	ok(part(1, PART_SUCCEEDED, &e) < 0, "and begin before they end");
	ok(part(1, PART_INTENT, &e) == 1, "the first one begins");
	ok(part(1, PART_INTENT, &e) < 0 && part(2, PART_INTENT, &e) < 0,
	    "one at a time, once");
	ok(part(1, PART_SUCCEEDED, &e) == 1, "it ends");
	ok(part(1, PART_FAILED, &e) < 0, "once");
	ok(part(2, PART_INTENT, &e) == 1, "another one begins");
	steer();
	ok(part(2, PART_FAILED, &e) == 1, "a correction keeps no end away");
	ok(part(3, PART_INTENT, &e) == 0, "but a beginning");
	ok(settle(1, RECEIPT_PARTIAL, CALL_ERROR, &e) == 0,
	    "it was done in part");
	receipt_parts(&list, &store, run.task, 1, &e);
	same(buf_text(&list),
	    "[{\"n\":1,\"state\":\"succeeded\",\"text\":\"a wall\","
	    "\"outcome\":{\"id\":1}},{\"n\":2,\"state\":\"failed\","
	    "\"text\":\"a wall\",\"outcome\":{\"id\":1}}]",
	    "its parts are kept");
	buf_release(&list);
	runner_release(&run);
}

static int
found(const char *task, enum settled how, struct err *e)
{
	int rc;

	*e = (struct err){0};
	store_begin(&store, e);
	rc = receipt_settle(&store,
	    &(struct receipt){.task = task,
		.call = 1,
		.settled = how,
		.happened = true,
		.settler = "local",
		.finding = "it is there"},
	    e);
	if (rc == 0)
		rc = store_commit(&store, e);
	store_rollback(&store);
	return rc;
}

static void
test_unknown(void)
{
	char task[ID_LEN + 1];
	struct receipt_scan scan = {0};
	struct recovered lost;
	struct receipt r;
	struct err e = {0};

	begin();
	snprintf(task, sizeof(task), "%s", run.task);
	intend(1, &e);
	part(1, PART_INTENT, &e);
	ok(found(task, SETTLED_ATTESTED, &e) < 0 && e.kind == ERR_REFUSED,
	    "what is under way can't be settled");
	runner_release(&run); /* as if it had died */
	recovery_run(&store, &lost, &e);
	ok(lost.unknown == 1 && number("SELECT count(*) FROM receipt_part"
				       " WHERE state = 'unknown'") == 1,
	    "an intent whose runner is gone is not known, and its part");
	ok(receipt_settled(&store, task, &e) < 0 && e.kind == ERR_REFUSED,
	    "that is in the way");
	receipt_list(&scan, &store, task, true);
	ok(receipt_next(&scan, &r, &e) == 1 && r.call == 1 &&
		r.state == RECEIPT_UNKNOWN && receipt_next(&scan, &r, &e) == 0,
	    "it is the one to be settled");
	receipt_stop(&scan);
	ok(found(task, SETTLED_VERIFIED, &e) == 0, "it is verified");
	ok(found(task, SETTLED_ATTESTED, &e) < 0 && e.kind == ERR_REFUSED,
	    "and not attested afterwards");
	ok(receipt_settled(&store, task, &e) == 0,
	    "then nothing is in the way");
	receipt_list(&scan, &store, task, false);
	ok(receipt_next(&scan, &r, &e) == 1 && r.settled == SETTLED_VERIFIED &&
		r.happened && strcmp(r.finding, "it is there") == 0,
	    "how it was found is kept");
	receipt_stop(&scan);
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	ok(store_open(&store, "tasks", STORE_WRITE, &e) == 0, "a store");
	test_once();
	test_superseded();
	test_parts();
	test_unknown();
	store_close(&store);
	scratch_close();
	return tap_done();
}
