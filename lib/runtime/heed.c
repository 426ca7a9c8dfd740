#include <string.h>

#include "core/buf.h"
#include "runtime/session.h"

/* What the model does now is stale: it is asked again. */
static void
take_stale(struct session *s, const char *why)
{
	if (s->state == SESSION_WORK) {
		batch_skip(&s->batch, why);
		return;
	}
	crew_cancel(&s->ask);
	reply_release(&s->reply);
	s->state = SESSION_THINK;
}

static void
take_steer(struct session *s, const char *text)
{
	if (s->state == SESSION_WORK) {
		buf_str(&s->steer, text);
		buf_char(&s->steer, '\n');
	} else {
		dialog_add(&s->dialog, ROLE_USER, "steer", text);
	}
	take_stale(s, "the person corrected the request");
}

/*
 * What is sent gets its outcome first; all else ends at once. Whoever stops
 * what they asked for knows it; if somebody else does, they must be told.
 */
static int
take_stop(struct session *s, const char *actor, struct err *e)
{
	s->stopped_by_other |= strcmp(actor, s->turn.actor.id) != 0;
	batch_stop(&s->batch, "the person stopped the task");
	s->stopping = executor_acts(&s->executor);
	return s->stopping ? 0 : ending_cancel(s, e);
}

static int
take_told(struct session *s, const struct told *t, struct err *e)
{
	switch (t->kind) {
	case TOLD_STOP: return take_stop(s, t->actor, e);
	case TOLD_STEER: take_steer(s, t->text ? t->text : ""); break;
	case TOLD_INVALIDATE:
		mend_note(s, t->data);
		take_stale(s, "a source was edited or deleted");
		break;
	case TOLD_DECISION: executor_decision(&s->executor); break;
	}
	return 0;
}

int
session_heed(struct session *s, struct err *e)
{
	const bool waits = s->state == SESSION_LISTEN && !s->reply.ended;
	struct told t;
	int row;

	if (waits && !s->look)
		return 0;
	s->look = false;
	row = runner_poll(&s->runner, e);
	while (row > 0 && s->state != SESSION_OVER) {
		row = runner_told(&s->runner, &t, e);
		if (row > 0 && take_told(s, &t, e) < 0)
			return -1;
	}
	return row;
}
