/* The events about guilds, channels and threads, of history/ingest_event.h. */
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "discord/community.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "history/ingest.h"
#include "history/ingest_event.h"
#include "history/roster.h"
#include "history/watch.h"
#include "store/base.h"
#include "store/live.h"
#include "store/meta.h"
#include "store/roll.h"

int
ingest_guild_create(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	if (json_bool(v, "unavailable", false))
		return 0;
	/*
	 * It begins anew, perhaps in another shard than was thought; and what
	 * was looked through before is not up to here.
	 */
	if (live_end_guild(in->db, guild, in->live.high, e) < 0 ||
	    meta_raise(in->db, "sweep", in->at_ms, e) < 0)
		return -1;
	if (roster_guild(in, v, e) < 0 || roster_roles(in, guild, v, e) < 0 ||
	    roster_members(in, guild, json_get(v, "members"), e) < 0 ||
	    roster_channels(in, guild, json_get(v, "channels"), e) < 0 ||
	    roster_channels(in, guild, json_get(v, "threads"), e) < 0)
		return -1;
	if (json_get(v, "channels") &&
	    roll_absent(&in->roll, guild, in->at_ms, e) < 0)
		return -1;
	return watch_guild(in, guild, e);
}

int
ingest_guild_update(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	if (roster_guild(in, v, e) < 0 || roster_roles(in, guild, v, e) < 0)
		return -1;
	return watch_guild(in, guild, e);
}

/* Gone, or out of order for a while: either way nothing is told of it now. */
int
ingest_guild_delete(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	if (live_end_guild(in->db, guild, in->live.high, e) < 0)
		return -1;
	if (json_bool(v, "unavailable", false))
		return meta_raise(in->db, "sweep", in->at_ms, e);
	return roll_guild_gone(&in->roll, guild, in->at_ms, e);
}

/* What a new channel holds is all that will come of it. */
int
ingest_channel_create(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct channel_facts c;

	if (roster_channel(in, guild, v, &c, e) < 0)
		return -1;
	return watch_channel(in, c.id, c.id, e);
}

int
ingest_channel_update(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct channel_facts c;

	if (roster_channel(in, guild, v, &c, e) < 0 ||
	    watch_channel(in, c.id, 0, e) < 0)
		return -1;
	return watch_threads(in, c.id, e);
}

/* Its threads go with it: Discord doesn't tell of each. */
int
ingest_channel_delete(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	struct stmt s = {0};
	uint64_t id = parts_id(v, "id", NULL), thread;
	int row, result;

	(void)guild;
	if (!id)
		return err_set(e, ERR_INPUT, "no id");
	result = roster_channel_gone(in, id, e);
	do {
		stmt_start(&s, in->db,
		    "SELECT id FROM channel WHERE parent = ?1"
		    " AND type LIKE '%Thread'"
		    " AND id NOT IN (SELECT id FROM tombstone_channel)"
		    " LIMIT 1");
		stmt_int(&s, 1, (int64_t)id);
		row = result < 0 ? -1 : stmt_next(&s, e);
		thread = row > 0 ? (uint64_t)row_int(&s, 0) : 0;
		stmt_reset(&s);
		if (row > 0)
			result = roster_channel_gone(in, thread, e);
	} while (row > 0);
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

static int
take_thread(struct ingest *in, uint64_t guild, const struct json *v, bool fresh,
    struct err *e)
{
	const struct json *own = json_get(v, "member");
	struct channel_facts c;

	if (roster_channel(in, guild, v, &c, e) < 0)
		return -1;
	if (json_kind(own) == JSON_OBJECT &&
	    roll_thread_member(&in->roll, c.id, in->bot, true, e) < 0)
		return -1;
	return watch_channel(in, c.id, fresh ? c.id : 0, e);
}

int
ingest_thread_create(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	return take_thread(in, guild, v, json_bool(v, "newly_created", false),
	    e);
}

int
ingest_thread_update(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	return take_thread(in, guild, v, false, e);
}

int
ingest_thread_delete(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	uint64_t id = parts_id(v, "id", NULL);

	(void)guild;
	return id ? roster_channel_gone(in, id, e)
		  : err_set(e, ERR_INPUT, "no id");
}

/* Threads of these channels that aren't listed are not active, or hidden. */
static int
end_threads(struct ingest *in, uint64_t guild, const struct json *parents,
    struct err *e)
{
	uint64_t parent;

	if (json_kind(parents) != JSON_ARRAY)
		return live_end_threads(in->db, guild, 0, in->live.high, e);
	for (const struct json *p = json_first(parents); p; p = json_next(p)) {
		if (!json_text(p) || snowflake_read(&parent, json_text(p)) < 0)
			continue;
		if (live_end_threads(in->db, guild, parent, in->live.high, e) <
		    0)
			return -1;
	}
	return 0;
}

int
ingest_thread_list_sync(struct ingest *in, uint64_t guild, const struct json *v,
    struct err *e)
{
	const struct json *list = json_get(v, "members");

	if (end_threads(in, guild, json_get(v, "channel_ids"), e) < 0 ||
	    roster_channels(in, guild, json_get(v, "threads"), e) < 0)
		return -1;
	for (list = json_first(list); list; list = json_next(list))
		if (roll_thread_member(&in->roll, parts_id(list, "id", NULL),
			in->bot, true, e) < 0)
			return -1;
	list = json_first(json_get(v, "threads"));
	for (; list; list = json_next(list))
		if (watch_channel(in, parts_id(list, "id", NULL), 0, e) < 0)
			return -1;
	return 0;
}

int
ingest_thread_member_update(struct ingest *in, uint64_t guild,
    const struct json *v, struct err *e)
{
	uint64_t thread = parts_id(v, "id", NULL);

	(void)guild;
	if (roll_thread_member(&in->roll, thread, parts_id(v, "user_id", NULL),
		true, e) < 0)
		return -1;
	return watch_channel(in, thread, 0, e);
}

int
ingest_thread_members_update(struct ingest *in, uint64_t guild,
    const struct json *v, struct err *e)
{
	const struct json *list = json_first(json_get(v, "added_members"));
	uint64_t thread = parts_id(v, "id", NULL), user;

	(void)guild;
	for (; list; list = json_next(list)) {
		user = parts_id(list, "user_id", NULL);
		if (user &&
		    roll_thread_member(&in->roll, thread, user, true, e) < 0)
			return -1;
	}
	list = json_first(json_get(v, "removed_member_ids"));
	for (; list; list = json_next(list)) {
		if (!json_text(list) ||
		    snowflake_read(&user, json_text(list)) < 0)
			continue;
		if (roll_thread_member(&in->roll, thread, user, false, e) < 0)
			return -1;
	}
	return watch_channel(in, thread, 0, e);
}
