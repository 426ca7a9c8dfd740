#include "store/purge_index.h"

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "store/base.h"
#include "store/message.h"
#include "store/meta.h"
#include "store/scrub.h"
#include "store/tombstone.h"

enum { TURN_MS = 30 };

/* Is there still something of it to be deleted: 1, 0 or -1. */
static int
is_left(struct stmt s[GRAVE_KINDS], struct db *db, const struct grave *g,
    struct err *e)
{
	static const char *const sql[GRAVE_KINDS] = {
	    [GRAVE_MESSAGE] =
		"SELECT EXISTS (SELECT 1 FROM message WHERE id = ?1)"
		" OR NOT EXISTS (SELECT 1 FROM tombstone WHERE id = ?1)",
	    [GRAVE_CHANNEL] =
		"SELECT EXISTS (SELECT 1 FROM channel WHERE id = ?1"
		"  AND messages > 0) OR NOT EXISTS"
		" (SELECT 1 FROM tombstone_channel WHERE id = ?1)",
	};
	struct stmt *q = &s[g->kind];
	int row, left;

	stmt_start(q, db, sql[g->kind]);
	stmt_int(q, 1, (int64_t)g->id);
	row = stmt_next(q, e);
	left = row > 0 && row_int(q, 0);
	stmt_reset(q);
	return row < 0 ? -1 : left;
}

static int
any_left(struct db *db, const struct graves *g, struct err *e)
{
	struct stmt s[GRAVE_KINDS] = {{0}};
	int left = 0;

	for (size_t i = 0; i < g->count && left == 0; i++)
		left = is_left(s, db, &g->at[i], e);
	stmt_end(&s[GRAVE_MESSAGE]);
	stmt_end(&s[GRAVE_CHANNEL]);
	return left;
}

static int
delete_left(struct messages *m, struct stmt s[GRAVE_KINDS],
    const struct grave *g, struct err *e)
{
	int left = is_left(s, m->db, g, e);

	if (left <= 0)
		return left;
	left = g->kind == GRAVE_CHANNEL
		   ? messages_delete_channel(m, g->id, g->at_ms, e)
		   : messages_delete(m, g->id, g->at_ms, e);
	return left < 0 ? -1 : 1;
}

/* Whatever is left, within a turn. */
static int
delete_all(struct messages *m, const struct graves *g, struct err *e)
{
	const int64_t until_ms = clock_boot_ms() + TURN_MS;
	struct stmt s[GRAVE_KINDS] = {{0}};
	int rc = 0;

	for (size_t i = 0; i < g->count && rc >= 0; i++)
		rc = delete_left(m, s, &g->at[i], e);
	if (rc >= 0)
		do
			rc = messages_sweep(m, e);
		while (rc > 0 && clock_boot_ms() < until_ms);
	stmt_end(&s[GRAVE_MESSAGE]);
	stmt_end(&s[GRAVE_CHANNEL]);
	return rc < 0 ? -1 : 0;
}

/* The same as a turn of the index. */
static int
delete_rows(struct store *base, const struct graves *g, struct err *e)
{
	struct messages m = {0};
	int stale = messages_open(&m, base, e), rc = -1;

	if (stale == 0 && store_begin(base, e) == 0 &&
	    messages_begin(&m, e) == 0 && delete_all(&m, g, e) == 0)
		rc = messages_end(&m, e);
	if (rc == 0) {
		CRASH_POINT("purge.index");
		rc = store_commit(base, e);
		CRASH_POINT("purge.index.done");
	}
	store_rollback(base);
	messages_close(&m);
	if (stale > 0)
		return PURGE_INDEX_LATER;
	return rc < 0 ? -1 : PURGE_INDEX_MORE;
}

/* Then the words: a turn of that. */
static int
scrub(struct store *base, bool now, struct err *e)
{
	struct err busy = {0};
	int64_t wanted;
	int more = scrub_step(base, now, e);

	if (more != 0)
		return more < 0 ? -1 : PURGE_INDEX_MORE;
	if (meta_int(&base->db, "scrub", 0, &wanted, e) < 0)
		return -1;
	if (wanted)
		return PURGE_INDEX_LATER;
	if (db_truncate_wal(&base->db, &busy) == 0) {
		CRASH_POINT("purge.index.cut");
		return PURGE_INDEX_DONE;
	}
	if (busy.kind == ERR_AGAIN)
		return PURGE_INDEX_LATER;
	*e = busy;
	return -1;
}

int
purge_index(const struct graves *g, bool now, struct err *e)
{
	struct store base = {0};
	int rc = store_exists("messages", e);

	if (rc <= 0)
		return rc < 0 ? -1 : PURGE_INDEX_DONE;
	if (store_open(&base, "messages", STORE_WRITE, e) < 0)
		return -1;
	rc = any_left(&base.db, g, e);
	if (rc > 0)
		rc = delete_rows(&base, g, e);
	else if (rc == 0)
		rc = scrub(&base, now, e);
	store_close(&base);
	return rc;
}
