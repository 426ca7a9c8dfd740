#include "store/late.h"

#include <stdio.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "record/gap.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/retract.h"
#include "store/tombstone.h"

struct look {
	struct tombstones *stones;
	struct err bad;
};

static bool
is_gone(void *ctx, const char *url)
{
	struct look *l = ctx;

	return tombstones_link(l->stones, url, &l->bad) > 0;
}

/* Were its arguments taken away while it ran? 1, 0 or -1. */
static int
is_derived(struct store *s, const char *task, int64_t n, struct err *e)
{
	static const char sql[] = "SELECT gone_ms IS NOT NULL FROM call"
				  " WHERE task = ?1 AND n = ?2";
	struct stmt q = {0};
	int row, derived;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, n);
	row = stmt_next(&q, e);
	derived = row > 0 && row_int(&q, 0);
	stmt_end(&q);
	return row < 0 ? -1 : derived;
}

static bool
any_gone(const struct json *sources, struct look *l)
{
	for (const struct json *s = json_first(sources); s; s = json_next(s))
		if (json_string(s, "url") && is_gone(l, json_string(s, "url")))
			return true;
	return false;
}

static int
reduce(struct late *l, bool derived, struct look *look, struct err *e)
{
	struct json *whole = NULL;
	int rc = json_object(&whole, l->outcome.output,
	    strlen(l->outcome.output), e);

	if (rc == 0)
		gap_record(&l->text, whole, derived, is_gone, look);
	json_free(whole);
	if (rc == 0)
		rc = json_object(&l->tree, buf_text(&l->text), l->text.len, e);
	if (rc < 0)
		return -1;
	l->outcome.output = buf_text(&l->text);
	l->outcome.sources = json_get(l->tree, "sources");
	if (l->outcome.summary)
		l->outcome.summary = gap_text;
	return 1;
}

int
late_take(struct late *l, struct store *s, struct tombstones *t,
    const char *task, const struct outcome *o, struct err *e)
{
	struct look look = {.stones = t};
	int derived = is_derived(s, task, o->n, e);
	bool gone;

	l->outcome = *o;
	if (derived < 0)
		return -1;
	gone = any_gone(o->sources, &look);
	if (look.bad.kind) {
		*e = look.bad;
		return -1;
	}
	if (!o->output || (!derived && !gone))
		return 0;
	return reduce(l, derived != 0, &look, e);
}

/* Take a message out again, if it is deleted. */
static int
look_at(struct store *s, struct tombstones *stones, const char *channel,
    const char *message, struct err *e)
{
	struct grave g = {.kind = GRAVE_MESSAGE};
	char link[96];
	int gone;

	if (!channel || !message || snowflake_read(&g.id, message) < 0)
		return 0;
	snprintf(link, sizeof(link),
	    "https://discord.com/channels/@me/%.20s/%.20s", channel, message);
	gone = tombstones_link(stones, link, e);
	if (gone > 0)
		gone = retract_grave(s, &g, e);
	return gone < 0 ? -1 : 0;
}

int
late_turn(struct store *s, struct tombstones *stones, const struct turn *t,
    struct err *e)
{
	const struct json *reply = t->reply.tree;
	char channel[24] = "", request[24] = "";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db,
	    "SELECT channel, request FROM address WHERE turn = ?1"
	    " AND request IS NOT NULL");
	stmt_text(&q, 1, t->id);
	row = stmt_next(&q, e);
	if (row > 0) {
		snprintf(channel, sizeof(channel), "%s", row_text(&q, 0));
		snprintf(request, sizeof(request), "%s", row_text(&q, 1));
	}
	stmt_end(&q);
	if (row < 0 || look_at(s, stones, channel, request, e) < 0)
		return -1;
	return look_at(s, stones, json_string(json_get(reply, "channel"), "id"),
	    json_string(reply, "id"), e);
}

void
late_release(struct late *l)
{
	json_free(l->tree);
	buf_release(&l->text);
	*l = (struct late){0};
}
