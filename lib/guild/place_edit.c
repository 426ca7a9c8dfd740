/* edit_channel, delete_channel */
#include <inttypes.h>
#include <stdio.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/places.h"
#include "guild/traits.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 64, LISTED_MOST = 50 };

/* The channel, and that Sophia may change it. */
static int
take_place(struct change *c, struct place *p, struct err *e)
{
	const char *name = json_string(c->in, "channel");

	if (!name)
		return err_set(e, ERR_INPUT, "channel is missing");
	if (change_begin(c, live_id(name, "<#"), e) < 0 ||
	    change_place(c, "channel", p, e) < 0)
		return -1;
	return change_need(p,
	    PERMIT_VIEW | (channel_is_thread(p->kind) ? PERMIT_MANAGE_THREADS
						      : PERMIT_MANAGE_CHANNELS),
	    e);
}

int
edit_channel_check(struct change *c, struct err *e)
{
	struct traits t;
	struct place p = {0};
	int result = -1;

	if (take_place(c, &p, e) < 0)
		return -1;
	if (json_bool(json_get(p.json, "thread_metadata"), "archived", false))
		return err_set(e, ERR_REFUSED,
		    "the thread %.80s is archived, and can't be changed",
		    p.name);
	traits_start(&t);
	if (traits_channel(&t, c, p.kind, p.json, e) < 0)
		goto out;
	if (!t.count) {
		err_set(e, ERR_INPUT, "nothing of #%.80s would change", p.name);
		goto out;
	}
	places_plan(c, &p);
	traits_plan(&t, c);
	buf_fmt(&c->p->destination, "%" PRIu64, p.id);
	buf_str(&c->p->text, "change ");
	change_name(&c->p->text, "#", p.name, p.id);
	buf_fmt(&c->p->text, ":%s", buf_text(&t.text));
	change_target_channel(c, p.id, p.name);
	result = 0;
out:
	traits_release(&t);
	return result;
}

int
edit_channel_act(struct change *c, struct err *e)
{
	uint64_t id = change_id(c->plan, "channel");
	struct buf body = {0};
	char path[PATH];
	const struct change_request r = {"PATCH", path, &body, false, NULL};
	struct json *now = NULL;
	const char *name;
	int result;

	snprintf(path, sizeof(path), "/channels/%" PRIu64, id);
	jsonw_value(&body, NULL, json_get(c->plan, "body"));
	result = change_send(c, &r, &now, e);
	buf_release(&body);
	name = json_string(now, "name");
	if (result == 0)
		places_told(c, "changed", id,
		    name ? name : json_string(c->plan, "name"));
	json_free(now);
	return result;
}

int
edit_channel_verify(struct change *c, struct err *e)
{
	return places_seen(c, e);
}

/* ---- delete ---- */

/* What is in it, as far as whoever asks may know: the lines of a proposal. */
static int
list_inside(struct change *c, uint64_t id, const char *words, struct err *e)
{
	const struct realm *r = &c->live->realm;
	int listed = 0, may;

	for (size_t i = 0; i < r->channel_count && listed < LISTED_MOST; i++) {
		const struct json *v = live_channel(c->live, r->channels[i].id);

		if (r->channels[i].parent != id)
			continue;
		if ((may = live_may(c->live, r->channels[i].id, false, e)) < 0)
			return -1;
		if (!may)
			continue;
		buf_str(&c->p->text, listed++ ? ", " : words);
		change_name(&c->p->text, "#", json_string(v, "name"),
		    r->channels[i].id);
	}
	return 0;
}

/* Of a community, where its rules and Discord's news for it are. */
static int
refuse_needed(struct change *c, const struct place *p, struct err *e)
{
	const struct json *g = c->live->guild;

	if (places_is_community(c) &&
	    (parts_id(g, "rules_channel_id", NULL) == p->id ||
		parts_id(g, "public_updates_channel_id", NULL) == p->id))
		return err_set(e, ERR_REFUSED,
		    "a community can't do without #%.80s: Discord keeps it",
		    p->name);
	return 0;
}

int
delete_channel_check(struct change *c, struct err *e)
{
	struct place p = {0};

	if (take_place(c, &p, e) < 0 || refuse_needed(c, &p, e) < 0)
		return -1;
	places_plan(c, &p);
	change_target_channel(c, p.id, p.name);
	if (p.kind == CHANNEL_CATEGORY) {
		buf_str(&c->p->text, "delete the category ");
		change_name(&c->p->text, "", p.name, p.id);
		return list_inside(c, p.id,
		    "; its channels stay, without a category: ", e);
	}
	buf_fmt(&c->p->text, "delete the %s ",
	    channel_is_thread(p.kind) ? "thread" : "channel");
	change_name(&c->p->text, "#", p.name, p.id);
	buf_str(&c->p->text, " for good, with all that was said in it");
	return list_inside(c, p.id, ", and with its threads: ", e);
}

int
delete_channel_act(struct change *c, struct err *e)
{
	uint64_t id = change_id(c->plan, "channel");
	const char *name = json_string(c->plan, "name");
	char path[PATH];
	const struct change_request r = {"DELETE", path, NULL, true, NULL};

	snprintf(path, sizeof(path), "/channels/%" PRIu64, id);
	if (change_send(c, &r, NULL, e) < 0)
		return -1;
	places_told(c, "deleted", id, name);
	return 0;
}

int
delete_channel_verify(struct change *c, struct err *e)
{
	struct json *now;
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/channels/%" PRIu64,
	    change_id(c->plan, "channel"));
	if ((got = hindsight_get(c, path, &now, e)) < 0)
		return -1;
	json_free(now);
	return got == SEEN_HIDDEN ? SEEN_NOTHING
				  : hindsight(c, got == 0, got == 1);
}
