#include "history/roster.h"

#include "core/err.h"
#include "discord/community.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "store/base.h"
#include "store/live.h"
#include "store/roll.h"

int
roster_guild(struct ingest *in, const struct json *v, struct err *e)
{
	struct guild_facts g;

	if (!community_guild(&g, v))
		return err_set(e, ERR_INPUT, "a guild without an id");
	return roll_guild(&in->roll, &g, in->live.shard, in->at_ms, e);
}

int
roster_roles(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct role_facts r;
	int told = 0;

	for (v = json_first(json_get(v, "roles")); v; v = json_next(v)) {
		if (!community_role(&r, guild, v))
			continue;
		if (roll_role(&in->roll, &r, in->at_ms, e) < 0)
			return -1;
		told++;
	}
	return told ? roll_roles_told(&in->roll, guild, in->at_ms, e) : 0;
}

int
roster_member(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct member_facts m;

	if (!community_member(&m, &in->lists, guild, v, NULL))
		return 0;
	return roll_member(&in->roll, &in->messages.authors, &m, in->at_ms, e);
}

int
roster_members(struct ingest *in, uint64_t guild, const struct json *list,
    struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (roster_member(in, guild, v, e) < 0)
			return -1;
	return 0;
}

int
roster_channel(struct ingest *in, uint64_t guild, const struct json *v,
    struct channel_facts *c, struct err *e)
{
	if (!community_channel(c, &in->lists, guild, v))
		return err_set(e, ERR_INPUT,
		    "a channel without an id or a type");
	return roll_channel(&in->roll, c, in->at_ms, e) < 0 ? -1 : 0;
}

int
roster_channels(struct ingest *in, uint64_t guild, const struct json *list,
    struct err *e)
{
	struct channel_facts c;

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		if (!community_channel(&c, &in->lists, guild, v))
			continue;
		if (roll_channel(&in->roll, &c, in->at_ms, e) < 0)
			return -1;
		if (json_get(v, "member") &&
		    roll_thread_member(&in->roll, c.id, in->bot, true, e) < 0)
			return -1;
	}
	return 0;
}

int
roster_channel_gone(struct ingest *in, uint64_t id, struct err *e)
{
	if (live_end(in->db, id, in->live.high, e) < 0 ||
	    roll_channel_gone(&in->roll, id, in->at_ms, e) < 0)
		return -1;
	return messages_delete_channel(&in->messages, id, in->at_ms, e);
}
