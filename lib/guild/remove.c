#include "guild/remove.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "discord/breaks.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "tool/serve.h"

enum { EXCERPT = 100 };

/* "Message Types" in Discord's documentation: those that are not deletable. */
enum { RECIPIENT_ADD = 1, ICON_CHANGE = 5, THREAD_STARTER = 21 };

bool
remove_possible(const struct json *m)
{
	int64_t type = json_int(m, "type", 0);

	return type != THREAD_STARTER &&
	       (type < RECIPIENT_ADD || type > ICON_CHANGE);
}

static const char *
author_of(const struct json *m)
{
	const char *name = json_string(json_get(m, "author"), "username");

	return name ? name : "somebody";
}

/* What it says, in a line. */
static void
add_excerpt(struct buf *b, const struct json *m)
{
	const char *text = json_string(m, "content");
	size_t len = text ? strlen(text) : 0, from = b->len, n;
	bool holds, gap = false;
	uint32_t cp;

	for (size_t i = 0; i < len && b->len - from < EXCERPT; i += n) {
		n = utf8_next(text + i, len - i, &cp);
		if (!breaks_blank(cp, &holds)) {
			buf_str(b, gap && b->len > from ? " " : "");
			buf_add(b, utf8_shown(cp) ? text + i : "?",
			    utf8_shown(cp) ? n : 1);
		}
		gap = breaks_blank(cp, &holds);
	}
	if (b->len == from)
		buf_str(b, "(no text)");
	else if (b->len - from >= EXCERPT)
		buf_str(b, "...");
}

static void
propose_one(struct change *c, const struct place *p, const struct json *m)
{
	uint64_t id = change_id(m, "id");
	struct buf category = {0}, text = {0};
	char name[80];

	jsonw_object(&c->p->plan, NULL);
	jsonw_id(&c->p->plan, "channel", p->id);
	jsonw_id(&c->p->plan, "id", id);
	jsonw_end_object(&c->p->plan);
	utf8_tame(name, sizeof(name), author_of(m));
	buf_fmt(&category, "messages by %s", name);
	add_excerpt(&text, m);
	buf_fmt(&text, " (%" PRIu64 ")", id);
	serve_item(c->p, buf_text(&category), buf_text(&text));
	change_target_message(c, p, id, NULL);
	buf_release(&category);
	buf_release(&text);
}

int
remove_add(struct change *c, struct removal *r, const struct place *p,
    const struct json *m, struct err *e)
{
	uint64_t id = change_id(m, "id");
	bool own = change_id(json_get(m, "author"), "id") ==
		   c->live->reading.bot;

	for (size_t i = 0; i < r->count; i++)
		if (r->ids[i] == id)
			return err_set(e, ERR_INPUT,
			    "message %" PRIu64 " is named twice", id);
	if (r->count == REMOVE_MOST)
		return err_set(e, ERR_INPUT, "more than %d messages",
		    REMOVE_MOST);
	if (!remove_possible(m))
		return err_set(e, ERR_REFUSED,
		    "message %" PRIu64 " is Discord's own, and stays", id);
	if (!own && change_need(p, PERMIT_MANAGE_MESSAGES, e) < 0)
		return -1;
	if (!r->count) {
		r->first = p;
		jsonw_id(&c->p->plan, "guild", c->live->id);
		jsonw_array(&c->p->plan, "messages");
		add_excerpt(&c->p->text, m);
	}
	r->several = r->several || p->id != r->first->id;
	r->ids[r->count++] = id;
	propose_one(c, p, m);
	return 0;
}

void
remove_propose(struct change *c, const struct removal *r)
{
	struct buf said = c->p->text; /* by the first one */

	jsonw_end_array(&c->p->plan);
	c->p->text = (struct buf){0};
	if (r->count == 1)
		buf_fmt(&c->p->text, "delete message %" PRIu64, r->ids[0]);
	else
		buf_fmt(&c->p->text, "delete %zu messages", r->count);
	buf_str(&c->p->text, " in ");
	if (r->several)
		buf_str(&c->p->text, "several channels");
	else
		change_name(&c->p->text, "#", r->first->name, r->first->id);
	if (r->count == 1)
		buf_fmt(&c->p->text, ", which says\n%s", buf_text(&said));
	buf_release(&said);
}
