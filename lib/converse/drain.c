#include "converse/drain.h"

#include "converse/hold.h"
#include "converse/self.h"
#include "core/clock.h"
#include "core/err.h"
#include "core/lock.h"
#include "core/poll.h"
#include "deliver/deliver.h"
#include "discord/rest.h"
#include "store/base.h"
#include "store/recovery.h"

enum { PATIENCE_MS = 10000 }; /* with what Discord can't take at once */

struct drain {
	struct poll poll;
	struct lock lock;
	struct store tasks;
	struct rest *rest;
	struct deliver deliver;
	char us[24];
	struct err fault;
};

static void
on_failed(void *ctx, const struct err *why)
{
	struct drain *d = ctx;

	d->fault = *why;
}

static int
open_all(struct drain *d, struct err *e)
{
	struct recovered found;

	if (hold_take(&d->lock, e) < 0 ||
	    store_open(&d->tasks, "tasks", STORE_WRITE, e) < 0 ||
	    recovery_run(&d->tasks, &found, e) < 0 ||
	    rest_open(&d->rest, &d->poll, e) < 0 ||
	    self_id(d->rest, "/users/@me", NULL, d->us, e) < 0)
		return -1;
	d->deliver = (struct deliver){.tasks = &d->tasks,
	    .rest = d->rest,
	    .poll = &d->poll,
	    .us = d->us,
	    .failed = on_failed,
	    .ctx = d};
	deliver_open(&d->deliver);
	return 0;
}

/* Until nothing is left, or nothing has moved for a while. */
static int
go(struct drain *d, struct err *e)
{
	int64_t until_ms = POLL_NEVER;
	uint64_t moves = 0;

	while (!(d->deliver.idle && !d->deliver.waiting) && !d->fault.kind &&
	       clock_boot_ms() < until_ms) {
		if (moves != d->deliver.moves)
			until_ms = POLL_NEVER;
		if (d->deliver.waiting && until_ms == POLL_NEVER)
			until_ms = clock_boot_ms() + PATIENCE_MS;
		moves = d->deliver.moves;
		if (rest_step(d->rest, until_ms, e) < 0)
			return -1;
	}
	if (d->fault.kind) {
		*e = d->fault;
		return -1;
	}
	if (d->deliver.waiting)
		return err_set(e, ERR_AGAIN,
		    "%zu outcomes wait until Discord is well",
		    d->deliver.waiting);
	return 0;
}

int
drain_run(struct err *e)
{
	struct drain d = {0};
	int rc = open_all(&d, e);

	if (rc == 0)
		rc = go(&d, e);
	deliver_close(&d.deliver);
	rest_close(d.rest);
	poll_release(&d.poll);
	store_close(&d.tasks);
	lock_drop(&d.lock);
	return rc;
}
