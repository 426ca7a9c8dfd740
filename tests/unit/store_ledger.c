#define _GNU_SOURCE
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "store/base.h"
#include "store/budget.h"
#include "store/cost.h"
#include "store/ledger.h"
#include "store/settings.h"

#include "scratch.h"
#include "tap.h"

static struct store store;

static int64_t
sent(const char *actor)
{
	const struct attempt a = {.actor = actor,
	    .profile = "p",
	    .model = "m",
	    .purpose = "task"};
	struct err e = {0};
	int64_t id = 0;

	if (ledger_sent(&store, &a, &id, &e) < 0)
		printf("# %s\n", e.text);
	return id;
}

static int
settled(int64_t id, const char *cost)
{
	const struct spent spent = {.state = cost ? ATTEMPT_OK : ATTEMPT_ERROR,
	    .input = cost ? 7 : TOKENS_UNKNOWN,
	    .output = TOKENS_UNKNOWN,
	    .cached = TOKENS_UNKNOWN,
	    .reasoning = 0,
	    .cost = cost};
	struct err e = {0};

	return ledger_settle(&store, id, &spent, &e) < 0 ? (int)e.kind : 0;
}

static void
keep(void *ctx, const struct cost *c)
{
	struct buf *b = ctx;

	buf_fmt(b, "%s %d/%d in %d+%d out %d+%d think %d+%d $%s+%d;",
	    c->key ? c->key : "all", (int)c->attempts, (int)c->failed,
	    (int)c->input.known, (int)c->input.unknown, (int)c->output.known,
	    (int)c->output.unknown, (int)c->reasoning.known,
	    (int)c->reasoning.unknown, c->money ? c->money : "?",
	    (int)c->money_unknown);
}

static void
test_ledger(void)
{
	const struct ledger_filter all = {.to_ms = INT64_MAX,
	    .order = LEDGER_ACTOR};
	struct err e = {0};
	struct buf got = {0};
	int64_t id = sent("11");

	ok(settled(id, "0.10") == 0, "an attempt is settled");
	ok(settled(id, "0.20") == ERR_REFUSED, "once");
	ok(settled(id + 77, "1") == ERR_REFUSED, "and if there is one");
	ok(settled(sent("11"), NULL) == 0, "one that failed too");
	sent("12");
	ok(cost_report(&store, &all, keep, &got, &e) == 3, "all are reported");
	same(buf_text(&got),
	    "11 2/1 in 7+1 out 0+2 think 0+0 $0.1+1;"
	    "12 1/1 in 0+1 out 0+1 think 0+1 $?+1;"
	    "all 3/2 in 7+2 out 0+3 think 0+1 $0.1+2;",
	    "with what is known, and how much is not");
	buf_release(&got);
}

static void
test_budget(void)
{
	struct buf why = {0};
	struct err e = {0};

	ok(budget_left(&store, "11", &why, &e) == 1,
	    "by default there is none");
	settings_set("budget.actor", "0.15", &e);
	ok(budget_left(&store, "11", &why, &e) == 1, "below it one may ask");
	settled(sent("11"), "0.05");
	ok(budget_left(&store, "11", &why, &e) == 0, "once it is used up, not");
	same(buf_text(&why),
	    "The budget of 0.15 US dollars a day for one person is used up.",
	    "and the reason is told");
	ok(budget_left(&store, "12", &why, &e) == 1, "others still may");
	settings_set("budget.installation", "0.15", &e);
	ok(budget_left(&store, "12", &why, &e) == 0, "unless all have one");
	put_clock(86400000);
	ok(budget_left(&store, "11", &why, &e) == 1, "the next day it is new");
	settings_set("budget.installation", "0", &e);
	ok(budget_left(&store, NULL, &why, &e) == 0, "with none nobody may");
	buf_release(&why);
}

/* Cut at every byte, settings are read or refused, never worse. */
static void
test_cut(void)
{
	static const char text
	    [] = "{\"version\":1,\"voice\":\"formal\",\"model\":{\"slots\":9},"
		 "\"budget\":{\"actor\":\"1.5\"}}";
	int good = 0, config = 0;

	for (size_t n = 0; n <= strlen(text); n++) {
		char *copy = malloc(n + 1); /* so that ASan sees its end */
		struct settings s;
		struct err e = {0};

		memcpy(copy, text, n);
		if (settings_read(&s, copy, n, &e) == 0)
			good++;
		else
			config += e.kind == ERR_CONFIG;
		settings_close(&s);
		free(copy);
	}
	ok(good == 1, "only the whole text is a settings file");
	ok(config == (int)strlen(text), "the others are named as such");
}

int
main(void)
{
	struct err e = {0};

	scratch_open();
	put_clock(0);
	ok(store_open(&store, "tasks", STORE_WRITE, &e) == 0, "a store");
	test_ledger();
	test_budget();
	test_cut();
	store_close(&store);
	scratch_close();
	return tap_done();
}
