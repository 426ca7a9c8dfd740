#include "history/crawl.h"

#include <limits.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/home.h"
#include "core/mem.h"
#include "history/crawl_inside.h"
#include "history/follow.h"
#include "store/meta.h"

enum { TELL_MS = 200 };

static void
on_signal(void *ctx, int sig)
{
	struct crawl *c = ctx;

	(void)sig;
	c->stop = c->told_to_stop = true;
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

void
crawl_fill(struct crawl *c)
{
	while (c->waits && c->flights < CRAWL_FLIGHTS && !c->stop) {
		struct crawl_job *j = c->waits;

		c->waits = j->next;
		crawl_start(j);
	}
}

/* Step until no request is under way. */
static int
drain(struct crawl *c, struct err *e)
{
	int64_t tell_ms = clock_boot_ms() + TELL_MS;

	crawl_fill(c);
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
	if (crawl_begin(c, 0, clock_now_ms(), e) < 0 ||
	    meta_int(c->in.db, "sweep", 0, sweep, e) < 0 ||
	    crawl_commit(c, e) < 0)
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
	if (crawl_begin(c, 0, clock_now_ms(), e) < 0 ||
	    meta_set_int(c->in.db, "swept", sweep, e) < 0)
		return -1;
	return crawl_commit(c, e);
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
	if (c->told_to_stop)
		return err_set(e, ERR_AGAIN,
		    "it was stopped before all was fetched");
	if (c->left)
		return err_set(e, ERR_AGAIN,
		    "events were missed meanwhile: %lld channels were left for "
		    "the next time",
		    (long long)c->left);
	return c->scope == CRAWL_RECENT ? note_swept(c, sweep, e) : 0;
}
