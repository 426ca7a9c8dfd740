#include "history/follow_turn.h"

#include "core/clock.h"
#include "core/crash.h"
#include "core/log.h"
#include "history/follow.h"
#include "record/event.h"
#include "store/meta.h"
#include "store/notice.h"
#include "store/purge.h"
#include "store/recheck.h"
#include "store/scrub.h"

enum { TURN_MS = 30, CHECKPOINT_TURNS = 64 };

static int
begin(struct follow *f, int shard, struct err *e)
{
	if (!f->turn_ms) {
		if (store_begin(&f->base, e) < 0)
			return -1;
		f->turn_ms = clock_boot_ms();
		f->turn_shard = -1;
		if (ingest_begin(&f->in, e) < 0)
			return -1;
	}
	if (f->turn_shard != shard && ingest_shard(&f->in, shard, e) < 0)
		return -1;
	f->turn_shard = shard;
	return 0;
}

bool
follow_turn_over(const struct follow *f)
{
	return f->turn_ms && clock_boot_ms() - f->turn_ms >= TURN_MS;
}

int
follow_commit(struct follow *f, struct err *e)
{
	if (!f->turn_ms)
		return 0;
	f->turn_ms = 0;
	CRASH_POINT("follow.commit");
	if (ingest_end(&f->in, e) < 0 || store_commit(&f->base, e) < 0)
		return -1;
	CRASH_POINT("follow.commit.done");
	if (++f->turns % CHECKPOINT_TURNS)
		return 0;
	/* Outside a turn, where nobody waits for the disk. */
	return db_exec(&f->base.db, "PRAGMA wal_checkpoint(PASSIVE)", e);
}

int
follow_event(struct follow *f, int shard, const struct event *x, struct err *e)
{
	struct err bad = {0};
	int told;

	if (begin(f, shard, e) < 0)
		return -1;
	told = ingest_event(&f->in, x, &bad);
	if (told < 0 && bad.kind != ERR_INPUT) {
		*e = bad;
		return -1;
	}
	if (told < 0) {
		f->bad++;
		err_in(&bad, "event %lld of shard %d", (long long)x->number,
		    shard);
		log_complain(&bad);
	}
	f->events++;
	f->told += told > 0;
	return 0;
}

int
follow_gap(struct follow *f, int shard, int64_t position, struct err *e)
{
	if (begin(f, shard, e) < 0)
		return -1;
	log_warn("events of shard %d are lost; the newest messages of each "
		 "channel should be fetched: sophia backfill --recent",
	    shard);
	return ingest_gap(&f->in, position, clock_now_ms(), e);
}

/* Some messages of deleted channels. */
static int
sweep(struct follow *f, struct err *e)
{
	int count;

	if (store_begin(&f->base, e) < 0)
		return -1;
	f->turn_ms = clock_boot_ms();
	f->turn_shard = -1;
	if (ingest_begin(&f->in, e) < 0)
		return -1;
	do
		count = messages_sweep(&f->in.messages, e);
	while (count > 0 && !follow_turn_over(f));
	return count < 0 || follow_commit(f, e) < 0 ? -1 : count > 0;
}

static int
is_there(struct follow *f, const char *sql, struct err *e)
{
	int64_t there;

	return db_int(&f->base.db, sql, 0, &there, e) < 0 ? -1 : there != 0;
}

int
follow_idle(struct follow *f, struct err *e)
{
	int there = is_there(f, "SELECT EXISTS (SELECT 1 FROM notice)", e);

	if (there > 0 && notice_deliver(&f->base, e) < 0)
		return -1;
	if (there >= 0 && recheck_deliver(&f->base, e) < 0)
		return -1;
	if (there >= 0)
		there = is_there(f,
		    "SELECT EXISTS (SELECT 1 FROM tombstone_channel t"
		    " JOIN channel c ON c.id = t.id WHERE c.messages > 0)",
		    e);
	if (there)
		return there < 0 || sweep(f, e) < 0 ? -1 : 1;
	there = purge_some(&f->purge, false, e);
	return there ? there : scrub_step(&f->base, false, e);
}
