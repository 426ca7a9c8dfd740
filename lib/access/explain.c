#include "access/explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "ext/json.h"
#include "ext/jsonw.h"

enum { DEEPEST = 3, WIDEST = 1000 }; /* thread, channel, category; in one */

static int
is_no_id(const char *text, struct err *e)
{
	return err_set(e, ERR_INPUT, "'%.40s' is no id of Discord's", text);
}

/* Keep a text; NULL if there are too many, or it is no id. */
static const char *
keep(struct explain *x, const char *text, size_t len, struct err *e)
{
	uint64_t id;

	if (x->count == EXPLAIN_TEXTS) {
		err_set(e, ERR_INPUT, "more than %d ids", EXPLAIN_TEXTS);
		return NULL;
	}
	x->texts = mem_resize(x->texts, x->count + 1, sizeof(*x->texts));
	x->texts[x->count] = mem_dupn(text, len);
	if (snowflake_read(&id, x->texts[x->count++]) < 0) {
		is_no_id(x->texts[x->count - 1], e);
		return NULL;
	}
	return x->texts[x->count - 1];
}

/* The next part of "a:b:c", kept. */
static const char *
part(struct explain *x, const char **at, struct err *e)
{
	const size_t len = strcspn(*at, ":");
	const char *text = keep(x, *at, len, e);

	*at += len + ((*at)[len] == ':');
	return text;
}

int
explain_location(struct explain *x, const char *text, struct err *e)
{
	struct location *l = &x->q.location;

	*l = (struct location){0};
	if (strcmp(text, "local") == 0)
		return 0;
	if (strncmp(text, "dm:", 3) == 0) {
		text += 3;
		l->kind = LOCATION_DM;
		l->channel = part(x, &text, e);
		if (!l->channel)
			return -1;
	} else if (strncmp(text, "guild:", 6) == 0) {
		text += 6;
		l->kind = LOCATION_GUILD;
		l->guild = part(x, &text, e);
		if (!l->guild || (*text && !(l->channel = part(x, &text, e))))
			return -1;
	} else {
		return err_set(e, ERR_INPUT,
		    "'%.40s' is no place: it is local, dm:CHANNEL, "
		    "guild:GUILD or guild:GUILD:CHANNEL",
		    text);
	}
	return *text
		   ? err_set(e, ERR_INPUT, "a place ends before '%.40s'", text)
		   : 0;
}

/* ids[0..n) as they are kept. */
static struct access_ids
new_ids(const char *const *ids, size_t n)
{
	const char **at = mem_array(n ? n : 1, sizeof(*at));

	for (size_t i = 0; i < n; i++)
		at[i] = ids[i];
	return (struct access_ids){at, n};
}

static const char *const kinds[] = {
    [ACCESS_CHANNEL] = "channel:",
    [ACCESS_ROLE] = "role:",
    [ACCESS_MEMBER] = "member:",
    [ACCESS_MESSAGE] = "message:",
    [ACCESS_TASK] = "task:",
};

/* What of a target comes after its kind. */
static int
read_target(struct explain *x, struct access_target *t, const char *text,
    struct err *e)
{
	const char *channel;

	if (t->kind == ACCESS_TASK) {
		t->id = text;
		return 0;
	}
	t->id = part(x, &text, e);
	if (!t->id)
		return -1;
	if (t->kind == ACCESS_MESSAGE && *text) {
		channel = t->id;
		t->id = part(x, &text, e);
		t->above = new_ids(&channel, 1);
	}
	if (!t->id)
		return -1;
	return *text
		   ? err_set(e, ERR_INPUT, "a target ends before '%.40s'", text)
		   : 0;
}

int
explain_target(struct explain *x, const char *text, struct err *e)
{
	struct access_target t = {0};

	if (x->q.target_count == EXPLAIN_TARGETS)
		return err_set(e, ERR_INPUT, "more than %d targets",
		    EXPLAIN_TARGETS);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const size_t len = strlen(kinds[i]);

		if (strncmp(text, kinds[i], len) != 0)
			continue;
		t.kind = (enum access_kind)i;
		x->targets[x->q.target_count] = t;
		x->q.targets = x->targets;
		return read_target(x, &x->targets[x->q.target_count++],
		    text + len, e);
	}
	return err_set(e, ERR_INPUT,
	    "'%.40s' is no target: it is channel:ID, role:ID, member:ID, "
	    "task:ID or message:CHANNEL:ID",
	    text);
}

static void
set_roles(struct explain *x, const char *const *ids, size_t n)
{
	mem_drop(x->q.roles.ids.at);
	x->q.roles = (struct access_roles){true, new_ids(ids, n)};
}

int
explain_roles(struct explain *x, const char *text, struct err *e)
{
	static const char gap[] = ", ";
	const char *ids[EXPLAIN_TEXTS + 1];
	size_t n = 0, len;

	for (text += strspn(text, gap); *text; text += strspn(text, gap)) {
		len = strcspn(text, gap);
		if (!(ids[n] = keep(x, text, len, e)))
			return -1;
		n++;
		text += len;
	}
	set_roles(x, ids, n);
	return 0;
}

int
explain_roles_json(struct explain *x, const struct json *list, struct err *e)
{
	const char *ids[EXPLAIN_TEXTS + 1], *text;
	size_t n = 0;

	if (json_kind(list) != JSON_ARRAY)
		return err_set(e, ERR_INPUT, "roles are no list");
	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		text = json_text(v) ? json_text(v) : "";
		if (!(ids[n] = keep(x, text, strlen(text), e)))
			return -1;
		n++;
	}
	set_roles(x, ids, n);
	return 0;
}

/* The id of a row's first column, kept. */
static const char *
kept_id(struct explain *x, int64_t id, struct err *e)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, id);
	return keep(x, text, strlen(text), e);
}

/* The channels that one is in: how many, 0 also if it isn't known; or -1. */
static int
find_above(struct explain *x, struct db *db, const char *id,
    const char *out[DEEPEST], bool *known, struct err *e)
{
	struct stmt s = {0};
	int64_t at = strtoll(id, NULL, 10);
	int n = 0, row = 1;

	*known = false;
	stmt_start(&s, db, "SELECT parent FROM channel WHERE id = ?1");
	while (row > 0 && n < DEEPEST) {
		stmt_int(&s, 1, at);
		row = stmt_next(&s, e);
		if (row > 0 && n == 0)
			*known = true;
		if (row <= 0 || row_null(&s, 0) || !row_int(&s, 0))
			break;
		at = row_int(&s, 0);
		if (!(out[n++] = kept_id(x, at, e)))
			row = -1;
		stmt_reset(&s);
	}
	stmt_end(&s);
	return row < 0 ? -1 : n;
}

/* The channels and threads in one, and the threads of these. */
static int
find_below(struct explain *x, struct db *db, const char *id,
    struct access_ids *out, struct err *e)
{
	const char *ids[WIDEST];
	struct stmt s = {0};
	size_t n = 0;
	int row;

	stmt_start(&s, db,
	    "SELECT id FROM channel WHERE parent = ?1 UNION "
	    "SELECT t.id FROM channel c JOIN channel t ON t.parent = c.id"
	    " WHERE c.parent = ?1 LIMIT ?2");
	stmt_int(&s, 1, strtoll(id, NULL, 10));
	stmt_int(&s, 2, WIDEST);
	while ((row = stmt_next(&s, e)) > 0)
		if (!(ids[n++] = kept_id(x, row_int(&s, 0), e))) {
			row = -1;
			break;
		}
	stmt_end(&s);
	if (row == 0)
		*out = new_ids(ids, n);
	return row;
}

static int
find_place(struct explain *x, struct db *db, struct access_target *t,
    struct err *e)
{
	const char *ids[DEEPEST + 1];
	const bool message = t->kind == ACCESS_MESSAGE;
	size_t own = 0;
	int n;

	if (message && !t->above.count)
		return 0;
	if (message)
		ids[own++] = t->above.at[0];
	n = find_above(x, db, message ? ids[0] : t->id, ids + own, &t->placed,
	    e);
	if (n < 0)
		return -1;
	mem_drop(t->above.at);
	t->above = new_ids(ids, own + (size_t)n);
	return message ? 0 : find_below(x, db, t->id, &t->below, e);
}

int
explain_places(struct explain *x, struct db *db, struct err *e)
{
	for (size_t i = 0; i < x->q.target_count; i++) {
		struct access_target *t = &x->targets[i];

		if ((t->kind == ACCESS_CHANNEL || t->kind == ACCESS_MESSAGE) &&
		    !t->placed && find_place(x, db, t, e) < 0)
			return -1;
	}
	return 0;
}

void
explain_lines(struct buf *b, const char *key, const char *text)
{
	jsonw_array(b, key);
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		jsonw_strn(b, NULL, text, len);
	}
	jsonw_end_array(b);
}

static void
write_record(struct buf *b, const struct explain *x,
    const struct access_decision *d)
{
	const struct access_question *q = &x->q;

	jsonw_object(b, NULL);
	jsonw_str(b, "type", "explanation");
	jsonw_str(b, "actor", q->actor);
	location_write(b, &q->location);
	jsonw_opt(b, "guild", q->guild);
	jsonw_opt(b, "capability", q->capability);
	jsonw_str(b, "tier", tier_word(access_tier(q->capability, q->tier)));
	jsonw_str(b, "decision", access_word(d->verdict));
	jsonw_bool(b, "confirm", d->confirm);
	jsonw_str(b, "why", d->why);
	explain_lines(b, "reasons", buf_text(&d->reasons));
	jsonw_bool(b, "roles_matter", access_needs_roles(q) != NULL);
	jsonw_line(b);
}

enum access_verdict
explain_write(struct buf *b, const struct explain *x, bool json)
{
	struct access_decision d;

	access_decide(&d, &x->q);
	if (json) {
		write_record(b, x, &d);
	} else {
		buf_fmt(b, "%s%s: %s\n%s", access_word(d.verdict),
		    d.confirm ? ", twice" : "", d.why, buf_text(&d.reasons));
		if (!x->q.roles.known && access_needs_roles(&x->q))
			buf_fmt(b, "their roles in server %s would matter\n",
			    access_needs_roles(&x->q));
	}
	access_release(&d);
	return d.verdict;
}

void
explain_release(struct explain *x)
{
	for (size_t i = 0; i < x->q.target_count; i++) {
		mem_drop(x->targets[i].above.at);
		mem_drop(x->targets[i].below.at);
	}
	mem_drop(x->q.roles.ids.at);
	for (size_t i = 0; i < x->count; i++)
		free(x->texts[i]);
	free(x->texts);
	*x = (struct explain){0};
}
