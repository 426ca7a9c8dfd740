#include "deliver/tidy.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "deliver/courier.h"
#include "deliver/deliver.h"
#include "deliver/trace.h"
#include "discord/buttons.h"
#include "discord/rest.h"
#include "store/base.h"
#include "store/letter.h"
#include "store/parcel.h"
#include "store/showcase.h"

enum { WAIT_MS = 5000, ID_ROOM = 24 };

struct tidy {
	struct deliver *owner;
	bool busy, waits;
	char turn[ID_LEN + 1], after[ID_LEN + 1];
	char channel[ID_ROOM], message[ID_ROOM], button[BUTTONS_ID];
	struct rest_call call;
	struct buf path;
	struct trace trace;
	struct poll_timer again;
};

static void
on_again(void *ctx)
{
	struct tidy *t = ctx;

	t->busy = t->waits = false;
	deliver_again(t->owner);
}

/* This one later; others first. */
static void
later(struct tidy *t)
{
	t->waits = true;
	t->again.fire = on_again;
	t->again.ctx = t;
	poll_set_timer(t->owner->poll, &t->again, clock_boot_ms() + WAIT_MS);
}

static int
forget(struct tidy *t, struct err *e)
{
	struct store *s = t->owner->tasks;

	CRASH_POINT("tidy.gone");
	if (store_begin(s, e) == 0 && showcase_gone(s, t->turn, e) == 0 &&
	    store_commit(s, e) == 0)
		return 0;
	store_rollback(s);
	return -1;
}

static void
gone(struct tidy *t)
{
	struct err e = {0};

	if (forget(t, &e) < 0) {
		later(t);
		return;
	}
	t->busy = false;
	deliver_again(t->owner);
}

/* Whatever Discord says about it, there is no more to be done than to ask. */
static void
on_deleted(void *ctx)
{
	struct tidy *t = ctx;

	if (t->call.end == REST_ANSWERED && t->call.verdict.kind != ERR_AGAIN &&
	    t->call.verdict.kind != ERR_CONFIG)
		gone(t);
	else
		later(t);
}

static int
take_away(struct tidy *t, struct err *e)
{
	buf_clear(&t->path);
	buf_fmt(&t->path, "/channels/%s/messages/%s", t->channel, t->message);
	t->call.method = "DELETE";
	t->call.path = buf_text(&t->path);
	t->call.urgency = REST_BULK;
	t->call.ended = on_deleted;
	t->call.ctx = t;
	return rest_start(t->owner->rest, &t->call, e);
}

static void
on_traced(void *ctx)
{
	struct tidy *t = ctx;
	struct err e = {0};

	switch (t->trace.end) {
	case TRACE_FOUND:
		snprintf(t->message, sizeof(t->message), "%s",
		    t->trace.message);
		if (take_away(t, &e) < 0)
			later(t);
		break;
	case TRACE_ABSENT:
	case TRACE_UNSEEN: gone(t); break;
	default: later(t);
	}
}

static int
look_for(struct tidy *t, int64_t first_ms, struct err *e)
{
	trace_release(&t->trace);
	t->trace = (struct trace){
	    .rest = t->owner->rest,
	    .tasks = t->owner->tasks,
	    .us = t->owner->us,
	    .channel = t->channel,
	    .button = t->button,
	    .from_ms = first_ms - COURIER_SKEW_MS,
	    .to_ms = first_ms + COURIER_NONCE_MS + COURIER_SKEW_MS,
	    .ended = on_traced,
	    .ctx = t,
	};
	return trace_start(&t->trace, e);
}

/* The next after the last one; from the beginning, once there is none. */
static int
next(struct tidy *t, struct showcase *c, struct stmt *scan, struct err *e)
{
	struct store *s = t->owner->tasks;
	int row = showcase_stale(scan, s, t->after, c, e);

	if (row == 0 && *t->after) {
		*t->after = '\0';
		row = showcase_stale(scan, s, "", c, e);
	}
	return row;
}

int
tidy_look(struct tidy *t, struct err *e)
{
	struct stmt scan = {0};
	struct showcase c;
	int64_t first_ms = 0;
	int row;

	if (t->busy)
		return 0;
	row = next(t, &c, &scan, e);
	if (row > 0) {
		snprintf(t->turn, sizeof(t->turn), "%s", c.turn);
		snprintf(t->after, sizeof(t->after), "%s", c.turn);
		snprintf(t->channel, sizeof(t->channel), "%s", c.channel);
		snprintf(t->message, sizeof(t->message), "%s",
		    c.message ? c.message : "");
		buttons_id(t->button, BUTTON_DETAILS, c.task);
		first_ms = c.first_ms;
	}
	stmt_end(&scan);
	if (row <= 0)
		return row;
	if (*t->message && (row = letter_known(t->owner->tasks, t->message, e)))
		return row < 0 ? -1 : forget(t, e);
	t->busy = true;
	if ((*t->message ? take_away(t, e) : look_for(t, first_ms, e)) < 0)
		later(t);
	return 0;
}

bool
tidy_busy(const struct tidy *t)
{
	return t->busy && !t->waits;
}

struct tidy *
tidy_new(struct deliver *d)
{
	struct tidy *t = mem_new(sizeof(*t));

	t->owner = d;
	return t;
}

void
tidy_free(struct tidy *t)
{
	if (!t)
		return;
	poll_stop_timer(&t->again);
	rest_release(&t->call);
	trace_release(&t->trace);
	buf_release(&t->path);
	free(t);
}
