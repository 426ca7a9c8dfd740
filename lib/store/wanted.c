#include "store/wanted.h"

#include "core/buf.h"
#include "core/err.h"
#include "ext/db.h"

int
wanted_add(struct db *db, const struct wanted *w, int64_t now_ms, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT INTO crawl(channel, low, threads, queued_ms)"
	    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT(channel) DO UPDATE SET"
	    " low = min(low, ?2), threads = max(threads, ?3),"
	    " queued_ms = iif(done_ms IS NULL, queued_ms, ?4), done_ms = NULL");
	stmt_int(&s, 1, (int64_t)w->channel);
	stmt_int(&s, 2, (int64_t)w->low);
	stmt_int(&s, 3, w->threads);
	stmt_int(&s, 4, now_ms);
	return stmt_once(&s, e);
}

int
wanted_list(struct db *db, struct wanted *list, size_t most, struct err *e)
{
	struct stmt s = {0};
	int row, count = 0;

	stmt_start(&s, db,
	    "SELECT channel, low, threads FROM crawl WHERE done_ms IS NULL"
	    " ORDER BY queued_ms, channel LIMIT ?1");
	stmt_int(&s, 1, (int64_t)most);
	while ((row = stmt_next(&s, e)) > 0)
		list[count++] = (struct wanted){
		    .channel = (uint64_t)row_int(&s, 0),
		    .low = (uint64_t)row_int(&s, 1),
		    .threads = row_int(&s, 2) != 0,
		};
	stmt_end(&s);
	return row < 0 ? -1 : count;
}

int
wanted_done(struct db *db, uint64_t channel, int64_t now_ms, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, "UPDATE crawl SET done_ms = ?2 WHERE channel = ?1");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_int(&s, 2, now_ms);
	return stmt_once(&s, e);
}

static const char *
word(enum listing_kind kind)
{
	static const char *const words[] = {"public", "private", "joined"};

	return words[kind];
}

int
listing_get(struct db *db, uint64_t channel, enum listing_kind kind,
    struct buf *before, bool *done, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT before, done_ms IS NOT NULL FROM listing"
	    " WHERE channel = ?1 AND kind = ?2");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_text(&s, 2, word(kind));
	row = stmt_next(&s, e);
	buf_clear(before);
	if (row > 0)
		buf_str(before, row_text(&s, 0));
	*done = row > 0 && row_int(&s, 1) != 0;
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

int
listing_set(struct db *db, uint64_t channel, enum listing_kind kind,
    const char *before, int64_t done_ms, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT INTO listing(channel, kind, before, done_ms)"
	    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET before = ?3,"
	    " done_ms = coalesce(?4, done_ms)");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_text(&s, 2, word(kind));
	stmt_text(&s, 3, before);
	stmt_opt(&s, 4, done_ms);
	return stmt_once(&s, e);
}
