#include "converse/converse.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "access/operator.h"
#include "converse/visit.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/home.h"
#include "core/id.h"
#include "core/log.h"
#include "discord/rest.h"
#include "ext/json.h"
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

static void
on_heard(void *ctx, struct job *j, const struct client_event *x)
{
	(void)ctx;
	(void)j;
	(void)x;
}

static void
on_over(void *ctx, struct job *j)
{
	(void)ctx;
	(void)j;
}

/* One of them for a state folder. */
static int
take_lock(struct converse *c, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, "run/converse", e) < 0)
		return -1;
	if (lock_take(&c->lock, path, LOCK_EXCLUSIVE, 0, e) == 0)
		return 0;
	return e->kind == ERR_AGAIN
		   ? err_set(e, ERR_AGAIN,
			 "another sophia-converse is at work for this state "
			 "folder")
		   : -1;
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
	if (store_begin(&c->tasks, e) == 0 && inbox_sweep(&c->tasks, e) == 0)
		return store_commit(&c->tasks, e);
	store_rollback(&c->tasks);
	return -1;
}

static void
on_answered(void *ctx)
{
	(void)ctx; /* the call says so */
}

/* Wait for an answer; nothing else is done meanwhile. */
static int
ask(struct converse *c, struct rest_call *call, struct err *e)
{
	call->ended = on_answered;
	if (rest_start(c->posts.rest, call, e) < 0)
		return -1;
	while (call->end == REST_RUNS && !c->ending)
		if (rest_step(c->posts.rest, POLL_NEVER, e) < 0)
			return -1;
	if (c->ending)
		return err_set(e, ERR_AGAIN, "interrupted");
	if (call->verdict.kind)
		return err_set(e, call->verdict.kind, "%s", call->verdict.text);
	return 0;
}

/* Ask for an object of ours: its id. */
static int
ask_id(struct converse *c, const char *path, char out[24], struct err *e)
{
	struct rest_call call = {.method = "GET", .path = path};
	struct json *v = NULL;
	uint64_t id;
	int rc = ask(c, &call, e);

	if (rc == 0)
		rc = json_object(&v, buf_text(&call.reply), call.reply.len, e);
	if (rc == 0 && snowflake_read(&id, json_string(v, "id")) < 0)
		rc = err_set(e, ERR_REFUSED, "%s has no id", path);
	if (rc == 0)
		snprintf(out, 24, "%s", json_string(v, "id"));
	json_free(v);
	rest_stop(&call);
	rest_release(&call);
	return rc;
}

static int
open_all(struct converse *c, struct err *e)
{
	c->signals = (struct signals){.got = on_signal, .ctx = c};
	if (check(e) < 0 || take_lock(c, e) < 0 ||
	    signals_start(&c->signals, &c->poll, e) < 0 ||
	    store_open(&c->tasks, "tasks", STORE_WRITE, e) < 0 ||
	    recover(c, e) < 0 || rest_open(&c->posts.rest, &c->poll, e) < 0 ||
	    ask_id(c, "/users/@me", c->us, e) < 0 ||
	    ask_id(c, "/applications/@me", c->application, e) < 0)
		return -1;
	c->jobs = (struct jobs){.poll = &c->poll,
	    .tasks = &c->tasks,
	    .hold = true,
	    .stale = true,
	    .heard = on_heard,
	    .over = on_over,
	    .ctx = c};
	return registry_start(c, e) < 0 ? -1 : ear_open(c, 0, e);
}

/* Late requests are begun when all of them are known, so the newest are. */
static void
release_late(struct converse *c, int64_t began_ms)
{
	if (!c->jobs.hold)
		return;
	if ((c->ear.quiet && c->catcher.idle) ||
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
	if (c->ending)
		c->jobs.stale = false;
	else if (ear_listen(c, e) < 0 || catchup_tend(c, e) < 0)
		return -1;
	release_late(c, began_ms);
	return jobs_tend(&c->jobs, s, e);
}

static bool
is_busy(const struct converse *c)
{
	return !c->ending &&
	       (c->ear.ready || c->ear.due || (c->jobs.stale && !c->ending));
}

static int
go(struct converse *c, struct err *e)
{
	const int64_t began_ms = clock_boot_ms();
	int64_t until_ms = POLL_NEVER;

	while (!c->ending || c->jobs.count) {
		if (tend(c, began_ms, e) < 0)
			return -1;
		if (c->ending && until_ms == POLL_NEVER)
			until_ms = clock_boot_ms() + END_MS;
		if (c->ending && clock_boot_ms() >= until_ms)
			return 0;
		if (rest_step(c->posts.rest,
			is_busy(c) ? clock_boot_ms() : until_ms, e) < 0)
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
	ear_close(c);
	poll_stop_timer(&c->catcher.again);
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
converse_run(struct err *e)
{
	struct converse c = {0};
	int rc = open_all(&c, e);

	if (rc == 0)
		rc = go(&c, e);
	close_all(&c);
	return rc;
}
