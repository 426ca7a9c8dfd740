#include "history/crawl.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/home.h"
#include "core/log.h"
#include "core/mem.h"
#include "ext/json.h"
#include "history/crawl_inside.h"
#include "history/follow.h"
#include "history/roster.h"
#include "store/coverage.h"
#include "store/live.h"
#include "store/meta.h"

enum { TELL_MS = 200, NOT_THERE = 404 };

static void go(struct crawl_job *j);
static void fill(struct crawl *c);

static void
on_signal(void *ctx, int sig)
{
	struct crawl *c = ctx;

	(void)sig;
	c->stop = true;
	signals_stop(&c->signals);
}

static int
open_all(struct crawl *c, struct err *e)
{
	char path[PATH_MAX];
	int stale, live;

	if (store_open(&c->base, "messages", STORE_WRITE, e) < 0 ||
	    home_path(path, "run/crawl", e) < 0 ||
	    ranges_open(&c->locks, path, e) < 0)
		return -1;
	stale = ingest_open(&c->in, &c->base, e);
	if (stale > 0)
		return err_set(e, ERR_CONFIG,
		    "the index was made by another version of the text "
		    "analysis: sophia index rebuild");
	live = follow_runs(e);
	c->live = live > 0;
	if (stale < 0 || live < 0 || rest_open(&c->rest, &c->poll, e) < 0)
		return -1;
	return signals_start(&c->signals, &c->poll, e);
}

int
crawl_open(struct crawl *c, struct err *e)
{
	*c = (struct crawl){.started_ms = clock_boot_ms()};
	c->last = &c->jobs;
	c->signals = (struct signals){.got = on_signal, .ctx = c};
	return open_all(c, e);
}

void
crawl_close(struct crawl *c)
{
	signals_stop(&c->signals);
	for (struct crawl_job *j = c->jobs, *next; j; j = next) {
		next = j->next;
		rest_stop(&j->call);
		rest_release(&j->call);
		buf_release(&j->cursor);
		free(j);
	}
	c->jobs = c->waits = NULL;
	free(c->named);
	c->named = NULL;
	c->named_count = 0;
	rest_close(c->rest);
	c->rest = NULL;
	ingest_close(&c->in);
	ranges_close(&c->locks);
	store_close(&c->base);
	poll_release(&c->poll);
}

struct crawl_job *
crawl_push(struct crawl *c, enum job_step step, uint64_t guild,
    uint64_t channel)
{
	struct crawl_job *j = mem_new(sizeof(*j));

	*j = (struct crawl_job){.crawl = c,
	    .step = step,
	    .guild = guild,
	    .channel = channel,
	    .asked_ms = clock_now_ms()};
	*c->last = j;
	c->last = &j->next;
	if (!c->waits)
		c->waits = j;
	return j;
}

/* A turn of the index, about a guild, as of when something was asked. */
static int
begin(struct crawl *c, uint64_t guild, int64_t at_ms, struct err *e)
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

static int
commit(struct crawl *c, struct err *e)
{
	if (ingest_end(&c->in, e) < 0)
		return -1;
	return store_commit(&c->base, e);
}

/* What ends all of it: no more of our own store, or no token. */
static void
fail(struct crawl *c, const struct err *why)
{
	if (!c->why.kind)
		c->why = *why;
	c->stop = true;
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
	log_complain(&e);
	j->crawl->failure = e;
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
		err_set(&e, ERR_REFUSED, "%s", v->text);
		give_up(j, &e);
		return;
	}
	c->forbidden++;
	if (begin(c, j->guild, j->asked_ms, &e) < 0 ||
	    (gone && roster_channel_gone(&c->in, j->channel, &e) < 0) ||
	    (!gone && coverage_forbid(c->in.db, j->channel, v->text,
			  j->asked_ms, &e) < 0) ||
	    (j->wish &&
		wanted_done(c->in.db, j->channel, j->asked_ms, &e) < 0) ||
	    commit(c, &e) < 0)
		fail(c, &e);
	log_warn("channel %" PRIu64 ": %s", j->channel, v->text);
	j->step = JOB_OVER;
}

/* Put the answer, and find what to ask for next: 1, 0 or -1. */
static int
take_answer(struct crawl_job *j, const struct json *v, struct crawl_news *news,
    struct err *e)
{
	switch (j->step) {
	case JOB_LIST: return crawl_list_take(j, v, e);
	case JOB_PAGES:
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
	    begin(c, j->guild, j->asked_ms, &e) == 0)
		more = take_answer(j, v, &news, &e);
	json_free(v);
	if (more < 0) {
		store_rollback(&c->base);
		take_error(j, &e);
		return;
	}
	if (commit(c, &e) < 0) {
		fail(c, &e);
		return;
	}
	news.more = more > 0;
	if (!more)
		j->step = JOB_OVER;
	if (news.channel && c->told && c->told(c->ctx, &news, &e) < 0)
		fail(c, &e);
}

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
	fill(c);
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
	if (begin(c, j->guild, j->asked_ms, e) < 0)
		return -1;
	more = crawl_channel_start(j, e);
	if (more < 0) {
		store_rollback(&c->base);
		return -1;
	}
	return commit(c, e) < 0 ? -1 : more;
}

static void
start(struct crawl_job *j)
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

static void
fill(struct crawl *c)
{
	while (c->waits && c->flights < CRAWL_FLIGHTS && !c->stop) {
		struct crawl_job *j = c->waits;

		c->waits = j->next;
		start(j);
	}
}

/* Step until no request is under way. */
static int
drain(struct crawl *c, struct err *e)
{
	int64_t tell_ms = clock_boot_ms() + TELL_MS;

	fill(c);
	while (c->flights > 0 && !c->stop) {
		if (rest_step(c->rest, tell_ms, e) < 0)
			return -1;
		if (clock_boot_ms() < tell_ms)
			continue;
		tell_ms = clock_boot_ms() + TELL_MS;
		if (c->told && c->told(c->ctx, NULL, e) < 0)
			return -1;
	}
	*e = c->why;
	return c->why.kind ? -1 : 0;
}

void
crawl_add(struct crawl *c, uint64_t channel)
{
	c->named = mem_resize(c->named, c->named_count + 1, sizeof(*c->named));
	c->named[c->named_count++] = channel;
}

/* Who Sophia is, and the structure of every guild. */
static int
learn_guilds(struct crawl *c, int64_t *sweep, struct err *e)
{
	crawl_push(c, JOB_ME, 0, 0);
	if (begin(c, 0, clock_now_ms(), e) < 0 ||
	    meta_int(c->in.db, "sweep", 0, sweep, e) < 0 || commit(c, e) < 0)
		return -1;
	if (!c->in.guild_count)
		return err_set(e, ERR_CONFIG,
		    "no guild is enabled: sophia settings set discord.guilds "
		    "ID");
	return drain(c, e);
}

static int
plan(struct crawl *c, struct err *e)
{
	for (size_t i = 0; i < c->named_count; i++) {
		struct crawl_job *j = crawl_push(c, JOB_LOOK, 0, c->named[i]);

		j->threads = true;
		j->floor = c->since;
	}
	return crawl_plan(c, e);
}

/* What was missed until the sweep began is fetched. */
static int
note_swept(struct crawl *c, int64_t sweep, struct err *e)
{
	if (begin(c, 0, clock_now_ms(), e) < 0 ||
	    meta_set_int(c->in.db, "swept", sweep, e) < 0)
		return -1;
	return commit(c, e);
}

int
crawl_run(struct crawl *c, struct err *e)
{
	int64_t sweep = 0;

	if (learn_guilds(c, &sweep, e) < 0 || plan(c, e) < 0 || drain(c, e) < 0)
		return -1;
	if (c->failure.kind) {
		*e = c->failure;
		return -1;
	}
	if (c->scope == CRAWL_RECENT && !c->stop)
		return note_swept(c, sweep, e);
	return 0;
}
