#include "retrieve/indexing.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "retrieve/corpus.h"
#include "retrieve/targets.h"
#include "store/coverage.h"
#include "store/wanted.h"
#include "tool/serve.h"

struct indexing {
	struct wanted wish;
	struct targets found; /* the channel, as its name means it */
	int64_t messages;
	bool forum, whole; /* nothing of what is wanted is missing */
	char reason[200];  /* why it can't be read; "" if it can */
};

static int
describe(struct indexing *x, struct corpus *c, struct err *e)
{
	struct coverage_gap gap;
	struct stmt s = {0};
	int row, open;

	stmt_start(&s, c->db,
	    "SELECT c.messages, coalesce(c.forbidden, ''), c.kind IN (15, 16),"
	    " coalesce((SELECT max(high) FROM covered WHERE channel = c.ord), 0)"
	    " FROM channel c WHERE c.id = ?1");
	stmt_int(&s, 1, (int64_t)x->wish.channel);
	row = stmt_next(&s, e);
	if (row > 0) {
		uint64_t high = (uint64_t)row_int(&s, 3);

		x->messages = row_int(&s, 0);
		snprintf(x->reason, sizeof(x->reason), "%s", row_text(&s, 1));
		x->forum = row_int(&s, 2) != 0;
		open = coverage_gap(c->db, x->wish.channel, x->wish.low, high,
		    &gap, e);
		x->whole = open == 0 && high && !x->forum && !x->wish.threads;
		row = open < 0 ? -1 : 1;
	}
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

static int
find(struct indexing *x, struct corpus *c, const struct call *call,
    struct err *e)
{
	const struct json *in = call->arguments.tree;
	const char *name = json_string(in, "channel");
	int result = -1;

	if (!name)
		return err_set(e, ERR_INPUT, "channel is missing");
	if (corpus_begin_for(c, &call->context, e) < 0)
		return -1;
	if (targets_one(c, TARGET_CHANNEL, name, &x->found, e) == 0) {
		x->wish.channel = x->found.at[0].id;
		result = describe(x, c, e);
	}
	corpus_end(c);
	return result;
}

static int
queue(const struct indexing *x, struct err *e)
{
	struct store base = {0};
	int result;

	result = store_open_index(&base, STORE_WRITE, e);
	if (result == 0)
		result = store_begin(&base, e);
	if (result == 0)
		result = wanted_add(&base.db, &x->wish, clock_now_ms(), e);
	if (result == 0)
		result = store_commit(&base, e);
	store_close(&base);
	return result;
}

static void
answer(const struct indexing *x, bool queued, struct answer_parts *a)
{
	const struct target *t = &x->found.at[0];
	struct buf *d = &a->data;

	jsonw_object(d, NULL);
	jsonw_object(d, "channel");
	jsonw_id(d, "id", t->id);
	jsonw_str(d, "name", t->name);
	jsonw_end_object(d);
	jsonw_bool(d, "queued", queued);
	jsonw_bool(d, "complete", x->whole);
	jsonw_int(d, "messages", x->messages);
	if (*x->reason)
		jsonw_str(d, "forbidden", x->reason);
	jsonw_end_object(d);
	if (*x->reason)
		buf_fmt(&a->summary, "nothing was queued: %s", x->reason);
	else if (x->whole)
		buf_fmt(&a->summary,
		    "all of it is indexed already: %" PRId64 " messages",
		    x->messages);
	else
		buf_fmt(&a->summary,
		    "queued, not fetched yet: so far %" PRId64
		    " messages of it are indexed",
		    x->messages);
}

static int
read_since(struct indexing *x, const struct json *in, struct err *e)
{
	const char *since = json_string(in, "since");
	int64_t at_ms;

	x->wish.threads = json_bool(in, "threads", false);
	if (!since)
		return 0;
	if (clock_parse(&at_ms, since) < 0)
		return err_set(e, ERR_INPUT, "since is no time");
	x->wish.low = snowflake_first(at_ms);
	return 0;
}

int
indexing_queue(struct corpus *c, const struct call *call,
    struct answer_parts *a, struct err *e)
{
	struct indexing x = {0};
	int result = read_since(&x, call->arguments.tree, e);
	bool needed;

	if (result == 0)
		result = find(&x, c, call, e);
	needed = !x.whole && !*x.reason;
	if (x.forum)
		x.wish.threads = true;
	if (result == 0 && needed)
		result = queue(&x, e);
	if (result == 0)
		answer(&x, needed, a);
	targets_release(&x.found);
	return result;
}
