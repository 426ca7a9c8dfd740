/* create_role, edit_role, edit_role_permissions, delete_role */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/changes.h"
#include "guild/describe.h"
#include "guild/hindsight.h"
#include "guild/live.h"
#include "guild/places.h"
#include "guild/power.h"
#include "guild/roles.h"
#include "guild/told.h"
#include "guild/traits.h"
#include "record/community.h"
#include "tool/serve.h"

enum { PATH = 96 };

static void
bits_text(char out[32], uint64_t bits)
{
	snprintf(out, 32, "\"%" PRIu64 "\"", bits);
}

/* Send the plan's body there; the role that comes back, and what to say. */
static int
send_role(struct change *c, const char *method, const char *path,
    const char *what, struct err *e)
{
	struct buf body = {0};
	const struct change_request r = {method, path, &body, false, NULL};
	struct json *now = NULL;
	uint64_t id;
	int result;

	jsonw_value(&body, NULL, json_get(c->plan, "body"));
	result = change_send(c, &r, &now, e);
	buf_release(&body);
	id = change_id(now, "id");
	if (result == 0 && !id && !(id = change_id(c->plan, "role")))
		result = err_set(e, ERR_UNKNOWN,
		    "Discord's answer names no role");
	if (result == 0)
		roles_told(c, what, id,
		    now ? json_string(now, "name")
			: json_string(c->plan, "name"));
	json_free(now);
	return result;
}

static void
role_path(const struct change *c, char path[PATH])
{
	snprintf(path, PATH, "/guilds/%" PRIu64 "/roles/%" PRIu64,
	    change_id(c->plan, "guild"), change_id(c->plan, "role"));
}

/* ---- create_role ---- */

static int
take_new(struct change *c, struct traits *t, struct err *e)
{
	uint64_t bits;
	char text[32];

	if (!json_get(c->in, "name"))
		return err_set(e, ERR_INPUT, "name is missing");
	if (power_read(&bits, json_get(c->in, "permissions"), e) < 0 ||
	    power_grant(c->live, bits, e) < 0 || traits_role(t, c, NULL, e) < 0)
		return -1;
	bits_text(text, bits);
	traits_add(t, "permissions", text, NULL); /* else @everyone's */
	buf_str(&t->text, "\npermissions: ");
	power_names(&t->text, bits);
	return 0;
}

int
create_role_check(struct change *c, struct err *e)
{
	struct traits t;
	int result;

	if (change_begin(c, 0, e) < 0 ||
	    change_need_guild(c, PERMIT_MANAGE_ROLES, e) < 0)
		return -1;
	if (json_count(json_get(c->live->guild, "roles")) >= GUILD_ROLES_MOST)
		return err_set(e, ERR_REFUSED,
		    "the server is full: it has %d roles", GUILD_ROLES_MOST);
	traits_start(&t);
	result = take_new(c, &t, e);
	if (result == 0)
		result = places_for_all(c, e);
	jsonw_id(&c->p->plan, "guild", c->live->id);
	traits_plan(&t, c);
	buf_fmt(&c->p->text, "make a role:%s", buf_text(&t.text));
	traits_release(&t);
	return result;
}

/* The same bounds, as they are now. */
static int
again_new(struct change *c, struct err *e)
{
	uint64_t bits = describe_bits(json_get(c->plan, "body"), "permissions");
	int result;

	if (!bits)
		return 0;
	if (places_again(c, e) < 0)
		return -1;
	result = power_grant(c->live, bits, e);
	live_end(c->live);
	return result;
}

int
create_role_act(struct change *c, struct err *e)
{
	char path[PATH];

	if (again_new(c, e) < 0)
		return -1;
	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/roles",
	    change_id(c->plan, "guild"));
	return send_role(c, "POST", path, "made the role", e);
}

int
create_role_verify(struct change *c, struct err *e)
{
	return hindsight_made(c, MADE_ROLE, e);
}

/* ---- edit_role ---- */

int
edit_role_check(struct change *c, struct err *e)
{
	const struct json *role;
	struct traits t;
	int result = -1;

	if (roles_take(c, &role, e) < 0)
		return -1;
	if (parts_id(role, "id", NULL) == c->live->id)
		return err_set(e, ERR_REFUSED,
		    "@everyone has nothing but permissions");
	traits_start(&t);
	if (traits_role(&t, c, role, e) < 0)
		goto out;
	if (!t.count) {
		err_set(e, ERR_INPUT, "nothing of the role would change");
		goto out;
	}
	roles_plan(c, role);
	traits_plan(&t, c);
	buf_str(&c->p->text, "change the role ");
	roles_name(&c->p->text, role);
	buf_str(&c->p->text, buf_text(&t.text));
	roles_target(c, role);
	result = json_get(c->in, "name") ? places_for_all(c, e) : 0;
out:
	traits_release(&t);
	return result;
}

int
edit_role_act(struct change *c, struct err *e)
{
	char path[PATH];

	role_path(c, path);
	return send_role(c, "PATCH", path, "changed the role", e);
}

/* ---- edit_role_permissions ---- */

static int
take_permissions(struct change *c, const struct json *role, uint64_t *to,
    struct err *e)
{
	uint64_t now = describe_bits(role, "permissions"), add, remove;

	if (power_read(&add, json_get(c->in, "add"), e) < 0 ||
	    power_read(&remove, json_get(c->in, "remove"), e) < 0)
		return -1;
	if (add & remove)
		return err_set(e, ERR_INPUT,
		    "a permission is added or removed, not both");
	*to = (now | add) & ~remove;
	if (*to == now)
		return err_set(e, ERR_INPUT,
		    "nothing of the role would change");
	return power_grant(c->live, *to & ~now, e);
}

static void
say_permissions(struct change *c, const struct json *role, uint64_t to)
{
	uint64_t now = describe_bits(role, "permissions");
	struct buf *b = &c->p->text;

	buf_str(b, "change the permissions of ");
	roles_name(b, role);
	if (to & ~now) {
		buf_str(b, "\nadd: ");
		power_names(b, to & ~now);
	}
	if (now & ~to) {
		buf_str(b, "\nremove: ");
		power_names(b, now & ~to);
	}
	buf_str(b, "\nthen it has: ");
	power_names(b, to);
}

int
edit_role_permissions_check(struct change *c, struct err *e)
{
	const struct json *role;
	struct traits t;
	char from[32], now[32];
	uint64_t to = 0;

	if (roles_take(c, &role, e) < 0 ||
	    take_permissions(c, role, &to, e) < 0)
		return -1;
	traits_start(&t);
	bits_text(now, to);
	bits_text(from, describe_bits(role, "permissions"));
	traits_add(&t, "permissions", now, from);
	roles_plan(c, role);
	traits_plan(&t, c);
	traits_release(&t);
	say_permissions(c, role, to);
	roles_target(c, role);
	return 0;
}

/* As it was proposed, still; and the bounds, as they are now. */
static int
again_permissions(struct change *c, struct err *e)
{
	uint64_t from = describe_bits(json_get(c->plan, "from"), "permissions");
	uint64_t to = describe_bits(json_get(c->plan, "body"), "permissions");
	const struct json *role;
	int result = -1;

	if (places_again(c, e) < 0)
		return -1;
	if (roles_planned(c, &role, e) == 0) {
		if (describe_bits(role, "permissions") != from)
			err_set(e, ERR_REFUSED,
			    "the role has been changed since it was proposed");
		else
			result = power_grant(c->live, to & ~from, e);
	}
	live_end(c->live);
	return result;
}

int
edit_role_permissions_act(struct change *c, struct err *e)
{
	char path[PATH];

	if (again_permissions(c, e) < 0)
		return -1;
	role_path(c, path);
	return send_role(c, "PATCH", path, "changed the permissions of", e);
}

/* ---- delete_role ---- */

int
delete_role_check(struct change *c, struct err *e)
{
	const struct json *role;

	if (roles_take(c, &role, e) < 0 ||
	    power_hand(c->live, role, false, e) < 0)
		return -1;
	roles_plan(c, role);
	buf_str(&c->p->text, "delete the role ");
	roles_name(&c->p->text, role);
	buf_str(&c->p->text, ", for everybody who has it and in every channel");
	roles_target(c, role);
	return 0;
}

int
delete_role_act(struct change *c, struct err *e)
{
	char path[PATH];
	const struct change_request r = {"DELETE", path, NULL, true, NULL};

	if (roles_hand_again(c, false, e) < 0)
		return -1;
	role_path(c, path);
	if (change_send(c, &r, NULL, e) < 0)
		return -1;
	roles_told(c, "deleted the role", change_id(c->plan, "role"),
	    json_string(c->plan, "name"));
	return 0;
}

/* ---- verify ---- */

/* The role as it is: 1 and *role in *list, 0 if it is gone; SEEN_HIDDEN; -1. */
static int
find_now(struct change *c, struct json **list, const struct json **role,
    struct err *e)
{
	char path[PATH];
	int got;

	snprintf(path, sizeof(path), "/guilds/%" PRIu64 "/roles",
	    change_id(c->plan, "guild"));
	if ((got = hindsight_get(c, path, list, e)) != 1)
		return got == 0 ? SEEN_HIDDEN : got; /* no such server */
	*role = json_first(*list);
	while (*role && change_id(*role, "id") != change_id(c->plan, "role"))
		*role = json_next(*role);
	return *role != NULL;
}

int
edit_role_verify(struct change *c, struct err *e)
{
	const struct json *role;
	struct json *list = NULL;
	int got = find_now(c, &list, &role, e);

	if (got == 1)
		got = traits_seen(c, role);
	else if (got == 0)
		buf_str(&c->seen, "the role isn't there any more");
	json_free(list);
	return got == SEEN_HIDDEN ? SEEN_NOTHING : got;
}

int
delete_role_verify(struct change *c, struct err *e)
{
	const struct json *role;
	struct json *list = NULL;
	int got = find_now(c, &list, &role, e);

	json_free(list);
	if (got < 0 || got == SEEN_HIDDEN)
		return got < 0 ? -1 : SEEN_NOTHING;
	return hindsight(c, got == 0, got == 1);
}
