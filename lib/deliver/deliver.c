#include "deliver/deliver.h"

#include <string.h>

#include "core/clock.h"
#include "core/crash.h"
#include "deliver/courier.h"
#include "deliver/showing.h"
#include "deliver/tidy.h"
#include "ext/db.h"
#include "store/base.h"
#include "store/parcel.h"

enum { DELIVER_HELD = 256, EXPIRE_MS = 60000 };

static void
set_look(struct deliver *d, int64_t wait_ms)
{
	poll_set_timer(d->poll, &d->look, clock_boot_ms() + wait_ms);
}

void
deliver_fail(struct deliver *d, const struct err *why)
{
	if (d->stopped)
		return;
	d->stopped = true;
	poll_stop_timer(&d->look);
	d->failed(d->ctx, why);
}

void
deliver_again(struct deliver *d)
{
	d->stale = true;
	d->idle = false;
	if (!d->stopped)
		set_look(d, 0);
}

/* Is somebody at this channel, or at this parcel? */
static bool
taken(const struct deliver *d, const struct parcel *p)
{
	for (const struct courier *c = d->first; c; c = c->next)
		if (c->parcel.id == p->id ||
		    strcmp(c->parcel.channel, p->channel) == 0)
			return true;
	return false;
}

static size_t
at_work(const struct deliver *d)
{
	size_t n = 0;

	for (const struct courier *c = d->first; c; c = c->next)
		n += !c->waits;
	return n;
}

static void
start(struct deliver *d, const struct parcel *p)
{
	struct courier *c = courier_new(d, p);

	c->next = d->first;
	d->first = c;
	d->count++;
}

static void
drop_those_over(struct deliver *d)
{
	struct courier **at = &d->first;

	while (*at) {
		struct courier *c = *at;

		if (!c->over) {
			at = &c->next;
			continue;
		}
		*at = c->next;
		courier_free(c);
		d->count--;
	}
}

/*
 * Take up what is pending, the oldest of each channel: a later one waits, even
 * if the first waits itself.
 */
static int
take_up(struct deliver *d, struct err *e)
{
	struct stmt scan = {0};
	struct parcel p;
	int64_t after = 0;
	int row = 0;

	while (at_work(d) < DELIVER_AT_ONCE && d->count < DELIVER_HELD &&
	       (row = parcel_next(&scan, d->tasks, after, &p, e)) > 0) {
		after = p.id;
		if (!taken(d, &p) && !showing_busy(d->showings, p.turn))
			start(d, &p);
	}
	stmt_end(&scan);
	return row;
}

/* A token that is of no use any more is not kept. */
static int
expire(struct deliver *d, struct err *e)
{
	int64_t n = 0;
	int rc = -1;

	if (clock_boot_ms() < d->expire_ms)
		return 0;
	d->expire_ms = clock_boot_ms() + EXPIRE_MS;
	if (db_int(&d->tasks->db,
		"SELECT count(*) FROM address WHERE token IS NOT NULL", 0, &n,
		e) < 0)
		return -1;
	if (n == 0)
		return 0;
	CRASH_POINT("deliver.expire");
	if (store_begin(d->tasks, e) == 0 && parcel_expire(d->tasks, e) == 0)
		rc = store_commit(d->tasks, e);
	CRASH_POINT("deliver.expire.done");
	return rc;
}

static void
go(struct deliver *d)
{
	struct courier *c = d->first;

	while (c && !d->stopped) {
		struct courier *next = c->next;

		if (!c->planned && !c->over && !c->waits)
			courier_go(c);
		c = next;
	}
}

/* False if the store is busy: look once more, but not at once. */
static bool
look(struct deliver *d)
{
	struct err e = {0};

	drop_those_over(d);
	if (take_up(d, &e) < 0 || expire(d, &e) < 0 ||
	    tidy_look(d->tidy, &e) < 0) {
		store_rollback(d->tasks);
		if (e.kind != ERR_AGAIN)
			deliver_fail(d, &e);
		d->stale = true;
		return false;
	}
	go(d);
	d->waiting = d->count - at_work(d);
	d->idle = at_work(d) == 0 && !tidy_busy(d->tidy) && !d->stale;
	return true;
}

static bool
look_again(struct deliver *d)
{
	struct err e = {0};
	int64_t version = d->version;

	if (d->stopped)
		return false;
	if (db_data_version(&d->tasks->db, &version, &e) < 0) {
		deliver_fail(d, &e);
		return false;
	}
	if (version == d->version && !d->stale)
		return true;
	d->version = version;
	d->stale = false;
	return look(d);
}

static void
on_look(void *ctx)
{
	struct deliver *d = ctx;
	bool looked = look_again(d);

	if (!d->stopped)
		set_look(d, looked && d->stale ? 0 : DELIVER_LOOK_MS);
}

void
deliver_open(struct deliver *d)
{
	d->look.fire = on_look;
	d->look.ctx = d;
	d->tidy = tidy_new(d);
	deliver_again(d);
}

void
deliver_close(struct deliver *d)
{
	if (!d->tidy)
		return;
	poll_stop_timer(&d->look);
	for (struct courier *c = d->first; c; c = c->next)
		c->over = true;
	drop_those_over(d);
	showings_release(d);
	tidy_free(d->tidy);
	d->tidy = NULL;
	d->stopped = true;
}
