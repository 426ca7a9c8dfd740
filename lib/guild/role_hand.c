/*
 * manage_member_roles - give roles to members, and take them.
 *
 * Each role of each member is an item, and a request of its own: what each of
 * them has already, or hasn't, is left out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/describe.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/member.h"
#include "guild/places.h"
#include "guild/power.h"
#include "guild/roles.h"
#include "guild/told.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 128, NAME = 128, NAMED_MOST = 20, ITEMS_MOST = 50 };

/* ---- check ---- */

static bool
has_role(const struct json *member, uint64_t role)
{
	const struct json *v = json_first(json_get(member, "roles"));
	char id[24];

	snprintf(id, sizeof(id), "%" PRIu64, role);
	while (v && (!json_text(v) || strcmp(json_text(v), id) != 0))
		v = json_next(v);
	return v != NULL;
}

struct ids {
	uint64_t at[NAMED_MOST];
	size_t count;
};

/* Note that it is named: once, and not too many. */
static int
note(struct ids *x, uint64_t id, const char *name, struct err *e)
{
	for (size_t i = 0; i < x->count; i++)
		if (x->at[i] == id)
			return err_set(e, ERR_INPUT, "%.80s is named twice",
			    name ? name : "");
	if (x->count == NAMED_MOST)
		return err_set(e, ERR_INPUT, "more than %d are named",
		    NAMED_MOST);
	x->at[x->count++] = id;
	return 0;
}

struct hand {
	int count;               /* of items */
	struct ids users, roles; /* that were named so far */
	struct buf line;         /* what the last one is */
};

static void
propose_one(struct change *c, struct hand *h, const struct json *member,
    const struct json *role, bool give)
{
	uint64_t user = parts_id(json_get(member, "user"), "id", NULL);
	const char *name = describe_member_name(member);
	struct buf category = {0};

	jsonw_object(&c->p->plan, NULL);
	jsonw_id(&c->p->plan, "user", user);
	jsonw_str(&c->p->plan, "user_name", name);
	jsonw_id(&c->p->plan, "role", parts_id(role, "id", NULL));
	jsonw_str(&c->p->plan, "role_name", json_string(role, "name"));
	jsonw_str(&c->p->plan, "role_permissions",
	    json_string(role, "permissions"));
	jsonw_bool(&c->p->plan, "give", give);
	jsonw_end_object(&c->p->plan);

	buf_str(&category, give ? "give " : "take ");
	roles_name(&category, role);
	buf_clear(&h->line);
	buf_fmt(&h->line, "%s %s ", buf_text(&category), give ? "to" : "from");
	change_name(&h->line, "", name, user);
	serve_item(c->p, buf_text(&category), buf_text(&h->line));
	buf_release(&category);
	h->count++;
}

/* Each of these roles, for one member. */
static int
take_roles(struct change *c, struct hand *h, const struct json *member,
    const char *key, struct err *e)
{
	const struct json *v = json_first(json_get(c->in, key)), *role;
	bool give = strcmp(key, "add") == 0;

	for (; v; v = json_next(v)) {
		if (!json_text(v) ||
		    live_name_role(c->live, json_text(v), &role, e) < 0)
			return -1;
		if (has_role(member, parts_id(role, "id", NULL)) == give)
			continue;
		if (h->count == ITEMS_MOST)
			return err_set(e, ERR_INPUT,
			    "more than %d roles would be given or taken",
			    ITEMS_MOST);
		propose_one(c, h, member, role, give);
	}
	return 0;
}

static int
take_member(struct change *c, struct hand *h, const char *name, struct err *e)
{
	struct json *m = NULL;
	int before = h->count, result;
	uint64_t user;

	if (!name || member_find(c->live, name, &m, e) < 0)
		return name ? -1 : err_set(e, ERR_INPUT, "a member is no text");
	user = parts_id(json_get(m, "user"), "id", NULL);
	result = note(&h->users, user, describe_member_name(m), e);
	if (result == 0)
		result = take_roles(c, h, m, "remove", e);
	if (result == 0)
		result = take_roles(c, h, m, "add", e);
	if (h->count > before)
		change_target(c, PROPOSAL_MEMBER, user,
		    describe_member_name(m));
	json_free(m);
	return result;
}

/* Each role is looked at once, before any member is asked for. */
static int
check_roles(struct change *c, struct hand *h, const char *key, struct err *e)
{
	const struct json *v = json_first(json_get(c->in, key)), *role;

	for (; v; v = json_next(v)) {
		if (!json_text(v) ||
		    live_name_role(c->live, json_text(v), &role, e) < 0 ||
		    note(&h->roles, parts_id(role, "id", NULL),
			json_string(role, "name"), e) < 0 ||
		    power_hand(c->live, role, strcmp(key, "add") == 0, e) < 0)
			return -1;
		roles_target(c, role);
	}
	return 0;
}

static int
take_all(struct change *c, struct hand *h, struct err *e)
{
	const struct json *list = json_get(c->in, "members");
	const struct json *v = json_first(list);

	if (!v || json_count(list) > NAMED_MOST)
		return err_set(e, ERR_INPUT, "members names 1 to %d people",
		    NAMED_MOST);
	if (check_roles(c, h, "remove", e) < 0 ||
	    check_roles(c, h, "add", e) < 0)
		return -1;
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_array(&c->p->plan, "items");
	for (; v; v = json_next(v))
		if (take_member(c, h, json_text(v), e) < 0)
			return -1;
	jsonw_end_array(&c->p->plan);
	if (!h->count)
		return err_set(e, ERR_INPUT,
		    "they all have, and lack, just these roles already");
	return 0;
}

int
manage_roles_check(struct change *c, struct err *e)
{
	struct hand h = {0};
	int result = -1;

	if (change_begin(c, 0, e) < 0 ||
	    change_need_guild(c, PERMIT_MANAGE_ROLES, e) < 0)
		return -1;
	if (take_all(c, &h, e) == 0) {
		result = 0;
		if (h.count == 1)
			buf_str(&c->p->text, buf_text(&h.line));
		else
			buf_fmt(&c->p->text,
			    "give or take roles, %d changes in all", h.count);
	}
	buf_release(&h.line);
	return result;
}

/* ---- act ---- */

/* One role for one member: may it be done still, and is it the same thing? */
static int
again(struct change *c, const struct json *v, struct err *e)
{
	const struct json *role = roles_find(c, change_id(v, "role"));
	bool give = json_bool(v, "give", true);

	if (!role)
		return err_set(e, ERR_REFUSED,
		    "the role %.80s isn't there any more",
		    json_string(v, "role_name"));
	if (power_hand(c->live, role, give, e) < 0)
		return -1;
	if (give && (describe_bits(role, "permissions") &
			~describe_bits(v, "role_permissions")))
		return err_set(e, ERR_REFUSED,
		    "the role %.80s gives more than it did when this was "
		    "checked; nothing was done. Ask for it again",
		    json_string(v, "role_name"));
	return 0;
}

/* All that is to be done may be done, as things are now. */
static int
look_again(struct change *c, struct err *e)
{
	const struct json *v = json_first(json_get(c->plan, "items"));
	int64_t n = 0;

	for (; v; v = json_next(v))
		if (change_may(c, ++n) && again(c, v, e) < 0)
			return -1;
	return 0;
}

static int
hand_over(struct change *c, const struct json *v, bool alone, struct err *e)
{
	bool give = json_bool(v, "give", true);
	char path[PATH], user[NAME], role[NAME];
	const struct change_request r = {give ? "PUT" : "DELETE", path, NULL,
	    !give, NULL};
	struct buf text = {0};
	int result;

	snprintf(path, sizeof(path),
	    "/guilds/%" PRIu64 "/members/%" PRIu64 "/roles/%" PRIu64,
	    change_id(c->plan, "guild"), change_id(v, "user"),
	    change_id(v, "role"));
	utf8_tame(user, sizeof(user), json_string(v, "user_name"));
	utf8_tame(role, sizeof(role), json_string(v, "role_name"));
	buf_fmt(&text, "%s @%s %s %s", give ? "give" : "take", role,
	    give ? "to" : "from", user);
	result = alone
		     ? change_send(c, &r, NULL, e)
		     : change_send_part(c, buf_text(&text), &r, NULL, NULL, e);
	buf_release(&text);
	return result;
}

static void
tell_one(struct change *c, const struct json *v)
{
	struct buf *d = &c->a->data;
	bool give = json_bool(v, "give", true);

	jsonw_object(d, NULL);
	jsonw_str(d, "change", give ? "given" : "taken");
	told_role(d, "role", change_id(v, "role"), json_string(v, "role_name"));
	told_member(d, "member", change_id(v, "user"),
	    json_string(v, "user_name"));
	jsonw_end_object(d);
	buf_fmt(&c->a->summary, "%s%s <@&%" PRIu64 "> %s <@%" PRIu64 ">",
	    c->a->summary.len ? ", " : "", give ? "gave" : "took",
	    change_id(v, "role"), give ? "to" : "from", change_id(v, "user"));
}

static size_t
count_wanted(const struct change *c)
{
	const struct json *list = json_get(c->plan, "items");
	size_t count = 0;

	for (size_t n = 1; n <= json_count(list); n++)
		count += change_may(c, (int64_t)n) ? 1 : 0;
	return count;
}

static int
do_all(struct change *c, struct err *e)
{
	const struct json *v = json_first(json_get(c->plan, "items"));
	size_t wanted = count_wanted(c), done = 0;
	int64_t n = 0;
	int result = 0;

	if (!wanted)
		return err_set(e, ERR_REFUSED, "nothing is to be done");
	jsonw_object(&c->a->data, NULL);
	jsonw_array(&c->a->data, "done");
	for (; v && result == 0; v = json_next(v)) {
		if (!change_may(c, ++n))
			continue;
		result = hand_over(c, v, wanted == 1, e);
		if (result == 0) {
			tell_one(c, v);
			done++;
		}
	}
	jsonw_end_array(&c->a->data);
	jsonw_end_object(&c->a->data);
	return result < 0 ? change_stop(c, done > 0, e) : 0;
}

int
manage_roles_act(struct change *c, struct err *e)
{
	int result;

	if (places_again(c, e) < 0)
		return -1;
	result = look_again(c, e);
	if (result == 0)
		result = do_all(c, e);
	live_end(c->live);
	return result;
}

/* ---- verify ---- */

/* Is it as one item wants it: 1, 0, SEEN_HIDDEN or -1. */
static int
is_so(struct change *c, const struct json *v, struct err *e)
{
	struct json *m;
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/members/%" PRIu64,
	    change_id(c->plan, "guild"), change_id(v, "user"));
	if ((got = hindsight_get(c, path, &m, e)) == 1)
		got = has_role(m, change_id(v, "role")) ==
		      json_bool(v, "give", true);
	else if (got == 0)
		got = SEEN_HIDDEN; /* gone, and their roles with them */
	json_free(m);
	return got;
}

int
manage_roles_verify(struct change *c, struct err *e)
{
	const struct json *v = json_first(json_get(c->plan, "items"));
	size_t wanted = 0, done = 0, hidden = 0;
	int64_t n = 0;

	for (; v; v = json_next(v)) {
		int got;

		if (!change_may(c, ++n))
			continue;
		if ((got = is_so(c, v, e)) < 0)
			return -1;
		wanted++;
		done += got == 1;
		hidden += got == SEEN_HIDDEN;
	}
	buf_fmt(&c->seen, "%zu of %zu changes are made; ", done, wanted);
	return hindsight(c, wanted && done == wanted,
	    wanted && done == 0 && !hidden);
}
