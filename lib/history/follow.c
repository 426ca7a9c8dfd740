#include "history/follow.h"

#include <limits.h>
#include <stdlib.h>

#include "core/clock.h"
#include "core/home.h"
#include "core/log.h"
#include "core/mem.h"
#include "core/reader.h"
#include "history/follow_turn.h"
#include "record/event.h"
#include "store/spool_reader.h"
#include "store/spool_state.h"

enum { SHARDS_MOST = 1024, LOOK_MS = 5000 /* for new shards, and old work */ };

struct follow_shard {
	int shard;
	struct spool_reader reader;
	struct poll_fd watch;
	int64_t reached, passed; /* event numbers; committed up to passed */
	bool ready;              /* there may be more to read */
};

static int
take_lock(struct lock *l, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, "run/index.follow", e) < 0)
		return -1;
	return lock_take(l, path, LOCK_EXCLUSIVE, 0, e);
}

int
follow_runs(struct err *e)
{
	struct lock l = {0};
	struct err why = {0};
	int free_now = take_lock(&l, &why) == 0;

	lock_drop(&l);
	if (!free_now && why.kind != ERR_AGAIN) {
		*e = why;
		return -1;
	}
	return !free_now;
}

static void
on_signal(void *ctx, int sig)
{
	struct follow *f = ctx;

	(void)sig;
	f->stop = true;
	signals_stop(&f->signals);
}

int
follow_open(struct follow *f, struct err *e)
{
	/* What is passed in the spool may go: its effects must be synced. */
	static const char durable[] = "PRAGMA wal_autocheckpoint = 0;"
				      "PRAGMA synchronous = FULL";
	int stale;

	*f = (struct follow){0};
	f->shards = mem_array(SHARDS_MOST, sizeof(*f->shards));
	f->signals = (struct signals){.got = on_signal, .ctx = f};
	if (take_lock(&f->alone, e) < 0)
		return err_in(e, "another one follows the index");
	if (store_open(&f->base, "messages", STORE_WRITE, e) < 0 ||
	    db_exec(&f->base.db, durable, e) < 0)
		return -1;
	stale = ingest_open(&f->in, &f->base, e);
	if (stale > 0)
		return err_set(e, ERR_CONFIG,
		    "the index was made by another version of the text "
		    "analysis: sophia index rebuild");
	return stale < 0 ? -1 : signals_start(&f->signals, &f->poll, e);
}

void
follow_close(struct follow *f)
{
	signals_stop(&f->signals);
	poll_stop_timer(&f->look);
	for (int i = 0; i < f->shard_count; i++) {
		poll_remove(&f->shards[i].watch);
		spool_reader_close(&f->shards[i].reader);
	}
	free(f->shards);
	f->shards = NULL;
	f->shard_count = 0;
	ingest_close(&f->in);
	purge_close(&f->purge);
	store_close(&f->base);
	lock_drop(&f->alone);
	poll_release(&f->poll);
}

static void
on_wake(void *ctx, short revents)
{
	struct follow_shard *s = ctx;

	(void)revents;
	s->ready = true;
}

static int
open_shard(struct follow *f, int shard, struct err *e)
{
	struct follow_shard *s = &f->shards[f->shard_count];
	struct live live;

	if (live_load(&f->base.db, shard, &live, e) < 0 ||
	    spool_reader_open(&s->reader, shard, "index", live.number, e) < 0)
		return -1;
	s->shard = shard;
	s->ready = true;
	s->reached = s->passed = live.number;
	s->watch = (struct poll_fd){.fd = s->reader.wake,
	    .events = POLLIN,
	    .ready = on_wake,
	    .ctx = s};
	poll_add(&f->poll, &s->watch);
	f->shard_count++;
	return 0;
}

static bool
is_open(const struct follow *f, int shard)
{
	for (int i = 0; i < f->shard_count; i++)
		if (f->shards[i].shard == shard)
			return true;
	return false;
}

/* Those there are; shard 0 always, so that its gateway finds a reader. */
static int
open_shards(struct follow *f, struct err *e)
{
	int *shards = NULL, count = spool_shards(&shards, e);
	int result = count < 0 ? -1 : 0;

	if (result == 0 && !count && !is_open(f, 0))
		result = open_shard(f, 0, e);
	for (int i = 0; i < count && result == 0; i++)
		if (!is_open(f, shards[i]) && f->shard_count < SHARDS_MOST)
			result = open_shard(f, shards[i], e);
	free(shards);
	return result;
}

/* Commit, and only then let the writers throw away what was read. */
static int
commit(struct follow *f, struct err *e)
{
	if (follow_commit(f, e) < 0)
		return -1;
	for (int i = 0; i < f->shard_count; i++) {
		struct follow_shard *s = &f->shards[i];

		if (s->passed == s->reached)
			continue;
		if (spool_reader_passed(&s->reader, s->reached, e) < 0)
			return -1;
		s->passed = s->reached;
	}
	return 0;
}

static int
take(struct follow *f, struct follow_shard *s, int item, struct err *e)
{
	if (item == SPOOL_GAP)
		return follow_gap(f, s->shard, s->reader.position, e);
	return follow_event(f, s->shard, &s->reader.event, e);
}

/* Read on in one shard until the turn is over, or there is no more: 0 or -1. */
static int
read_shard(struct follow *f, struct follow_shard *s, struct err *e)
{
	while (s->ready && !follow_turn_over(f)) {
		int got = spool_reader_next(&s->reader, e);

		if (got < 0 || (got > 0 && take(f, s, got, e) < 0))
			return -1;
		s->ready = got != SPOOL_NONE;
		s->reached = s->reader.position;
	}
	return 0;
}

/* 1 if there was something to read. */
static int
read_all(struct follow *f, struct err *e)
{
	bool any = false;

	for (int i = 0; i < f->shard_count; i++) {
		any |= f->shards[i].ready;
		if (read_shard(f, &f->shards[i], e) < 0)
			return -1;
	}
	return commit(f, e) < 0 ? -1 : any;
}

static void
on_look(void *ctx)
{
	struct follow *f = ctx;

	if (open_shards(f, &f->why) < 0)
		f->failed = f->stop = true;
	poll_set_timer(&f->poll, &f->look, clock_boot_ms() + LOOK_MS);
}

/* What there is to do now: 1 if there may be more at once, 0, or -1. */
static int
work(struct follow *f, struct err *e)
{
	int more = read_all(f, e);

	return more ? more : follow_idle(f, e);
}

int
follow_run(struct follow *f, bool once, struct err *e)
{
	int more = 1;

	if (open_shards(f, e) < 0)
		return -1;
	f->look = (struct poll_timer){.fire = on_look, .ctx = f};
	poll_set_timer(&f->poll, &f->look, clock_boot_ms() + LOOK_MS);
	while (!f->stop && (more || !once)) {
		more = work(f, e);
		if (more < 0)
			return -1;
		if (poll_step(&f->poll, more || once ? 0 : POLL_NEVER, e) < 0)
			return -1;
	}
	if (f->failed)
		*e = f->why;
	return f->failed ? -1 : 0;
}

static void
fail(struct follow *f, const struct err *why)
{
	if (!f->failed)
		f->why = *why;
	f->failed = f->stop = true;
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct follow *f = ctx;
	struct event x;
	struct err e = {0};

	if (bad || event_read(&x, text, len, &e) < 0) {
		f->bad++;
		log_complain(bad ? bad : &e);
		return;
	}
	x.number = 0; /* it counts in another spool */
	if (follow_event(f, x.shard, &x, &e) < 0 ||
	    (follow_turn_over(f) && follow_commit(f, &e) < 0))
		fail(f, &e);
}

static void
on_end(void *ctx, const struct err *why)
{
	struct follow *f = ctx;

	if (why)
		fail(f, why);
	f->stop = true;
}

int
follow_pipe(struct follow *f, int fd, struct err *e)
{
	struct reader r = {.limit = LINE_CEILING_EVENT,
	    .line = on_line,
	    .ended = on_end,
	    .ctx = f};
	int result = 0;

	reader_start(&r, &f->poll, fd);
	while (!f->stop && result == 0) {
		result = poll_step(&f->poll, POLL_NEVER, e);
		if (result == 0 && !f->failed)
			result = follow_commit(f, e);
	}
	reader_stop(&r);
	while (result == 0 && !f->failed && (result = follow_idle(f, e)) > 0)
		result = 0;
	if (f->failed)
		*e = f->why;
	return f->failed || result < 0 ? -1 : 0;
}
