#include "history/import_turn.h"

#include <stdio.h>
#include <string.h>

#include "core/clock.h"
#include "core/crash.h"
#include "history/import.h"
#include "store/base.h"

enum {
	TURN_MS = 30,   /* then commit, which takes its time too */
	TURN_LOOK = 16, /* messages between looks at the clock */
	CHECKPOINT_TURNS = 8
};

void
import_settle(struct import *im)
{
	struct err ignored = {0};

	if (im->base && im->base->db.raw)
		db_truncate_wal(&im->base->db, &ignored);
}

/* A file whose beginning a reset took away was not imported. */
static int
check_reset(struct import *im, struct err *e)
{
	const char *now = im->messages.generation;

	if (!*im->generation)
		snprintf(im->generation, sizeof(im->generation), "%s", now);
	if (strcmp(im->generation, now) != 0)
		return err_set(e, ERR_AGAIN,
		    "the index was reset meanwhile: import it again");
	return 0;
}

int
import_begin(struct import *im, struct err *e)
{
	if (im->turn_ms)
		return 0;
	if (store_begin(im->base, e) < 0)
		return -1;
	im->turn_ms = clock_boot_ms();
	return messages_begin(&im->messages, e) < 0 ? -1 : check_reset(im, e);
}

/*
 * Move what was committed into the database: SQLite would do it inside a turn,
 * and wait for the disk there.
 */
static int
checkpoint(struct import *im, struct err *e)
{
	return db_exec(&im->base->db, "PRAGMA wal_checkpoint(PASSIVE)", e);
}

bool
import_over(const struct import *im)
{
	return im->turn_ms && clock_boot_ms() - im->turn_ms >= TURN_MS;
}

void
import_drop(struct import *im)
{
	if (im->turn_ms)
		store_rollback(im->base);
	im->turn_ms = 0;
}

int
import_end(struct import *im, struct err *e)
{
	int64_t took;

	if (!im->turn_ms)
		return 0;
	im->mark.offset = (int64_t)im->done;
	if (im->mark.path && mark_save(&im->base->db, &im->mark, e) < 0)
		return -1;
	CRASH_POINT("import.commit");
	if (messages_end(&im->messages, e) < 0 || store_commit(im->base, e) < 0)
		return -1;
	CRASH_POINT("import.commit.done");
	took = clock_boot_ms() - im->turn_ms;
	if (took > im->sum->longest_ms)
		im->sum->longest_ms = took;
	im->turn_ms = 0;
	if (im->progress)
		im->progress(im->ctx, im->sum, im->total);
	return ++im->turns % CHECKPOINT_TURNS ? 0 : checkpoint(im, e);
}

void
import_widen(struct import *im, const struct message *m)
{
	if (m->channel.id != im->archive.head.channel.id)
		return;
	if (!im->first || m->id < im->first)
		im->first = m->id;
	if (m->id > im->last)
		im->last = m->id;
}

int
import_put(struct import *im, const struct message *m, struct err *e)
{
	struct summary *sum = im->sum;

	if (import_begin(im, e) < 0)
		return -1;
	switch (messages_put(&im->messages, m, e)) {
	case PUT_NEW: sum->added++; break;
	case PUT_CHANGED: sum->changed++; break;
	case PUT_UNCHANGED: sum->unchanged++; break;
	case PUT_OLDER: sum->skipped[SKIP_OLDER]++; break;
	case PUT_DELETED: sum->skipped[SKIP_DELETED]++; break;
	default: return -1;
	}
	import_widen(im, m);
	return summary_messages(sum) % TURN_LOOK == 0 && import_over(im)
		   ? import_end(im, e)
		   : 0;
}
