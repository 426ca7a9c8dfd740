/* The events about roles and members, of history/ingest_event.h. */
#include "core/err.h"
#include "discord/community.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "history/ingest_event.h"
#include "history/roster.h"
#include "history/watch.h"
#include "store/base.h"
#include "store/live.h"
#include "store/roll.h"

int
ingest_role_put(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct role_facts r;

	if (!community_role(&r, guild, json_get(v, "role")))
		return err_set(e, ERR_INPUT, "a role without an id");
	if (roll_role(&in->roll, &r, in->at_ms, e) < 0)
		return -1;
	return watch_guild(in, guild, e);
}

int
ingest_role_delete(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	uint64_t id = parts_id(v, "role_id", NULL);

	if (!id)
		return err_set(e, ERR_INPUT, "no role_id");
	if (roll_role_gone(&in->roll, id, e) < 0)
		return -1;
	return watch_guild(in, guild, e);
}

int
ingest_member_put(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	if (roster_member(in, guild, v, e) < 0)
		return -1;
	return parts_id(json_get(v, "user"), "id", NULL) == in->bot
		   ? watch_guild(in, guild, e)
		   : 0;
}

/* Who uses a command tells of their roles, as who writes a message does. */
int
ingest_interaction(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	const struct json *member = json_get(v, "member");

	return json_kind(member) == JSON_OBJECT
		   ? roster_member(in, guild, member, e)
		   : 0;
}

int
ingest_member_remove(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	uint64_t user = parts_id(json_get(v, "user"), "id", NULL);

	if (!user)
		return err_set(e, ERR_INPUT, "no user");
	return roll_member_gone(&in->roll, guild, user, in->at_ms, e);
}

int
ingest_members_chunk(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	return roster_members(in, guild, json_get(v, "members"), e);
}
