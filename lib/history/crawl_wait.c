/* Waiting for something to fetch: crawl_wait() of history/crawl.h. */
#include "core/clock.h"
#include "core/err.h"
#include "core/signals.h"
#include "history/crawl.h"
#include "store/meta.h"
#include "store/wanted.h"

enum { LOOK_MS = 500 };

/* What there is to do now. */
static int
look(struct store *base, struct err *e)
{
	int64_t sweep, swept;
	struct wanted one;
	int count;

	if (meta_int(&base->db, "sweep", 0, &sweep, e) < 0 ||
	    meta_int(&base->db, "swept", 0, &swept, e) < 0)
		return -1;
	if (sweep > swept)
		return CRAWL_RECENT;
	count = wanted_list(&base->db, &one, 1, e);
	return count < 0 ? -1 : count ? CRAWL_QUEUE : CRAWL_NAMED;
}

static void
on_signal(void *ctx, int sig)
{
	bool *stop = ctx;

	(void)sig;
	*stop = true;
}

/* A look costs as good as nothing while nobody else has written. */
static int
look_until(struct store *base, int64_t from_ms, struct poll *p,
    const bool *stop, struct err *e)
{
	int64_t version = -1, now;
	int what = CRAWL_NAMED;

	while (!*stop) {
		if (db_data_version(&base->db, &now, e) < 0)
			return -1;
		if (now != version && clock_boot_ms() >= from_ms) {
			version = now;
			what = look(base, e);
			if (what != CRAWL_NAMED)
				return what;
		}
		if (poll_run(p, stop, clock_boot_ms() + LOOK_MS, e) < 0)
			return -1;
	}
	return CRAWL_NAMED;
}

int
crawl_wait(int64_t least_ms, struct err *e)
{
	const int64_t from_ms = clock_boot_ms() + least_ms;
	struct store base = {0};
	struct poll poll = {0};
	bool stop = false;
	struct signals signals = {.got = on_signal, .ctx = &stop};
	int what = -1;

	if (store_open(&base, "messages", STORE_WRITE, e) == 0 &&
	    signals_start(&signals, &poll, e) == 0)
		what = look_until(&base, from_ms, &poll, &stop, e);
	signals_stop(&signals);
	store_close(&base);
	poll_release(&poll);
	return what;
}
