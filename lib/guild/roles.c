#include "guild/roles.h"

#include <inttypes.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "guild/change.h"
#include "guild/live.h"
#include "guild/places.h"
#include "guild/power.h"
#include "guild/told.h"
#include "tool/serve.h"

int
roles_take(struct change *c, const struct json **role, struct err *e)
{
	const char *name = json_string(c->in, "role");

	if (!name)
		return err_set(e, ERR_INPUT, "role is missing");
	if (change_begin(c, 0, e) < 0 ||
	    live_name_role(c->live, name, role, e) < 0 ||
	    change_need_guild(c, PERMIT_MANAGE_ROLES, e) < 0)
		return -1;
	return power_above(c->live, *role, e);
}

void
roles_name(struct buf *b, const struct json *role)
{
	const char *name = json_string(role, "name");

	change_name(b, name && *name == '@' ? "" : "@", name,
	    parts_id(role, "id", NULL));
}

void
roles_plan(struct change *c, const struct json *role)
{
	jsonw_id(&c->p->plan, "guild", c->live->id);
	jsonw_id(&c->p->plan, "role", parts_id(role, "id", NULL));
	jsonw_str(&c->p->plan, "name", json_string(role, "name"));
}

void
roles_target(struct change *c, const struct json *role)
{
	change_target(c, PROPOSAL_ROLE, parts_id(role, "id", NULL),
	    json_string(role, "name"));
}

const struct json *
roles_find(const struct change *c, uint64_t id)
{
	const struct json *v = json_first(json_get(c->live->guild, "roles"));

	while (v && parts_id(v, "id", NULL) != id)
		v = json_next(v);
	return v;
}

int
roles_planned(struct change *c, const struct json **role, struct err *e)
{
	*role = roles_find(c, change_id(c->plan, "role"));
	return *role ? 0
		     : err_set(e, ERR_REFUSED, "the role isn't there any more");
}

int
roles_hand_again(struct change *c, bool give, struct err *e)
{
	const struct json *role;
	int result;

	if (places_again(c, e) < 0)
		return -1;
	result = roles_planned(c, &role, e);
	if (result == 0)
		result = power_hand(c->live, role, give, e);
	live_end(c->live);
	return result;
}

void
roles_told(struct change *c, const char *what, uint64_t id, const char *name)
{
	jsonw_object(&c->a->data, NULL);
	told_role(&c->a->data, "role", id, name);
	jsonw_end_object(&c->a->data);
	buf_fmt(&c->a->summary, "%s <@&%" PRIu64 ">, ", what, id);
	change_name(&c->a->summary, "@", name, id);
}
