#include "store/spool_feed.h"

#include <inttypes.h>
#include <stdbool.h>

#include "core/err.h"
#include "core/poll.h"
#include "core/reader.h"
#include "record/event.h"
#include "store/settings.h"
#include "store/spool.h"

struct feed {
	struct poll poll;
	struct spool to;
	struct reader from;
	struct poll_timer sync;
	int64_t count;
	bool done, failed; /* why is in e */
	struct err *e;
};

static void
fail(struct feed *f)
{
	f->failed = f->done = true;
}

static void
sync_now(void *ctx)
{
	struct feed *f = ctx;

	if (!f->failed && spool_sync(&f->to, f->e) < 0)
		fail(f);
}

/* From now on an error is the one that there was. */
static void
line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct feed *f = ctx;
	struct event x;

	if (f->failed)
		return;
	if (bad) {
		*f->e = *bad;
		fail(f);
		return;
	}
	if (event_read(&x, text, len, f->e) < 0 ||
	    spool_append(&f->to, x.name, x.sequence, x.data, x.data_len, f->e) <
		0) {
		err_in(f->e, "line %" PRId64, f->count + 1);
		fail(f);
		return;
	}
	f->count++;
	poll_set_timer(&f->poll, &f->sync, spool_due_ms(&f->to));
}

static void
ended(void *ctx, const struct err *why)
{
	struct feed *f = ctx;

	if (why && !f->failed) {
		*f->e = *why;
		f->failed = true;
	}
	f->done = true;
}

int64_t
spool_feed(int fd, int shard, struct err *e)
{
	struct feed f = {.e = e};
	struct settings settings;
	struct err why;

	f.from = (struct reader){.limit = LINE_CEILING_EVENT,
	    .line = line,
	    .ended = ended,
	    .ctx = &f};
	f.sync = (struct poll_timer){.fire = sync_now, .ctx = &f};
	if (settings_open(&settings, e) < 0)
		return -1;
	f.to.max_bytes = settings_int(&settings, "spool.max");
	settings_close(&settings);
	if (spool_open(&f.to, shard, e) < 0)
		return -1;
	/* These sequences are of no session that could be resumed. */
	spool_session(&f.to, NULL, NULL);
	reader_start(&f.from, &f.poll, fd);
	if (poll_run(&f.poll, &f.done, POLL_NEVER, &why) < 0 && !f.failed) {
		*e = why;
		f.failed = true;
	}
	if ((spool_sync(&f.to, &why) < 0 || spool_trim(&f.to, &why) < 0) &&
	    !f.failed) {
		*e = why;
		f.failed = true;
	}
	reader_stop(&f.from);
	poll_release(&f.poll);
	spool_close(&f.to);
	return f.failed ? -1 : f.count;
}
