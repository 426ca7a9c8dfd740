#include "guild/change.h"

#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "record/call.h"
#include "tool/serve.h"

int
change_check(void *ctx, const struct call *call, struct proposal_parts *p,
    struct err *e)
{
	struct change c = {
	    .live = ctx,
	    .call = call,
	    .in = call->arguments.tree,
	    .p = p,
	};
	const struct change_kind *kind = change_find(call->capability);
	int result;

	if (!kind)
		return err_set(e, ERR_INTERNAL, "no change is called %.80s",
		    call->capability);
	result = kind->check(&c, e);
	if (result == 0)
		change_remember(&c);
	live_end(c.live);
	return result;
}

int
change_act(void *ctx, struct serve_act *w, struct answer_parts *a,
    struct err *e)
{
	struct change c = {
	    .live = ctx,
	    .call = w->call,
	    .in = w->call->arguments.tree,
	    .plan = w->call->plan.tree,
	    .w = w,
	    .a = a,
	};
	const struct change_kind *kind = change_find(w->call->capability);

	if (!kind)
		return err_set(e, ERR_INTERNAL, "no change is called %.80s",
		    w->call->capability);
	if (json_kind(c.plan) != JSON_OBJECT)
		return err_set(e, ERR_REFUSED,
		    "what was to be done isn't known any more: it must be "
		    "checked again");
	return change_again(&c, e) < 0 ? -1 : kind->act(&c, e);
}

uint64_t
change_id(const struct json *v, const char *key)
{
	const char *text = json_string(v, key);
	uint64_t id;

	return text && snowflake_read(&id, text) == 0 ? id : 0;
}

uint64_t
change_asker(const struct change *c)
{
	uint64_t id;

	return snowflake_read(&id, c->call->context.actor.id) == 0 ? id : 0;
}

bool
change_may(const struct change *c, int64_t n)
{
	int64_t one;

	if (c->w)
		return serve_may(c->w, n);
	if (!c->only)
		return true;
	for (const struct json *v = json_first(c->only); v; v = json_next(v))
		if (json_whole(v, &one) == 0 && one == n)
			return true;
	return false;
}
