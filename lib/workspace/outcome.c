#include "workspace/outcome.h"

#include "core/poll.h"

void
outcome_take(void *ctx, const struct err *why)
{
	struct outcome *o = ctx;

	if (why)
		o->why = *why;
	o->over = true;
}

int
outcome_wait(struct outcome *o, struct poll *p, struct err *e)
{
	if (poll_run(p, &o->over, POLL_NEVER, e) < 0)
		return -1;
	if (!o->why.kind)
		return 0;
	*e = o->why;
	return -1;
}
