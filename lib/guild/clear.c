/* clear_messages */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/link.h"
#include "guild/remove.h"
#include "record/call.h"
#include "tool/serve.h"

enum { PAGE = 100, PAGES = 10, PATH = 128 };

struct wish {
	int64_t count;
	uint64_t author;        /* 0 for anybody */
	uint64_t before, after; /* 0 for no such end */
	int64_t pinned;         /* passed over so far */
};

/* A message by link or id, or a time: the id at that point. */
static int
read_point(const struct json *in, const char *key, uint64_t *id, struct err *e)
{
	const char *text = json_string(in, key);
	struct link at;
	int64_t ms;

	*id = 0;
	if (!text)
		return 0;
	link_read(&at, text);
	*id = at.message;
	if (!*id && clock_parse(&ms, text) == 0)
		*id = snowflake_first(ms);
	return *id ? 0
		   : err_set(e, ERR_INPUT, "%s is no link, id or time: '%.80s'",
			 key, text);
}

static int
read_wish(struct wish *w, const struct json *in, struct err *e)
{
	const char *author = json_string(in, "author");

	*w = (struct wish){.count = json_int(in, "count", 0)};
	if (w->count < 1 || w->count > REMOVE_MOST)
		return err_set(e, ERR_INPUT, "count is no number from 1 to %d",
		    REMOVE_MOST);
	if (author && !(w->author = live_id(author, "<@")))
		return err_set(e, ERR_INPUT,
		    "author is no id or mention: '%.80s'", author);
	if (read_point(in, "before", &w->before, e) < 0)
		return -1;
	return read_point(in, "after", &w->after, e);
}

/* Is this one meant? */
static bool
meant(struct wish *w, const struct json *m)
{
	if (w->author && change_id(json_get(m, "author"), "id") != w->author)
		return false;
	if (!remove_possible(m))
		return false;
	if (!json_bool(m, "pinned", false))
		return true;
	w->pinned++;
	return false;
}

/* Take those of a page that are meant: 1 to go on, 0 that was all, or -1. */
static int
take(struct change *c, struct wish *w, const struct place *p,
    const struct json *page, struct removal *r, struct err *e)
{
	for (const struct json *m = json_first(page); m; m = json_next(m)) {
		uint64_t id = change_id(m, "id");

		if (id <= w->after || (int64_t)r->count == w->count)
			return 0;
		w->before = id;
		if (meant(w, m) && remove_add(c, r, p, m, e) < 0)
			return -1;
	}
	return json_count(page) == PAGE;
}

/* From the newest back. */
static int
look_back(struct change *c, struct wish *w, const struct place *p,
    struct removal *r, struct err *e)
{
	int more = 1;

	for (int i = 0; more > 0 && i < PAGES; i++) {
		struct json *page;
		char path[PATH], before[32] = "";

		if (w->before)
			snprintf(before, sizeof(before), "&before=%" PRIu64,
			    w->before);
		snprintf(path, sizeof(path),
		    "/channels/%" PRIu64 "/messages?limit=%d%s", p->id, PAGE,
		    before);
		if (live_get(c->live, path, &page, e) < 0)
			return -1;
		more = take(c, w, p, page, r, e);
		json_free(page);
	}
	return more < 0 ? -1 : 0;
}

int
clear_check(struct change *c, struct err *e)
{
	const char *channel = json_string(c->in, "channel");
	struct removal r = {0};
	struct wish w;
	struct place p;

	if (read_wish(&w, c->in, e) < 0 ||
	    change_begin(c, channel ? live_id(channel, "<#") : 0, e) < 0 ||
	    change_place(c, "channel", &p, e) < 0 ||
	    live_readable(c->live, p.id, channel ? channel : p.name, e) < 0 ||
	    change_need(&p, PERMIT_VIEW | PERMIT_HISTORY, e) < 0 ||
	    look_back(c, &w, &p, &r, e) < 0)
		return -1;
	if (!r.count)
		return err_set(e, ERR_INPUT, "there is no such message%s",
		    w.pinned ? " that isn't pinned" : "");
	remove_propose(c, &r);
	if (w.pinned)
		buf_fmt(&c->p->text, "\n(%" PRId64 " pinned ones stay)",
		    w.pinned);
	return 0;
}
