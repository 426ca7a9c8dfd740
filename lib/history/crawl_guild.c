/* The structure of guilds, and what is to be fetched of them: history/crawl. */
#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/err.h"
#include "discord/community.h"
#include "discord/parts.h"
#include "ext/json.h"
#include "history/crawl_inside.h"
#include "history/roster.h"
#include "history/watch.h"
#include "store/meta.h"
#include "store/roll.h"

enum { WISHES_MOST = 10000 };

void
crawl_guild_ask(struct crawl_job *j)
{
	switch (j->step) {
	case JOB_ME: snprintf(j->path, sizeof(j->path), "/users/@me"); break;
	case JOB_GUILD:
		snprintf(j->path, sizeof(j->path), "/guilds/%" PRIu64,
		    j->guild);
		break;
	case JOB_MEMBER:
		snprintf(j->path, sizeof(j->path),
		    "/guilds/%" PRIu64 "/members/%" PRIu64, j->guild,
		    j->crawl->in.bot);
		break;
	case JOB_CHANNELS:
		snprintf(j->path, sizeof(j->path),
		    "/guilds/%" PRIu64 "/channels", j->guild);
		break;
	case JOB_ACTIVE:
		snprintf(j->path, sizeof(j->path),
		    "/guilds/%" PRIu64 "/threads/active", j->guild);
		break;
	default:
		snprintf(j->path, sizeof(j->path), "/channels/%" PRIu64,
		    j->channel);
		break;
	}
}

static int
take_me(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct ingest *in = &j->crawl->in;

	in->bot = parts_id(v, "id", NULL);
	if (!in->bot)
		return err_set(e, ERR_INPUT, "/users/@me names nobody");
	for (size_t i = 0; i < in->guild_count; i++)
		crawl_push(j->crawl, JOB_GUILD, in->guilds[i], 0);
	j->step = JOB_OVER;
	return meta_set_int(in->db, "bot", (int64_t)in->bot, e);
}

/* Threads in which Sophia is a member are told beside the list. */
static int
take_membership(struct ingest *in, const struct json *list, struct err *e)
{
	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (roll_thread_member(&in->roll, parts_id(v, "id", NULL),
			in->bot, true, e) < 0)
			return -1;
	return 0;
}

static int
take_active(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct ingest *in = &j->crawl->in;

	j->step = JOB_OVER;
	if (roster_channels(in, j->guild, json_get(v, "threads"), e) < 0 ||
	    take_membership(in, json_get(v, "members"), e) < 0 ||
	    roll_absent(&in->roll, j->guild, j->list_ms, e) < 0)
		return -1;
	return watch_guild(in, j->guild, e);
}

/* A thread that no list told of, named by a person. */
static int
take_look(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct ingest *in = &j->crawl->in;
	struct channel_facts c;

	j->guild = parts_id(v, "guild_id", NULL);
	if (!ingest_wants(in, j->guild))
		return err_set(e, ERR_INPUT,
		    "channel %" PRIu64 " is not in a guild of discord.guilds",
		    j->channel);
	if (roster_channel(in, j->guild, v, &c, e) < 0)
		return -1;
	return crawl_channel_start(j, e) < 0 ? -1 : 0;
}

int
crawl_guild_take(struct crawl_job *j, const struct json *v, struct err *e)
{
	struct ingest *in = &j->crawl->in;

	switch (j->step) {
	case JOB_ME: return take_me(j, v, e);
	case JOB_GUILD:
		j->step = JOB_MEMBER;
		return roster_guild(in, v, e) < 0
			   ? -1
			   : roster_roles(in, j->guild, v, e);
	case JOB_MEMBER:
		j->step = JOB_CHANNELS;
		return roster_member(in, j->guild, v, e);
	case JOB_CHANNELS:
		j->step = JOB_ACTIVE;
		j->list_ms = j->asked_ms;
		return roster_channels(in, j->guild, v, e);
	case JOB_ACTIVE: return take_active(j, v, e);
	default: return take_look(j, v, e);
	}
}

/* A job for each channel that a statement finds. */
static int
plan_each(struct crawl *c, const char *sql, uint64_t guild, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, c->in.db, sql);
	stmt_int(&s, 1, (int64_t)guild);
	while ((row = stmt_next(&s, e)) > 0) {
		struct crawl_job *j = crawl_push(c, JOB_LOOK, guild,
		    (uint64_t)row_int(&s, 0));

		j->floor = c->since;
		j->threads = c->scope == CRAWL_ALL;
	}
	stmt_end(&s);
	return row;
}

static int
plan_guilds(struct crawl *c, struct err *e)
{
	/* One that is no longer listed is looked up: it may be deleted. */
	static const char
	    all[] = "SELECT id FROM channel WHERE guild = ?1"
		    " AND (as_of_ms IS NOT NULL OR forbidden IS NOT NULL)"
		    " AND kind NOT IN (4, 14)"
		    " AND id NOT IN (SELECT id FROM tombstone_channel)"
		    " ORDER BY kind BETWEEN 10 AND 12, id";
	static const char recent[] =
	    "SELECT id FROM channel WHERE guild = ?1"
	    " AND (as_of_ms IS NOT NULL OR forbidden IS NOT NULL)"
	    " AND kind NOT IN (4, 14, 15, 16)"
	    " AND archived IS NOT 1"
	    " AND id NOT IN (SELECT id FROM tombstone_channel) ORDER BY id";

	for (size_t i = 0; i < c->in.guild_count; i++)
		if (plan_each(c, c->scope == CRAWL_ALL ? all : recent,
			c->in.guilds[i], e) < 0)
			return -1;
	return 0;
}

static int
plan_wishes(struct crawl *c, struct err *e)
{
	static struct wanted list[WISHES_MOST];
	int count = wanted_list(c->in.db, list, WISHES_MOST, e);

	for (int i = 0; i < count; i++) {
		struct crawl_job *j = crawl_push(c, JOB_LOOK, 0,
		    list[i].channel);

		j->floor = list[i].low > c->since ? list[i].low : c->since;
		j->threads = list[i].threads;
		j->wish = true;
	}
	return count < 0 ? -1 : 0;
}

int
crawl_plan(struct crawl *c, struct err *e)
{
	switch (c->scope) {
	case CRAWL_ALL:
	case CRAWL_RECENT: return plan_guilds(c, e);
	case CRAWL_QUEUE: return plan_wishes(c, e);
	case CRAWL_NAMED: return 0;
	}
	return 0;
}
