#include "guild/overwrites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "discord/parts.h"
#include "discord/permission.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/describe.h"
#include "guild/live.h"
#include "guild/member.h"
#include "guild/power.h"

enum { NAMED_MOST = 20, ONE_CHANNEL = 100 }; /* the latter is Discord's */

void
overwrites_release(struct overwrites *o)
{
	free(o->at);
	*o = (struct overwrites){0};
}

static struct overwrite *
find(const struct overwrites *o, uint64_t target, bool member)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->at[i].target == target && o->at[i].member == member)
			return &o->at[i];
	return NULL;
}

struct overwrite *
overwrites_of(struct overwrites *o, uint64_t target, bool member)
{
	struct overwrite *found = find(o, target, member);

	if (found)
		return found;
	o->at = mem_resize(o->at, o->count + 1, sizeof(*o->at));
	found = &o->at[o->count++];
	*found = (struct overwrite){.target = target, .member = member};
	return found;
}

void
overwrites_copy(struct overwrites *o, const struct realm_channel *from)
{
	for (size_t i = 0; from && i < from->rules.count; i++)
		*overwrites_of(o, from->rules.at[i].target,
		    from->rules.at[i].member) = from->rules.at[i];
}

void
overwrites_write(const struct overwrites *o, struct buf *to)
{
	char bits[24];

	jsonw_array(to, NULL);
	for (size_t i = 0; i < o->count; i++) {
		jsonw_object(to, NULL);
		jsonw_id(to, "id", o->at[i].target);
		jsonw_int(to, "type", o->at[i].member);
		snprintf(bits, sizeof(bits), "%" PRIu64, o->at[i].allow);
		jsonw_str(to, "allow", bits);
		snprintf(bits, sizeof(bits), "%" PRIu64, o->at[i].deny);
		jsonw_str(to, "deny", bits);
		jsonw_end_object(to);
	}
	jsonw_end_array(to);
}

/* What f says of each target of a or b, taken together. */
static uint64_t
compare(const struct overwrites *a, const struct overwrites *b,
    uint64_t (*f)(const struct overwrite *, const struct overwrite *))
{
	const struct overwrite none = {0};
	uint64_t bits = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct overwrite *o = &a->at[i];
		const struct overwrite *to = find(b, o->target, o->member);

		bits |= f(o, to ? to : &none);
	}
	for (size_t i = 0; i < b->count; i++)
		if (!find(a, b->at[i].target, b->at[i].member))
			bits |= f(&none, &b->at[i]);
	return bits;
}

uint64_t
overwrites_gained(const struct overwrites *a, const struct overwrites *b)
{
	return compare(a, b, power_gained);
}

uint64_t
overwrites_changed(const struct overwrites *a, const struct overwrites *b)
{
	return compare(a, b, power_changed);
}

/* ---- whom they are for ---- */

static int
whom_member(struct change *c, const char *text, struct whom *w, struct err *e)
{
	struct json *m;

	if (member_find(c->live, text, &m, e) < 0)
		return -1;
	w->id = parts_id(json_get(m, "user"), "id", NULL);
	w->member = true;
	utf8_tame(w->name, sizeof(w->name), describe_member_name(m));
	json_free(m);
	return 0;
}

int
overwrites_whom(struct change *c, const char *text, bool member, struct whom *w,
    struct err *e)
{
	const struct json *role;

	*w = (struct whom){0};
	if (member)
		return whom_member(c, text, w, e);
	if (live_name_role(c->live, text, &role, e) < 0)
		return -1;
	w->id = parts_id(role, "id", NULL);
	utf8_tame(w->name, sizeof(w->name), json_string(role, "name"));
	return 0;
}

/* Either: a mention says which; else a role, and then a member. */
static int
whom_any(struct change *c, const char *text, struct whom *w, struct err *e)
{
	bool mentioned = strncmp(text, "<@", 2) == 0 &&
			 strncmp(text, "<@&", 3) != 0;
	struct err why = {0};

	if (!mentioned && overwrites_whom(c, text, false, w, &why) == 0)
		return 0;
	if (!mentioned && strncmp(text, "<@&", 3) == 0) {
		*e = why;
		return -1;
	}
	return overwrites_whom(c, text, true, w, e);
}

static void
let_see(struct overwrites *o, uint64_t target, bool member, uint64_t see)
{
	struct overwrite *own = overwrites_of(o, target, member);

	own->allow |= see;
	own->deny &= ~see;
}

static int
let_all_see(struct overwrites *o, struct change *c, const struct json *who,
    uint64_t see, struct buf *text, struct err *e)
{
	struct whom w;

	for (const struct json *v = json_first(who); v; v = json_next(v)) {
		if (!json_text(v) || whom_any(c, json_text(v), &w, e) < 0)
			return -1;
		if (w.id == c->live->id)
			return err_set(e, ERR_INPUT,
			    "a channel for @everyone isn't private");
		let_see(o, w.id, w.member, see);
		change_name(text, "@", w.name, w.id);
		buf_str(text, ", ");
	}
	return 0;
}

int
overwrites_private(struct overwrites *o, struct change *c,
    const struct json *who, const struct realm_channel *category, int64_t kind,
    struct buf *text, struct err *e)
{
	const struct overwrites none = {0};
	uint64_t see = PERMIT_VIEW;

	if (json_count(who) > NAMED_MOST)
		return err_set(e, ERR_INPUT, "private_to names more than %d",
		    NAMED_MOST);
	if (kind == CHANNEL_VOICE || kind == CHANNEL_STAGE)
		see |= PERMIT_CONNECT;
	overwrites_copy(o, category);
	for (size_t i = 0; i < o->count; i++)
		o->at[i].allow &= ~PERMIT_VIEW;
	overwrites_of(o, c->live->id, false)->deny |= PERMIT_VIEW;
	if (let_all_see(o, c, who, see, text, e) < 0)
		return -1;
	let_see(o, c->live->reading.bot, true, see);
	buf_str(text, "Sophia and administrators");
	if (o->count > ONE_CHANNEL)
		return err_set(e, ERR_REFUSED,
		    "a channel makes exceptions for %d at most", ONE_CHANNEL);
	if (power_touch(c->live, overwrites_changed(&none, o), NULL, NULL, e) <
	    0)
		return -1;
	return power_gain(c->live, see, category, e);
}
