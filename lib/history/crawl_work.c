/* One job after the other, a request at a time: history/crawl. */
#include <inttypes.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/log.h"
#include "ext/json.h"
#include "history/crawl_inside.h"
#include "history/roster.h"
#include "store/coverage.h"
#include "store/live.h"

enum { NOT_THERE = 404, UNKNOWN_GUILD = 10004 };

static const char not_in[] =
    "Sophia is not in this server, or there is none of this id: invite her, or "
    "take it out of discord.guilds";

int
crawl_begin(struct crawl *c, uint64_t guild, int64_t at_ms, struct err *e)
{
	int shard;

	if (store_begin(&c->base, e) < 0)
		return -1;
	if (ingest_begin(&c->in, e) < 0 ||
	    live_shard_of(c->in.db, guild, &shard, e) < 0 ||
	    ingest_shard(&c->in, shard, e) < 0)
		return -1;
	c->in.at_ms = at_ms;
	return 0;
}

int
crawl_commit(struct crawl *c, struct err *e)
{
	if (ingest_end(&c->in, e) < 0)
		return -1;
	CRASH_POINT("crawl.commit");
	if (store_commit(&c->base, e) < 0)
		return -1;
	CRASH_POINT("crawl.commit.done");
	return 0;
}

/* What ends all of it: no more of our own store, or no token. */
static void
fail(struct crawl *c, const struct err *why)
{
	if (!c->why.kind)
		c->why = *why;
	c->stop = true;
}

/* The one that is kept is said by whoever hears that all of it failed. */
static void
keep_failure(struct crawl *c, const struct err *why)
{
	if (c->failure.kind)
		log_complain(&c->failure);
	c->failure = *why;
}

/* What ends a job: the rest goes on. */
static void
give_up(struct crawl_job *j, const struct err *why)
{
	struct err e = *why;

	j->step = JOB_OVER;
	j->crawl->failed++;
	if (j->channel)
		err_in(&e, "channel %" PRIu64, j->channel);
	else if (j->guild)
		err_in(&e, "guild %" PRIu64, j->guild);
	keep_failure(j->crawl, &e);
}

static void
take_error(struct crawl_job *j, const struct err *e)
{
	if (e->kind == ERR_INPUT)
		give_up(j, e);
	else
		fail(j->crawl, e);
}

static void
over(struct crawl_job *j)
{
	if (j->locked)
		ranges_drop(&j->crawl->locks, j->channel);
	j->locked = false;
	rest_release(&j->call);
	buf_release(&j->cursor);
}

static bool
is_channel(const struct crawl_job *j)
{
	return j->step >= JOB_LOOK;
}

/* Discord says no, and would again. */
static void
refused(struct crawl_job *j, const struct verdict *v)
{
	struct crawl *c = j->crawl;
	struct err e = {0};
	bool gone = j->call.status == NOT_THERE;

	if (!is_channel(j)) {
		err_set(&e, ERR_REFUSED, "%s",
		    j->guild && v->code == UNKNOWN_GUILD ? not_in : v->text);
		give_up(j, &e);
		return;
	}
	c->forbidden++;
	if (crawl_begin(c, j->guild, j->asked_ms, &e) < 0 ||
	    (gone && roster_channel_gone(&c->in, j->channel, &e) < 0) ||
	    (!gone && coverage_forbid(c->in.db, j->channel, v->text,
			  j->asked_ms, &e) < 0) ||
	    (j->wish &&
		wanted_done(c->in.db, j->channel, j->asked_ms, &e) < 0) ||
	    crawl_commit(c, &e) < 0)
		fail(c, &e);
	log_warn("channel %" PRIu64 ": %s", j->channel, v->text);
	j->step = JOB_OVER;
}

/* Put the answer, and find what to ask for next: 1, 0 or -1. */
static int
take_answer(struct crawl_job *j, const struct json *v, struct crawl_news *news,
    struct err *e)
{
	int more = 0;

	switch (j->step) {
	case JOB_LIST: return crawl_list_take(j, v, e);
	case JOB_PAGES:
		if (crawl_pages_doubt(j, v, &more, e))
			return more;
		if (crawl_pages_take(j, v, &news->sum, e) < 0)
			return -1;
		news->channel = j->channel;
		news->name = j->name;
		return crawl_pages_ask(j, e);
	case JOB_LOOK:
		if (crawl_guild_take(j, v, e) < 0)
			return -1;
		return j->step != JOB_OVER;
	default:
		if (crawl_guild_take(j, v, e) < 0)
			return -1;
		crawl_guild_ask(j);
		return j->step != JOB_OVER;
	}
}

/* In one turn; a bad answer leaves nothing. */
static void
answered(struct crawl_job *j)
{
	struct crawl *c = j->crawl;
	struct crawl_news news = {0};
	struct json *v = NULL;
	struct err e = {0};
	int more = -1;

	if (json_read(&v, buf_text(&j->call.reply), j->call.reply.len, &e) ==
		0 &&
	    crawl_begin(c, j->guild, j->asked_ms, &e) == 0)
		more = take_answer(j, v, &news, &e);
	json_free(v);
	if (more < 0) {
		store_rollback(&c->base);
		take_error(j, &e);
		return;
	}
	if (crawl_commit(c, &e) < 0) {
		fail(c, &e);
		return;
	}
	news.more = more > 0;
	if (!more)
		j->step = JOB_OVER;
	if (news.channel && c->told && c->told(c->ctx, &news, &e) < 0)
		fail(c, &e);
}

static void go(struct crawl_job *j);

static void
on_ended(void *ctx)
{
	struct crawl_job *j = ctx;
	struct crawl *c = j->crawl;
	const struct verdict *v = &j->call.verdict;
	struct err e = {0};

	c->flights--;
	c->requests++;
	if (j->call.end == REST_ANSWERED && v->kind == ERR_NONE)
		answered(j);
	else if (v->kind == ERR_REFUSED)
		refused(j, v);
	else {
		err_set(&e, v->kind, "%s", v->text);
		if (v->kind == ERR_CONFIG)
			fail(c, &e);
		else
			give_up(j, &e);
	}
	if (j->step == JOB_OVER || c->stop)
		over(j);
	else
		go(j);
	crawl_fill(c);
}

/* Send the request whose path is written. */
static void
go(struct crawl_job *j)
{
	struct crawl *c = j->crawl;
	struct err e = {0};

	rest_release(&j->call);
	j->asked_ms = clock_now_ms();
	j->call = (struct rest_call){.method = "GET",
	    .path = j->path,
	    .urgency = REST_BULK,
	    .ended = on_ended,
	    .ctx = j};
	if (rest_start(c->rest, &j->call, &e) < 0) {
		fail(c, &e);
		return;
	}
	c->flights++;
}

/* Begin with a channel: 1 if there is something to ask for, 0 or -1. */
static int
start_channel(struct crawl_job *j, struct err *e)
{
	struct crawl *c = j->crawl;
	int mine = ranges_take(&c->locks, j->channel, e), more;

	if (mine <= 0) {
		c->busy += mine == 0;
		return mine;
	}
	j->locked = true;
	if (crawl_begin(c, j->guild, j->asked_ms, e) < 0)
		return -1;
	more = crawl_channel_start(j, e);
	if (more < 0) {
		store_rollback(&c->base);
		return -1;
	}
	return crawl_commit(c, e) < 0 ? -1 : more;
}

void
crawl_start(struct crawl_job *j)
{
	struct err e = {0};
	int more = 1;

	if (is_channel(j))
		more = start_channel(j, &e);
	else
		crawl_guild_ask(j);
	if (more < 0)
		take_error(j, &e);
	if (more > 0)
		go(j);
	else
		over(j);
}
