#include "guild/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/told.h"
#include "guild/traits.h"
#include "tool/serve.h"

void
places_plan(struct change *c, const struct place *p)
{
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "channel", p->id);
	jsonw_str(&c->p->plan, "name", p->name);
	jsonw_int(&c->p->plan, "kind", p->kind);
}

size_t
places_inside(const struct change *c, uint64_t category)
{
	const struct json *v = json_first(c->live->channels);
	size_t count = 0;

	for (; v; v = json_next(v))
		count += parts_id(v, "parent_id", NULL) == category;
	return count;
}

int
places_category(struct change *c, uint64_t p, struct place *in, struct err *e)
{
	uint64_t now = parts_id(live_channel(c->live, p), "parent_id", NULL);

	if (change_place(c, "category", in, e) < 0)
		return -1;
	if (in->kind != CHANNEL_CATEGORY)
		return err_set(e, ERR_INPUT, "%.80s is no category", in->name);
	if (now != in->id && places_inside(c, in->id) >= CATEGORY_MOST)
		return err_set(e, ERR_REFUSED,
		    "the category %.80s is full: it has %d channels", in->name,
		    CATEGORY_MOST);
	return 0;
}

bool
places_is_community(const struct change *c)
{
	const struct json *v = json_first(json_get(c->live->guild, "features"));

	while (v && (!json_text(v) || strcmp(json_text(v), "COMMUNITY") != 0))
		v = json_next(v);
	return v != NULL;
}

/* Nobody is kept from seeing it. */
static bool
is_for_all(const struct change *c, const struct realm_channel *r)
{
	uint64_t view = c->live->realm.crowd.everyone & PERMIT_VIEW;

	if (channel_is_thread(r->kind) || r->kind == CHANNEL_CATEGORY)
		return false;
	for (size_t i = 0; i < r->rules.count; i++)
		if (r->rules.at[i].deny & PERMIT_VIEW)
			return false;
	return view != 0;
}

int
places_for_all(struct change *c, struct err *e)
{
	const struct realm *r = &c->live->realm;
	size_t i = 0;

	while (i < r->channel_count && !is_for_all(c, &r->channels[i]))
		i++;
	if (i == r->channel_count)
		return err_set(e, ERR_REFUSED,
		    "it would be read by the whole server, and there is no "
		    "channel that all of it sees to measure that by");
	buf_clear(&c->p->destination);
	buf_fmt(&c->p->destination, "%" PRIu64, r->channels[i].id);
	return 0;
}

void
places_told(struct change *c, const char *what, uint64_t id, const char *name)
{
	jsonw_object(&c->a->data, NULL);
	told_channel(&c->a->data, "channel", id, name);
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "%s <#%" PRIu64 ">, ", what, id);
	change_name(&c->a->summary, "#", name, id);
}

int
places_again(struct change *c, struct err *e)
{
	if (live_begin(c->live, c->call, 0, e) < 0)
		return -1;
	if (c->live->id == change_id(c->plan, "guild"))
		return 0;
	live_end(c->live);
	return err_set(e, ERR_REFUSED, "this was to be done in another server");
}

int
places_seen(struct change *c, struct err *e)
{
	struct json *now;
	char path[64];
	int got;

	snprintf(path, sizeof(path), "/channels/%" PRIu64,
	    change_id(c->plan, "channel"));
	if ((got = hindsight_get(c, path, &now, e)) < 0)
		return -1;
	if (got == 1)
		got = traits_seen(c, now);
	else if (got == 0)
		buf_str(&c->seen, "the channel isn't there any more");
	json_free(now);
	return got == SEEN_HIDDEN ? SEEN_NOTHING : got;
}
