/* Between check and act: is what is to be changed still where it was? */
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "record/community.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "tool/serve.h"

void
change_remember(struct change *c)
{
	const struct buf *targets = &c->p->targets;

	if (!targets->len)
		return;
	jsonw_array(&c->p->plan, "targets");
	if (targets->len > 1)
		jsonw_raw(&c->p->plan, NULL, targets->data + 1,
		    targets->len - 1);
	jsonw_end_array(&c->p->plan);
}

static uint64_t
id_of(const struct json *v)
{
	uint64_t id;

	return json_text(v) && snowflake_read(&id, json_text(v)) == 0 ? id : 0;
}

/* The channel that a target is, or that the message is in; 0 for others. */
static uint64_t
channel_of(const struct json *target)
{
	const char *kind = json_string(target, "kind");

	if (kind && strcmp(kind, "message") == 0)
		return id_of(json_first(json_get(target, "above")));
	return kind && strcmp(kind, "channel") == 0 ? change_id(target, "id")
						    : 0;
}

static uint64_t
parent_of(const struct live *l, uint64_t id)
{
	return parts_id(live_channel(l, id), "parent_id", NULL);
}

static bool
is_in_the_same(const struct live *l, uint64_t id, const struct json *target)
{
	const struct json *v = json_first(json_get(target, "above"));

	if (id_of(v) == id) /* of a message */
		v = json_next(v);
	for (; v; v = json_next(v)) {
		id = parent_of(l, id);
		if (!id || id != id_of(v))
			return false;
	}
	return !parent_of(l, id);
}

static bool
is_named(const struct json *list, uint64_t id)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (id_of(v) == id)
			return true;
	return false;
}

/* Threads come and go; a channel in it that wasn't is another matter. */
static bool
holds_no_more(const struct live *l, uint64_t id, const struct json *target)
{
	for (size_t i = 0; i < l->realm.channel_count; i++) {
		const struct realm_channel *r = &l->realm.channels[i];

		if (r->parent == id && !channel_is_thread(r->kind) &&
		    !is_named(json_get(target, "below"), r->id))
			return false;
	}
	return true;
}

static int
look(struct change *c, const struct json *target, struct err *e)
{
	uint64_t id = channel_of(target);
	int may;

	if (!id || !live_channel(c->live, id))
		return 0; /* if it is gone, the request says so */
	may = live_may(c->live, id, false, e);
	if (may == 0)
		return err_set(e, ERR_DENIED,
		    "whoever asked for it may not see that channel any more");
	if (may < 0)
		return -1;
	if (is_in_the_same(c->live, id, target) &&
	    holds_no_more(c->live, id, target))
		return 0;
	return err_set(e, ERR_REFUSED,
	    "channels were moved since this was checked; nothing was done. "
	    "Ask for it again");
}

int
change_again(struct change *c, struct err *e)
{
	const struct json *v = json_first(json_get(c->plan, "targets"));
	int result = 0;

	while (v && !channel_of(v))
		v = json_next(v);
	if (!v)
		return 0;
	if (live_begin(c->live, c->call, channel_of(v), e) < 0)
		return -1;
	for (; v && result == 0; v = json_next(v))
		result = look(c, v, e);
	live_end(c->live);
	return result;
}
