#include "store/setting_items.h"

#include <stdint.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "store/setting.h"

enum { NAME_MOST = 64 };

enum part_kind {
	PART_ID,   /* of Discord's, without a zero in front */
	PART_BY,   /* such an id, or "local" */
	PART_WORD, /* one of choices */
	PART_NAME, /* of a capability */
	PART_TIME, /* ISO 8601 */
};

enum part_group {
	PART_ALONE,
	PART_MUST, /* one of these must be there, */
	PART_MAY,  /* or may be; and no other one of them */
};

/* A member of the objects. */
struct part {
	const char *name; /* NULL after the last */
	enum part_kind kind;
	const char *choices;
	enum part_group group;
	bool must;   /* be there */
	bool placed; /* makes no sense without a guild */
	bool key;    /* tells one item from another */
};

static const char tiers[] = "read|scratch|write|destructive";

static const struct part grant[] = {
    {"user", PART_ID, NULL, PART_MUST, false, false, true},
    {"role", PART_ID, NULL, PART_MUST, false, true, true},
    {"guild", PART_ID, NULL, PART_ALONE, false, false, true},
    {"tier", PART_WORD, "read|write|destructive", PART_ALONE, true, false,
	false},
    {"mode", PART_WORD, "ask|auto", PART_ALONE, true, false, false},
    {"until", PART_TIME, NULL, PART_ALONE, false, false, false},
    {"by", PART_BY, NULL, PART_ALONE, true, false, false},
    {"at", PART_TIME, NULL, PART_ALONE, true, false, false},
    {0},
};

static const struct part rule[] = {
    {"effect", PART_WORD, "deny|ask|allow", PART_ALONE, true, false, true},
    {"capability", PART_NAME, NULL, PART_MUST, false, false, true},
    {"tier", PART_WORD, tiers, PART_MUST, false, false, true},
    {"user", PART_ID, NULL, PART_MAY, false, false, true},
    {"role", PART_ID, NULL, PART_MAY, false, true, true},
    {"guild", PART_ID, NULL, PART_ALONE, false, false, true},
    {"channel", PART_ID, NULL, PART_ALONE, false, true, true},
    {"by", PART_BY, NULL, PART_ALONE, true, false, false},
    {"at", PART_TIME, NULL, PART_ALONE, true, false, false},
    {0},
};

static const struct part protected[] = {
    {"channel", PART_ID, NULL, PART_MUST, false, false, true},
    {"role", PART_ID, NULL, PART_MUST, false, false, true},
    {"guild", PART_ID, NULL, PART_ALONE, true, false, true},
    {"by", PART_BY, NULL, PART_ALONE, true, false, false},
    {"at", PART_TIME, NULL, PART_ALONE, true, false, false},
    {0},
};

static const struct part moderator[] = {
    {"user", PART_ID, NULL, PART_MUST, false, false, true},
    {"role", PART_ID, NULL, PART_MUST, false, false, true},
    {"guild", PART_ID, NULL, PART_ALONE, true, false, true},
    {"by", PART_BY, NULL, PART_ALONE, true, false, false},
    {"at", PART_TIME, NULL, PART_ALONE, true, false, false},
    {0},
};

static const struct shape {
	const char *setting;
	const struct part *parts;
} shapes[] = {
    {"access.grants", grant},
    {"access.rules", rule},
    {"access.protected", protected},
    {"access.moderators", moderator},
};

static const struct part *
parts_of(const struct setting *k)
{
	const struct shape *x = shapes;

	while (strcmp(x->setting, k->name) != 0)
		x++;
	return x->parts;
}

static bool
is_id(const char *text)
{
	uint64_t id;

	return *text != '0' && snowflake_read(&id, text) == 0;
}

static bool
is_name(const char *text)
{
	const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return n && n <= NAME_MOST && !text[n];
}

/* What the text must be and is not, or NULL. */
static const char *
fault(const struct part *p, const char *text)
{
	int64_t at_ms;

	switch (p->kind) {
	case PART_ID: return is_id(text) ? NULL : "an id of Discord's";
	case PART_BY:
		return strcmp(text, "local") == 0 || is_id(text)
			   ? NULL
			   : "an id of Discord's, or local";
	case PART_WORD:
		return setting_choice(p->choices, text) ? NULL : p->choices;
	case PART_NAME:
		return is_name(text) ? NULL : "the name of a capability";
	case PART_TIME:
		return clock_parse(&at_ms, text) == 0
			   ? NULL
			   : "a time like 2026-12-31T18:00:00Z";
	}
	return NULL;
}

static int
check_part(const struct part *p, const struct json *v, struct err *e)
{
	const char *text = json_text(v), *want;

	if (json_kind(v) != JSON_STRING)
		return err_set(e, ERR_CONFIG, "must be a text in quotes");
	if ((want = fault(p, text)) != NULL)
		return err_set(e, ERR_CONFIG, "'%.40s': must be %s", text,
		    want);
	return 0;
}

static const struct part *
find(const struct part *parts, const char *name)
{
	const struct part *p = parts;

	while (p->name && strcmp(p->name, name) != 0)
		p++;
	return p->name ? p : NULL;
}

/* Each member is known, and written once. */
static int
check_members(const struct part *parts, const struct json *item, struct err *e)
{
	for (const struct json *v = json_first(item); v; v = json_next(v)) {
		const struct part *p = find(parts, json_key(v));

		if (!p)
			return err_set(e, ERR_CONFIG,
			    "%.40s: there is no such field", json_key(v));
		if (json_get(item, p->name) != v)
			return err_set(e, ERR_CONFIG, "%s: is there twice",
			    p->name);
		if (check_part(p, v, e) < 0)
			return err_in(e, "%s", p->name);
	}
	return 0;
}

/* "user or role" */
static void
list_group(struct buf *b, const struct part *parts, enum part_group group)
{
	for (const struct part *p = parts; p->name; p++)
		if (p->group == group)
			buf_fmt(b, "%s%s", b->len ? " or " : "", p->name);
}

static int
check_group(const struct part *parts, const struct json *item,
    enum part_group group, struct err *e)
{
	struct buf names = {0};
	int n = 0;

	for (const struct part *p = parts; p->name; p++)
		n += p->group == group && json_get(item, p->name);
	if (n == 1 || (n == 0 && group == PART_MAY))
		return 0;
	list_group(&names, parts, group);
	err_set(e, ERR_CONFIG, "must have %s: %s",
	    group == PART_MUST ? "one of these" : "one of these at most",
	    buf_text(&names));
	buf_release(&names);
	return -1;
}

static int
check_item(const struct part *parts, const struct json *item, struct err *e)
{
	if (json_kind(item) != JSON_OBJECT)
		return err_set(e, ERR_CONFIG, "must be an object");
	if (check_members(parts, item, e) < 0 ||
	    check_group(parts, item, PART_MUST, e) < 0 ||
	    check_group(parts, item, PART_MAY, e) < 0)
		return -1;
	for (const struct part *p = parts; p->name; p++) {
		const bool there = json_get(item, p->name) != NULL;

		if (p->must && !there)
			return err_set(e, ERR_CONFIG, "%s: is missing",
			    p->name);
		if (p->placed && there && !json_get(item, "guild"))
			return err_set(e, ERR_CONFIG, "%s: needs its guild",
			    p->name);
	}
	return 0;
}

int
setting_items_check(const struct setting *k, const struct json *v,
    struct err *e)
{
	int i = 0;

	if (json_kind(v) != JSON_ARRAY)
		return err_set(e, ERR_CONFIG, "%s: must be a list of objects",
		    k->name);
	if (json_count(v) > (size_t)k->high)
		return err_set(e, ERR_CONFIG, "%s: has more than %lld items",
		    k->name, (long long)k->high);
	for (v = json_first(v); v; v = json_next(v), i++)
		if (check_item(parts_of(k), v, e) < 0)
			return err_in(e, "%s[%d]", k->name, i);
	return 0;
}

int
setting_item_check(const struct setting *k, const struct json *item,
    struct err *e)
{
	return check_item(parts_of(k), item, e);
}

static bool
is_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool
setting_items_same(const struct setting *k, const struct json *a,
    const struct json *b)
{
	for (const struct part *p = parts_of(k); p->name; p++)
		if (p->key &&
		    !is_same(json_string(a, p->name), json_string(b, p->name)))
			return false;
	return true;
}
