/* Waiting for something to fetch: crawl_wait() of history/crawl.h. */
#include "core/clock.h"
#include "core/err.h"
#include "core/signals.h"
#include "history/crawl.h"
#include "history/ingest.h"
#include "store/meta.h"
#include "store/wanted.h"

enum { LOOK_MS = 500, GUILDS_MS = 5000 };

struct watch {
	struct store base;
	struct ingest in;
	struct poll poll;
	int64_t version; /* of the index, as it was looked at last */
	int64_t guilds_ms;
	bool stop;
};

/* What there is to do now. */
static int
look(struct db *db, struct err *e)
{
	int64_t sweep, swept;
	struct wanted one;
	int count;

	if (meta_int(db, "sweep", 0, &sweep, e) < 0 ||
	    meta_int(db, "swept", 0, &swept, e) < 0)
		return -1;
	if (sweep > swept)
		return CRAWL_RECENT;
	count = wanted_list(db, &one, 1, e);
	return count < 0 ? -1 : count ? CRAWL_QUEUE : CRAWL_NAMED;
}

/* The same, if it can be another answer than before: that costs next to nothing. */
static int
look_again(struct watch *w, struct err *e)
{
	int64_t version;
	int changed;

	if (db_data_version(&w->base.db, &version, e) < 0)
		return -1;
	if (version == w->version && clock_boot_ms() < w->guilds_ms)
		return CRAWL_NAMED;
	w->version = version;
	w->guilds_ms = clock_boot_ms() + GUILDS_MS;
	changed = ingest_guilds_changed(&w->in, e);
	if (changed)
		return changed < 0 ? -1 : CRAWL_RECENT;
	return w->in.guild_count ? look(&w->base.db, e) : CRAWL_NAMED;
}

static void
on_signal(void *ctx, int sig)
{
	bool *stop = ctx;

	(void)sig;
	*stop = true;
}

int
crawl_wait(int64_t least_ms, struct err *e)
{
	const int64_t from_ms = clock_boot_ms() + least_ms;
	struct watch w = {.version = -1};
	struct signals signals = {.got = on_signal, .ctx = &w.stop};
	int what = -1;

	if (store_open(&w.base, "messages", STORE_WRITE, e) == 0 &&
	    ingest_open(&w.in, &w.base, e) >= 0 &&
	    signals_start(&signals, &w.poll, e) == 0)
		what = CRAWL_NAMED;
	while (what == CRAWL_NAMED && !w.stop) {
		if (clock_boot_ms() >= from_ms)
			what = look_again(&w, e);
		if (what == CRAWL_NAMED &&
		    poll_run(&w.poll, &w.stop, clock_boot_ms() + LOOK_MS, e) <
			0)
			what = -1;
	}
	signals_stop(&signals);
	ingest_close(&w.in);
	store_close(&w.base);
	poll_release(&w.poll);
	return what;
}
