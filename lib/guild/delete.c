/* delete_messages, and what clear_messages has in common with it */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/link.h"
#include "guild/remove.h"
#include "guild/seek.h"
#include "record/call.h"
#include "tool/serve.h"

/* The oldest that Discord deletes by the dozen, less what a request takes. */
#define BULK_MS (INT64_C(14) * 24 * 3600 * 1000 - 120000)

enum { PATH = 128 };

/* ---- check ---- */

/* Set p, which is zero, to where that one is, unless its link says it. */
static int
find_place(struct change *c, const char *text, struct place *there,
    struct place *p, struct err *e)
{
	struct link at;

	link_read(&at, text);
	if (!at.channel && !there->id &&
	    change_place(c, "channel", there, e) < 0)
		return -1;
	if (!at.channel || json_get(c->in, "channel"))
		*p = *there; /* else zero: the link says it */
	return 0;
}

static int
add_all(struct change *c, const struct json *list, struct place *there,
    struct removal *r, struct place *places, struct err *e)
{
	const struct json *v = json_first(list);
	struct json *m;
	int result = 0;

	for (size_t i = 0; v && result == 0; v = json_next(v), i++) {
		const char *text = json_text(v) ? json_text(v) : "";

		if (find_place(c, text, there, &places[i], e) < 0 ||
		    change_message(c, text, &places[i], &m, e) < 0)
			return -1;
		result = remove_add(c, r, &places[i], m, e);
		json_free(m);
	}
	return result;
}

int
delete_check(struct change *c, struct err *e)
{
	const struct json *list = json_get(c->in, "messages");
	size_t count = json_count(list);
	struct place there = {0}, *places;
	struct removal r = {0};
	int result;

	if (!count || count > REMOVE_MOST)
		return err_set(e, ERR_INPUT, "messages are 1 to %d of them",
		    REMOVE_MOST);
	if (change_at(c, json_text(json_first(list)), &there, e) < 0)
		return -1;
	places = mem_array(count, sizeof(*places));
	result = add_all(c, list, &there, &r, places, e);
	if (result == 0)
		remove_propose(c, &r);
	free(places);
	return result;
}

/* ---- act ---- */

struct one {
	uint64_t channel, id;
	size_t group; /* those of one are deleted by one request */
	bool old;
};

struct group {
	uint64_t channel;
	size_t count, at; /* of those in it; its first one */
};

struct work {
	struct one *ones;
	struct group *groups;
	size_t count, group_count;
	size_t deleted;
};

static void
put_in_group(struct work *w, struct one *x)
{
	size_t g = 0;

	while (g < w->group_count &&
	       (x->old || w->groups[g].channel != x->channel ||
		   w->ones[w->groups[g].at].old))
		g++;
	if (g == w->group_count)
		w->groups[w->group_count++] = (struct group){
		    .channel = x->channel,
		    .at = (size_t)(x - w->ones),
		};
	w->groups[g].count++;
	x->group = g;
}

/* Those of the plan that may be deleted. */
static void
take(struct change *c, struct work *w)
{
	const struct json *list = json_get(c->plan, "messages");
	const struct json *v = json_first(list);
	size_t room = json_count(list) + 1;
	int64_t n = 0, oldest = clock_now_ms() - BULK_MS;

	w->ones = mem_array(room, sizeof(*w->ones));
	w->groups = mem_array(room, sizeof(*w->groups));
	for (; v; v = json_next(v)) {
		struct one *x = &w->ones[w->count];

		x->channel = change_id(v, "channel");
		x->id = change_id(v, "id");
		x->old = snowflake_ms(x->id) < oldest;
		if (!change_may(c, ++n) || !x->channel || !x->id)
			continue;
		w->count++;
		put_in_group(w, x);
	}
}

static void
write_ids(struct buf *b, const struct work *w, size_t group)
{
	jsonw_object(b, NULL);
	jsonw_array(b, "messages");
	for (size_t i = 0; i < w->count; i++)
		if (w->ones[i].group == group)
			jsonw_id(b, NULL, w->ones[i].id);
	jsonw_end_array(b);
	jsonw_end_object(b);
}

static int
send_group(struct change *c, const struct work *w, size_t at, struct err *e)
{
	const struct group *g = &w->groups[at];
	bool one = g->count == 1;
	struct buf body = {0};
	char path[PATH], text[PATH];
	struct change_request r = {"POST", path, &body, false, NULL};
	int result;

	if (one) {
		r = (struct change_request){"DELETE", path, NULL, true, NULL};
		snprintf(path, sizeof(path),
		    "/channels/%" PRIu64 "/messages/%" PRIu64, g->channel,
		    w->ones[g->at].id);
	} else {
		snprintf(path, sizeof(path),
		    "/channels/%" PRIu64 "/messages/bulk-delete", g->channel);
		write_ids(&body, w, at);
	}
	snprintf(text, sizeof(text),
	    "delete %zu of the messages in <#%" PRIu64 ">", g->count,
	    g->channel);
	if (w->group_count > 1)
		result = change_send_part(c, text, &r, NULL, NULL, e);
	else
		result = change_send(c, &r, NULL, e);
	buf_release(&body);
	return result;
}

static void
tell(struct change *c, const struct work *w, size_t groups)
{
	struct buf *d = &c->a->data;

	jsonw_object(d, NULL);
	jsonw_array(d, "deleted");
	for (size_t i = 0; i < w->count; i++)
		if (w->ones[i].group < groups)
			jsonw_id(d, NULL, w->ones[i].id);
	jsonw_end_array(d);
	jsonw_end_object(d);
	buf_fmt(&c->a->summary, "%zu of %zu messages are deleted in",
	    w->deleted, w->count);
	for (size_t g = 0; g < w->group_count; g++) {
		size_t before = 0;

		while (before < g &&
		       w->groups[before].channel != w->groups[g].channel)
			before++;
		if (before == g)
			buf_fmt(&c->a->summary, " <#%" PRIu64 ">",
			    w->groups[g].channel);
	}
}

int
delete_act(struct change *c, struct err *e)
{
	struct work w = {0};
	size_t g = 0;
	int result = 0;

	take(c, &w);
	if (!w.count)
		result = err_set(e, ERR_REFUSED, "no message is to be deleted");
	for (; g < w.group_count && result == 0; g++) {
		result = send_group(c, &w, g, e);
		w.deleted += result == 0 ? w.groups[g].count : 0;
	}
	if (w.deleted)
		tell(c, &w, result == 0 ? g : g - 1);
	if (result < 0)
		result = change_stop(c, w.deleted > 0, e);
	free(w.ones);
	free(w.groups);
	return result;
}

/* ---- verify ---- */

/* Is it there: 1, 0 or -1. */
static int
is_there(struct change *c, const struct json *v, struct err *e)
{
	char path[PATH];
	struct json *m;
	int found;

	snprintf(path, sizeof(path), "/channels/%" PRIu64 "/messages/%" PRIu64,
	    change_id(v, "channel"), change_id(v, "id"));
	found = live_find(c->live, path, &m, e);
	json_free(m);
	return found;
}

int
delete_verify(struct change *c, struct err *e)
{
	const struct json *v = json_first(json_get(c->plan, "messages"));
	size_t wanted = 0, gone = 0;
	int64_t n = 0;

	for (; v; v = json_next(v)) {
		int found;

		if (!change_may(c, ++n))
			continue;
		if ((found = is_there(c, v, e)) < 0)
			return -1;
		wanted++;
		gone += found == 0;
	}
	buf_fmt(&c->seen, "%zu of %zu messages are gone", gone, wanted);
	if (wanted && gone == wanted)
		return SEEN_DONE;
	return gone == 0 && seek_late(c) ? SEEN_UNDONE : SEEN_NOTHING;
}
