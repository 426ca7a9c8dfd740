#include "store/mark.h"

#include "core/clock.h"
#include "core/err.h"
#include "ext/db.h"

int
mark_find(struct db *db, struct mark *m, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT offset, done FROM import WHERE path = ?1 AND size = ?2"
	    " AND mtime_ms = ?3 AND head = ?4");
	stmt_text(&s, 1, m->path);
	stmt_int(&s, 2, m->size);
	stmt_int(&s, 3, m->mtime_ms);
	stmt_text(&s, 4, m->head);
	row = stmt_next(&s, e);
	if (row > 0) {
		m->offset = row_int(&s, 0);
		m->done = row_int(&s, 1) != 0;
	}
	stmt_end(&s);
	return row;
}

int
mark_save(struct db *db, const struct mark *m, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "INSERT INTO import(path, size, mtime_ms, head, offset, done,"
	    " at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
	    " ON CONFLICT(path) DO UPDATE SET size = ?2, mtime_ms = ?3,"
	    " head = ?4, offset = ?5, done = ?6, at_ms = ?7");
	stmt_text(&s, 1, m->path);
	stmt_int(&s, 2, m->size);
	stmt_int(&s, 3, m->mtime_ms);
	stmt_text(&s, 4, m->head);
	stmt_int(&s, 5, m->offset);
	stmt_int(&s, 6, m->done);
	stmt_int(&s, 7, clock_now_ms());
	return stmt_once(&s, e);
}
