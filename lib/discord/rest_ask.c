/* A request, and nothing else meanwhile. */
#include "core/err.h"
#include "discord/rest.h"

static void
on_asked(void *ctx)
{
	(void)ctx; /* c->end says it */
}

int
rest_ask(struct rest *r, struct rest_call *c, struct err *e)
{
	int result = 0;

	c->ended = on_asked;
	if (rest_start(r, c, e) < 0)
		return -1;
	while (!c->end && result == 0)
		result = rest_step(r, POLL_NEVER, e);
	if (result < 0)
		rest_stop(c);
	else if (c->verdict.kind)
		result = err_set(e, c->verdict.kind, "%s", c->verdict.text);
	return result;
}
