#include "converse/converse.h"

#include <stdlib.h>

#include "access/admission.h"
#include "access/operator.h"
#include "converse/hold.h"
#include "converse/self.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/log.h"
#include "core/mem.h"
#include "deliver/showing.h"
#include "discord/rest.h"
#include "store/inbox.h"
#include "store/recovery.h"

enum {
	HOLD_MS = 30 * 1000, /* late requests wait as long, at most */
	END_MS = 5000,       /* for the turns at work to pause */
};

void
converse_fail(struct converse *c, const struct err *why)
{
	if (!c->fault.kind)
		c->fault = *why;
}

static void
on_signal(void *ctx, int sig)
{
	struct converse *c = ctx;

	(void)sig;
	c->ending = true;
	jobs_kill(&c->jobs);
}

static bool
is_welcome(void *ctx, const struct turn *t)
{
	struct converse *c = ctx;
	const struct applicant who = {
	    .user = t->actor.id,
	    .guild = t->location.guild,
	    .before = true,
	};

	return admission_allows(terms_now(&c->terms), &who);
}

/* Show how a turn goes, from when it is on the disk. */
static void
on_heard(void *ctx, struct job *j, const struct client_event *x)
{
	struct converse *c = ctx;

	if (x->kind == CLIENT_TASK && !j->shown)
		j->shown = showing_start(&c->deliver, j->turn.id);
	else if (x->kind == CLIENT_PROGRESS || x->kind == CLIENT_CALL)
		showing_note(j->shown, x->text);
	else if (x->kind == CLIENT_ANSWER)
		deliver_again(&c->deliver);
	else if (x->kind == CLIENT_APPROVAL || x->kind == CLIENT_DECISION)
		c->cards.stale = true;
}

static void
on_over(void *ctx, struct job *j)
{
	struct converse *c = ctx;

	showing_end(j->shown);
	j->shown = NULL;
	c->cards.stale = true;
	deliver_again(&c->deliver);
}

static void
on_undeliverable(void *ctx, const struct err *why)
{
	converse_fail(ctx, why);
}

/* The settings must be good at the start; later see terms. */
static int
check(struct err *e)
{
	struct settings s = {0};
	int rc = settings_open(&s, e);

	settings_close(&s);
	return rc < 0 ? -1 : operator_check(e);
}

/* What a dead one left: turns whose runner is gone, and begun requests. */
static int
recover(struct converse *c, struct err *e)
{
	struct recovered found;

	if (recovery_run(&c->tasks, &found, e) < 0)
		return -1;
	CRASH_POINT("inbox.sweep");
	if (store_begin(&c->tasks, e) == 0 && inbox_sweep(&c->tasks, e) == 0)
		return store_commit(&c->tasks, e);
	store_rollback(&c->tasks);
	return -1;
}

/* An ear for each shard. They don't move while they are open. */
static int
open_ears(struct converse *c, struct err *e)
{
	c->ears = mem_array((size_t)c->shards, sizeof(*c->ears));
	for (int i = 0; i < c->shards; i++) {
		c->ears[i] = (struct ear){.owner = c, .shard = i};
		if (ear_open(&c->ears[i], e) < 0)
			return -1;
	}
	return 0;
}

static int
listen(struct converse *c, struct err *e)
{
	for (int i = 0; i < c->shards; i++)
		if (ear_listen(&c->ears[i], e) < 0)
			return -1;
	return 0;
}

/* All that was said is heard. */
static bool
is_quiet(const struct converse *c)
{
	for (int i = 0; i < c->shards; i++)
		if (!c->ears[i].quiet)
			return false;
	return true;
}

static int
open_all(struct converse *c, struct err *e)
{
	c->signals = (struct signals){.got = on_signal, .ctx = c};
	if (check(e) < 0 || hold_take(&c->lock, e) < 0 ||
	    signals_start(&c->signals, &c->poll, e) < 0 ||
	    store_open(&c->tasks, "tasks", STORE_WRITE, e) < 0 ||
	    recover(c, e) < 0 || rest_open(&c->posts.rest, &c->poll, e) < 0 ||
	    self_id(c->posts.rest, "/users/@me", &c->ending, c->us, e) < 0 ||
	    self_id(c->posts.rest, "/applications/@me", &c->ending,
		c->application, e) < 0)
		return -1;
	c->jobs = (struct jobs){.poll = &c->poll,
	    .tasks = &c->tasks,
	    .hold = true,
	    .stale = true,
	    .welcome = is_welcome,
	    .heard = on_heard,
	    .over = on_over,
	    .ctx = c};
	c->deliver = (struct deliver){.tasks = &c->tasks,
	    .rest = c->posts.rest,
	    .poll = &c->poll,
	    .us = c->us,
	    .failed = on_undeliverable,
	    .ctx = c};
	deliver_open(&c->deliver);
	c->cards.stale = true; /* those that a crash left */
	return registry_start(c, e) < 0 ? -1 : open_ears(c, e);
}

/* Late requests are begun when all of them are known, so the newest are. */
static void
release_late(struct converse *c, int64_t began_ms)
{
	if (!c->jobs.hold)
		return;
	if ((is_quiet(c) && c->catcher.idle) ||
	    clock_boot_ms() > began_ms + HOLD_MS) {
		c->jobs.hold = false;
		c->jobs.stale = true;
	}
}

/* Whatever there is to do without waiting. */
static int
tend(struct converse *c, int64_t began_ms, struct err *e)
{
	const struct settings *s = terms_now(&c->terms);

	c->jobs.limit = (int)settings_int(s, "converse.tasks");
	c->jobs.shut = c->terms.bad;
	if (c->ending)
		c->jobs.stale = false;
	else if (listen(c, e) < 0 || catchup_tend(c, e) < 0)
		return -1;
	release_late(c, began_ms);
	if (jobs_tend(&c->jobs, s, e) < 0 || cards_tend(c, e) < 0)
		return -1;
	return queue_tend(c, e);
}

static bool
is_busy(const struct converse *c)
{
	for (int i = 0; i < c->shards; i++)
		if (c->ears[i].ready || c->ears[i].due)
			return true;
	return c->cards.stale || (c->jobs.stale && !c->jobs.shut);
}

/* Until when nothing is to be done but what comes. */
static int64_t
rest_until(const struct converse *c, int64_t began_ms, int64_t end_ms)
{
	if (c->ending)
		return c->cards.stale ? clock_boot_ms() : end_ms;
	if (is_busy(c))
		return clock_boot_ms();
	return c->jobs.hold ? began_ms + HOLD_MS : POLL_NEVER;
}

static int
go(struct converse *c, struct err *e)
{
	const int64_t began_ms = clock_boot_ms();
	int64_t end_ms = POLL_NEVER;

	while (!c->ending || c->jobs.count || !c->deliver.idle ||
	       c->cards.stale || c->cards.count) {
		if (tend(c, began_ms, e) < 0)
			return -1;
		if (c->ending && end_ms == POLL_NEVER)
			end_ms = clock_boot_ms() + END_MS;
		if (clock_boot_ms() >= end_ms)
			return 0;
		if (rest_step(c->posts.rest, rest_until(c, began_ms, end_ms),
			e) < 0)
			return -1;
		if (c->fault.kind) {
			*e = c->fault;
			return -1;
		}
	}
	return 0;
}

static void
close_all(struct converse *c)
{
	visits_release(c);
	jobs_release(&c->jobs);
	cards_release(c);
	deliver_close(&c->deliver);
	for (int i = 0; c->ears && i < c->shards; i++)
		ear_close(&c->ears[i]);
	free(c->ears);
	poll_stop_timer(&c->catcher.again);
	poll_stop_timer(&c->queue.again);
	registry_release(&c->registry);
	posts_release(&c->posts);
	rest_close(c->posts.rest);
	signals_stop(&c->signals);
	poll_release(&c->poll);
	store_close(&c->tasks);
	terms_release(&c->terms);
	lock_drop(&c->lock);
}

int
converse_run(int shards, struct err *e)
{
	struct converse c = {.shards = shards};
	int rc = open_all(&c, e);

	if (rc == 0)
		rc = go(&c, e);
	close_all(&c);
	return rc;
}
