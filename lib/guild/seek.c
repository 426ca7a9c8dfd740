#include "guild/seek.h"

#include <inttypes.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "deliver/courier.h"
#include "deliver/trace.h"
#include "discord/rest.h"
#include "guild/change.h"
#include "guild/link.h"
#include "store/receipt.h"

/* So long after it was begun, a request can't arrive any more. */
enum { LATE_MS = 30000 };

static void
on_traced(void *ctx)
{
	(void)ctx; /* its end says it */
}

int
seek_known(void *ctx, const char *id, struct err *e)
{
	const struct change *c = ctx;

	return receipt_names(c->tasks, c->receipt, id, e);
}

static int
trace(struct change *c, struct trace *t, struct err *e)
{
	int result;

	if (live_rest(c->live, &t->rest, e) < 0)
		return -1;
	result = trace_start(t, e);
	while (result == 0 && !t->end)
		result = rest_step(t->rest, POLL_NEVER, e);
	return result;
}

bool
seek_late(struct change *c)
{
	if (clock_now_ms() > c->receipt->intent_ms + LATE_MS)
		return true;
	buf_str(&c->seen, "; it may still arrive: look again in half a minute");
	return false;
}

static int
tell(struct change *c, const struct seek *s, const struct trace *t,
    struct err *e)
{
	uint64_t id;

	switch (t->end) {
	case TRACE_FOUND:
		buf_str(&c->seen, "the message is there: ");
		if (snowflake_read(&id, t->message) == 0)
			link_write(&c->seen, s->guild, s->channel, id);
		return SEEN_DONE;
	case TRACE_ABSENT:
		buf_fmt(&c->seen, "no such message is in <#%" PRIu64 ">",
		    s->channel);
		return seek_late(c) ? SEEN_UNDONE : SEEN_NOTHING;
	case TRACE_UNSEEN: buf_str(&c->seen, t->why); return SEEN_NOTHING;
	default: return err_set(e, ERR_AGAIN, "%s", t->why);
	}
}

int
seek_message(struct change *c, const struct seek *s, struct err *e)
{
	char us[24], channel[24];
	struct trace t = {
	    .tasks = c->tasks,
	    .us = us,
	    .channel = channel,
	    .nonce = c->receipt->nonce,
	    .text = s->text,
	    .reply = s->reply,
	    .is = s->is,
	    .known = seek_known,
	    .from_ms = c->receipt->intent_ms - COURIER_SKEW_MS,
	    .to_ms = clock_now_ms() + COURIER_SKEW_MS,
	    .ended = on_traced,
	    .ctx = c,
	};
	int result;

	if (live_self(c->live, e) < 0)
		return -1;
	snprintf(us, sizeof(us), "%" PRIu64, c->live->reading.bot);
	snprintf(channel, sizeof(channel), "%" PRIu64, s->channel);
	result = trace(c, &t, e);
	if (result == 0)
		result = tell(c, s, &t, e);
	trace_release(&t);
	return result;
}
