#include "store/coverage.h"

#include "core/err.h"
#include "ext/db.h"

/* Widen low to high by the ranges it overlaps or touches. */
static int
widen(struct db *db, int64_t channel, int64_t *low, int64_t *high,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db,
	    "SELECT min(low), max(high) FROM coverage"
	    " WHERE channel = ?1 AND low <= ?3 + 1 AND high >= ?2 - 1");
	stmt_int(&s, 1, channel);
	stmt_int(&s, 2, *low);
	stmt_int(&s, 3, *high);
	row = stmt_next(&s, e);
	if (row > 0 && !row_null(&s, 0)) {
		*low = row_int(&s, 0) < *low ? row_int(&s, 0) : *low;
		*high = row_int(&s, 1) > *high ? row_int(&s, 1) : *high;
	}
	stmt_end(&s);
	return row < 0 ? -1 : 0;
}

static int
run(struct db *db, const char *sql, int64_t channel, int64_t low, int64_t high,
    const char *source, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, channel);
	stmt_int(&s, 2, low);
	stmt_int(&s, 3, high);
	if (source)
		stmt_text(&s, 4, source);
	return stmt_once(&s, e);
}

int
coverage_add(struct db *db, uint64_t channel, uint64_t low, uint64_t high,
    const char *source, struct err *e)
{
	struct stmt s = {0};
	int64_t from = (int64_t)low, to = (int64_t)high, ord = 0;
	int row;

	stmt_start(&s, db, "SELECT ord FROM channel WHERE id = ?1");
	stmt_int(&s, 1, (int64_t)channel);
	row = stmt_next(&s, e);
	if (row > 0)
		ord = row_int(&s, 0);
	stmt_end(&s);
	if (row <= 0)
		return row;
	if (widen(db, ord, &from, &to, e) < 0)
		return -1;
	if (run(db,
		"DELETE FROM coverage"
		" WHERE channel = ?1 AND low >= ?2 AND high <= ?3",
		ord, from, to, NULL, e) < 0)
		return -1;
	return run(db,
	    "INSERT INTO coverage(channel, low, high, source)"
	    " VALUES (?1, ?2, ?3, ?4)",
	    ord, from, to, source, e);
}

int
coverage_gap(struct db *db, uint64_t channel, uint64_t low, uint64_t high,
    struct coverage_gap *gap, struct err *e)
{
	struct stmt s = {0};
	int64_t top = (int64_t)high, floor = (int64_t)low;
	int row = 0;

	stmt_start(&s, db,
	    "SELECT v.low, v.high FROM channel c JOIN covered v"
	    " ON v.channel = c.ord WHERE c.id = ?1 ORDER BY v.high DESC");
	stmt_int(&s, 1, (int64_t)channel);
	while (top >= floor && (row = stmt_next(&s, e)) > 0 &&
	       row_int(&s, 1) >= top)
		if (row_int(&s, 0) <= top)
			top = row_int(&s, 0) - 1;
	if (top >= floor && row > 0 && row_int(&s, 1) >= floor)
		floor = row_int(&s, 1) + 1;
	stmt_end(&s);
	gap->low = (uint64_t)floor;
	gap->high = (uint64_t)top;
	return row < 0 ? -1 : top >= floor;
}

int
coverage_forbid(struct db *db, uint64_t channel, const char *why, int64_t at_ms,
    struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db,
	    "UPDATE channel SET forbidden = ?2, forbidden_ms = ?3"
	    " WHERE id = ?1 AND forbidden IS NOT ?2");
	stmt_int(&s, 1, (int64_t)channel);
	stmt_text(&s, 2, why);
	if (why)
		stmt_int(&s, 3, at_ms);
	return stmt_once(&s, e);
}
