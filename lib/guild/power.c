#include "guild/power.h"

#include <inttypes.h>
#include <string.h>

#include "core/err.h"
#include "discord/parts.h"
#include "discord/permits.h"
#include "ext/json.h"
#include "guild/describe.h"
#include "guild/live.h"

enum { NAMES = 300 };

void
power_names(struct buf *b, uint64_t bits)
{
	size_t before = b->len;

	for (int i = 0; i < PERMITS; i++)
		if ((bits & UINT64_C(1) << i) && permit_name(i))
			buf_fmt(b, "%s%s", b->len > before ? ", " : "",
			    permit_name(i));
	if (b->len == before)
		buf_str(b, bits ? "what has no name yet" : "nothing");
}

int
power_read(uint64_t *bits, const struct json *names, struct err *e)
{
	*bits = 0;
	for (const struct json *v = json_first(names); v; v = json_next(v)) {
		const char *name = json_text(v);
		int i = 0;

		while (name && i < PERMITS &&
		       (!permit_name(i) || strcmp(permit_name(i), name) != 0))
			i++;
		if (!name || i == PERMITS)
			return err_set(e, ERR_INPUT,
			    "'%.60s' is no permission; they are called as in "
			    "SEND_MESSAGES",
			    name ? name : "");
		*bits |= UINT64_C(1) << i;
	}
	return 0;
}

static int
missing(uint64_t bits, enum err_kind kind, const char *fmt, struct err *e)
{
	struct buf names = {.limit = NAMES};

	power_names(&names, bits);
	err_set(e, kind, "%s %s", fmt, buf_text(&names));
	buf_release(&names);
	return -1;
}

static int
sophia_holds(struct live *l, uint64_t *bits, struct err *e)
{
	return realm_guild_bits(&l->realm, l->reading.bot, bits, e) < 0 ? -1
									: 0;
}

int
power_grant(struct live *l, uint64_t bits, struct err *e)
{
	uint64_t has;

	if (sophia_holds(l, &has, e) < 0)
		return -1;
	if (bits & ~has)
		return missing(bits & ~has, ERR_REFUSED,
		    "a role gets no more than Sophia has, and she lacks", e);
	return power_gain(l, bits, NULL, e);
}

/* An overwrite of the channel itself gives her all of them there. */
static bool
is_unbound(struct live *l, const struct realm_channel *in)
{
	struct permission p = {0};

	(void)l->realm.crowd.known(&l->realm, l->reading.bot, &p);
	for (size_t i = 0; in && i < in->rules.count; i++) {
		const struct overwrite *o = &in->rules.at[i];
		bool hers = o->target == (o->member ? l->reading.bot : l->id);

		for (size_t k = 0; !o->member && k < p.role_count; k++)
			hers = hers || p.roles[k] == o->target;
		if (hers && (o->allow & PERMIT_MANAGE_ROLES))
			return true;
	}
	return false;
}

int
power_touch(struct live *l, uint64_t bits, const struct realm_channel *in,
    const struct realm_channel *category, struct err *e)
{
	uint64_t has, there = 0;

	if (sophia_holds(l, &has, e) < 0 ||
	    (category &&
		realm_bits(&l->realm, l->reading.bot, category, &there, e) < 0))
		return -1;
	if (has == UINT64_MAX || is_unbound(l, in))
		return 0;
	has = (has | there) & ~PERMIT_MANAGE_ROLES; /* administrators do that */
	if (bits & ~has)
		return missing(bits & ~has, ERR_REFUSED,
		    "Sophia can't allow or deny", e);
	return 0;
}

int
power_gain(struct live *l, uint64_t bits, const struct realm_channel *in,
    struct err *e)
{
	uint64_t actor = l->reading.actor, has = 0;
	int got;

	if (!actor || !bits)
		return 0;
	got = in ? realm_bits(&l->realm, actor, in, &has, e)
		 : realm_guild_bits(&l->realm, actor, &has, e);
	if (got < 0)
		return -1;
	if (bits & ~has)
		return missing(bits & ~has, ERR_DENIED,
		    "others would get by it what whoever asks doesn't have:",
		    e);
	return 0;
}

uint64_t
power_gained(const struct overwrite *from, const struct overwrite *to)
{
	return (to->allow & ~from->allow) | (from->deny & ~to->deny);
}

uint64_t
power_changed(const struct overwrite *from, const struct overwrite *to)
{
	return (to->allow ^ from->allow) | (from->deny ^ to->deny);
}

/* ---- roles ---- */

/* Positions count, then ids: the lower one stands higher. */
static bool
stands_above(const struct json *a, const struct json *b)
{
	int64_t x = json_int(a, "position", 0), y = json_int(b, "position", 0);

	return x != y ? x > y
		      : parts_id(a, "id", NULL) < parts_id(b, "id", NULL);
}

/* Sophia's highest role; NULL if she has none but @everyone. */
static const struct json *
highest(struct live *l)
{
	const struct json *v = json_first(json_get(l->guild, "roles")),
			  *top = NULL;
	struct permission p = {0};

	(void)l->realm.crowd.known(&l->realm, l->reading.bot, &p);
	for (; v; v = json_next(v))
		for (size_t i = 0; i < p.role_count; i++)
			if (p.roles[i] == parts_id(v, "id", NULL) &&
			    (!top || stands_above(v, top)))
				top = v;
	return top;
}

int
power_above(struct live *l, const struct json *role, struct err *e)
{
	const struct json *top = highest(l);

	if (l->reading.bot == l->realm.crowd.owner ||
	    parts_id(role, "id", NULL) == l->id ||
	    (top && stands_above(top, role)))
		return 0;
	if (parts_id(top, "id", NULL) == parts_id(role, "id", NULL))
		return err_set(e, ERR_REFUSED,
		    "the role %.80s is Sophia's own highest one",
		    json_string(role, "name"));
	return err_set(e, ERR_REFUSED,
	    "the role %.80s stands above Sophia's highest one, %.80s",
	    json_string(role, "name"),
	    top ? json_string(top, "name") : "@everyone");
}

static int
gains_in(struct live *l, uint64_t role, const struct realm_channel *c,
    bool give, struct err *e)
{
	for (size_t i = 0; i < c->rules.count; i++) {
		const struct overwrite *o = &c->rules.at[i];

		if (!o->member && o->target == role &&
		    power_gain(l, give ? o->allow : o->deny, c, e) < 0)
			return -1;
	}
	return 0;
}

int
power_hand(struct live *l, const struct json *role, bool give, struct err *e)
{
	uint64_t id = parts_id(role, "id", NULL);

	if (id == l->id)
		return err_set(e, ERR_REFUSED,
		    "everybody has @everyone, always");
	if (json_bool(role, "managed", false))
		return err_set(e, ERR_REFUSED,
		    "the role %.80s is managed by an integration, not by hand",
		    json_string(role, "name"));
	if (power_above(l, role, e) < 0 ||
	    (give &&
		power_gain(l, describe_bits(role, "permissions"), NULL, e) < 0))
		return -1;
	for (size_t i = 0; i < l->realm.channel_count; i++)
		if (!channel_is_thread(l->realm.channels[i].kind) &&
		    gains_in(l, id, &l->realm.channels[i], give, e) < 0)
			return -1;
	return 0;
}
