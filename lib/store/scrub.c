#include "store/scrub.h"

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "store/base.h"
#include "store/meta.h"

enum { TURN_MS = 30 };

/* What meta keeps under "scrub"; nothing if there is nothing to do. */
enum state { NONE, WANTED, MERGING };

int
scrub_want(struct db *db, struct err *e)
{
	return meta_set_int(db, "scrub", WANTED, e);
}

/* Merge some pages: 1, or 0 when there was nothing left to merge. */
static int
merge(struct db *db, enum state state, struct err *e)
{
	static const char all[] = "INSERT INTO message_fts(message_fts, rank)"
				  " VALUES ('merge', -16)";
	static const char some[] = "INSERT INTO message_fts(message_fts, rank)"
				   " VALUES ('merge', 16)";
	int64_t before, after;

	if (db_int(db, "SELECT total_changes()", 0, &before, e) < 0 ||
	    db_exec(db, state == WANTED ? all : some, e) < 0 ||
	    db_int(db, "SELECT total_changes()", 0, &after, e) < 0)
		return -1;
	return after - before >= 2;
}

/* Within a turn: 1 if it must go on, 0 at the end, or -1. */
static int
merge_for_a_while(struct db *db, enum state state, struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + TURN_MS;
	int more;

	do {
		more = merge(db, state, e);
		state = MERGING;
	} while (more > 0 && clock_boot_ms() < until_ms);
	if (more < 0)
		return -1;
	if (more)
		return meta_set_int(db, "scrub", MERGING, e) < 0 ? -1 : 1;
	if (meta_unset(db, "scrub", e) < 0)
		return -1;
	return meta_set_int(db, "scrubbed", clock_now_ms(), e);
}

static int
turn(struct store *base, enum state state, struct err *e)
{
	int more;

	if (store_begin(base, e) < 0)
		return -1;
	more = merge_for_a_while(&base->db, state, e);
	if (more < 0) {
		store_rollback(base);
		return -1;
	}
	CRASH_POINT("scrub.turn");
	return store_commit(base, e) < 0 ? -1 : more;
}

int
scrub_step(struct store *base, bool now, struct err *e)
{
	struct err busy = {0};
	int64_t state, last;
	int more;

	if (meta_int(&base->db, "scrub", NONE, &state, e) < 0 ||
	    meta_int(&base->db, "scrubbed", 0, &last, e) < 0)
		return -1;
	if (state == NONE ||
	    (state == WANTED && !now && clock_now_ms() - last < SCRUB_EVERY_MS))
		return 0;
	more = turn(base, (enum state)state, e);
	if (more == 0)
		db_truncate_wal(&base->db, &busy); /* while nobody reads */
	return more;
}
