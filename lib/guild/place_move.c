/* move_channel, move_category - a new place in the list */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/hindsight.h"
#include "guild/lineup.h"
#include "guild/live.h"
#include "guild/overwrites.h"
#include "guild/places.h"
#include "guild/power.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 64 };

struct move {
	struct place what;
	struct place in;     /* the category it comes into; id 0 for none */
	bool elsewhere;      /* than it is in now */
	bool sync;           /* it gets that category's permissions */
	struct place beside; /* id 0: the last one */
	bool after;
};

/* ---- the arguments ---- */

static int
take_beside(struct change *c, struct move *m, struct err *e)
{
	const char *before = json_string(c->in, "before");
	const char *after = json_string(c->in, "after");

	m->after = after != NULL;
	if (before && after)
		return err_set(e, ERR_INPUT, "it is before or after, not both");
	if (!before && !after)
		return 0;
	if (change_place(c, after ? "after" : "before", &m->beside, e) < 0)
		return -1;
	if (m->beside.id == m->what.id)
		return err_set(e, ERR_INPUT, "nothing stands beside itself");
	if (lineup_group(m->beside.kind) != lineup_group(m->what.kind) ||
	    channel_is_thread(m->beside.kind))
		return err_set(e, ERR_INPUT,
		    "#%.80s and #%.80s don't stand in one list", m->what.name,
		    m->beside.name);
	return 0;
}

/* Where to: named, or where its neighbour is, or where it is. */
static int
take_category(struct change *c, struct move *m, struct err *e)
{
	const char *name = json_string(c->in, "category");
	uint64_t now = parts_id(m->what.json, "parent_id", NULL);
	uint64_t beside = parts_id(m->beside.json, "parent_id", NULL);

	m->in.id = m->beside.id ? beside : now;
	if (name && strcmp(name, "none") == 0)
		m->in.id = 0;
	else if (name && places_category(c, m->what.id, &m->in, e) < 0)
		return -1;
	else if (!name && m->in.id)
		m->in.name = json_string(live_channel(c->live, m->in.id),
		    "name");
	m->elsewhere = m->in.id != now;
	if (m->beside.id && beside != m->in.id)
		return err_set(e, ERR_INPUT, "#%.80s is in another category",
		    m->beside.name);
	if (m->elsewhere && !name && m->in.id &&
	    places_inside(c, m->in.id) >= CATEGORY_MOST)
		return err_set(e, ERR_REFUSED, "the category %.80s is full",
		    m->in.name);
	return 0;
}

/* May its permissions become those of the category? */
static int
check_sync(struct change *c, uint64_t channel, uint64_t category, struct err *e)
{
	const struct realm *r = &c->live->realm;
	const struct realm_channel *in = realm_channel(r, channel);
	const struct realm_channel *above = realm_channel(r, category);
	struct overwrites now = {0}, then = {0};
	int result = -1;

	if (!in || !above)
		return err_set(e, ERR_REFUSED,
		    "the channel or its category isn't there any more");
	overwrites_copy(&now, in);
	overwrites_copy(&then, above);
	if (power_touch(c->live, overwrites_changed(&now, &then), in, above,
		e) == 0)
		result = power_gain(c->live, overwrites_gained(&now, &then), in,
		    e);
	overwrites_release(&now);
	overwrites_release(&then);
	return result;
}

static int
take_sync(struct change *c, struct move *m, struct err *e)
{
	m->sync = json_bool(c->in, "sync_permissions", false);
	if (!m->sync)
		return 0;
	if (!m->in.id)
		return err_set(e, ERR_INPUT,
		    "without a category there are no permissions to take over");
	if (change_need(&m->what, PERMIT_MANAGE_ROLES, e) < 0)
		return -1;
	return check_sync(c, m->what.id, m->in.id, e);
}

/* ---- the proposal ---- */

static void
say_where(struct change *c, const struct move *m)
{
	struct buf *text = &c->p->text;
	uint64_t from = parts_id(m->what.json, "parent_id", NULL);
	const char *was = json_string(live_channel(c->live, from), "name");

	if (m->elsewhere) {
		buf_str(text, " from ");
		if (from)
			change_name(text, "", was, from);
		buf_str(text, from ? " to " : "no category to ");
		if (m->in.id)
			change_name(text, "", m->in.name, m->in.id);
		else
			buf_str(text, "no category");
		buf_str(text, m->sync ? ", with that one's permissions"
				      : ", with the permissions that it has");
	} else if (m->sync) {
		buf_str(text, ", with the permissions of its category");
	}
	buf_str(text, m->beside.id ? m->after ? ", after " : ", before "
				   : ", to the end of the list");
	if (m->beside.id)
		change_name(text, m->beside.kind == CHANNEL_CATEGORY ? "" : "#",
		    m->beside.name, m->beside.id);
}

static int
propose(struct change *c, struct move *m, struct err *e)
{
	uint64_t was = parts_id(m->what.json, "parent_id", NULL);
	struct buf body = {0}, from = {0};
	struct lineup line;
	int changed;

	jsonw_array(&body, NULL);
	jsonw_array(&from, NULL);
	lineup_start(&line, c->live->channels, m->what.json, m->in.id);
	lineup_enter(&line, m->beside.id, m->after);
	changed = lineup_write(&line, m->elsewhere, m->sync, &body, &from);
	lineup_release(&line);
	jsonw_end_array(&body);
	jsonw_end_array(&from);
	places_plan(c, &m->what);
	jsonw_id(&c->p->plan, "was_in", was);
	jsonw_id(&c->p->plan, "in", m->in.id);
	jsonw_bool(&c->p->plan, "sync", m->sync);
	jsonw_raw(&c->p->plan, "body", buf_text(&body), body.len);
	jsonw_raw(&c->p->plan, "from", buf_text(&from), from.len);
	buf_release(&body);
	buf_release(&from);
	if (!changed)
		return err_set(e, ERR_INPUT, "%.80s is there already",
		    m->what.name);
	buf_str(&c->p->text, "move ");
	change_name(&c->p->text, m->what.kind == CHANNEL_CATEGORY ? "" : "#",
	    m->what.name, m->what.id);
	say_where(c, m);
	change_target_channel(c, m->what.id, m->what.name);
	if (m->elsewhere && m->in.id)
		change_target_channel(c, m->in.id, m->in.name);
	return 0;
}

static int
check(struct change *c, const char *key, struct move *m, struct err *e)
{
	bool category = strcmp(key, "category") == 0;

	if (!json_string(c->in, key))
		return err_set(e, ERR_INPUT, "%s is missing", key);
	if (change_begin(c, 0, e) < 0 || change_place(c, key, &m->what, e) < 0)
		return -1;
	if (channel_is_thread(m->what.kind) ||
	    category != (m->what.kind == CHANNEL_CATEGORY))
		return err_set(e, ERR_INPUT, "%.80s is no %s", m->what.name,
		    key);
	if (change_need_guild(c, PERMIT_MANAGE_CHANNELS, e) < 0 ||
	    change_need(&m->what, PERMIT_VIEW | PERMIT_MANAGE_CHANNELS, e) < 0)
		return -1;
	if (take_beside(c, m, e) < 0)
		return -1;
	if (!category && (take_category(c, m, e) < 0 || take_sync(c, m, e) < 0))
		return -1;
	return propose(c, m, e);
}

int
move_channel_check(struct change *c, struct err *e)
{
	struct move m = {0};

	return check(c, "channel", &m, e);
}

int
move_category_check(struct change *c, struct err *e)
{
	struct move m = {0};

	return check(c, "category", &m, e);
}

/* ---- act and verify ---- */

int
move_channel_act(struct change *c, struct err *e)
{
	uint64_t id = change_id(c->plan, "channel");
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"PATCH", path, &body, false, NULL};
	int result = 0;

	if (json_bool(c->plan, "sync", false)) {
		if (places_again(c, e) < 0)
			return -1;
		result = check_sync(c, id, change_id(c->plan, "in"), e);
		live_end(c->live);
	}
	if (result < 0)
		return -1;
	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/channels",
	    change_id(c->plan, "guild"));
	jsonw_value(&body, NULL, json_get(c->plan, "body"));
	result = change_send(c, &r, NULL, e);
	buf_release(&body);
	if (result == 0)
		places_told(c, "moved", id, json_string(c->plan, "name"));
	return result;
}

int
move_channel_verify(struct change *c, struct err *e)
{
	uint64_t id = change_id(c->plan, "channel"), in;
	const struct json *v;
	struct json *now;
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/channels",
	    change_id(c->plan, "guild"));
	if ((got = hindsight_get(c, path, &now, e)) != 1)
		return got < 0 ? -1 : SEEN_NOTHING;
	v = json_first(now);
	while (v && change_id(v, "id") != id)
		v = json_next(v);
	in = change_id(v, "parent_id");
	got = hindsight(c,
	    v && in == change_id(c->plan, "in") &&
		lineup_is(json_get(c->plan, "body"), now),
	    v && in == change_id(c->plan, "was_in") &&
		lineup_is(json_get(c->plan, "from"), now));
	json_free(now);
	return got;
}
