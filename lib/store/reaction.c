#include "store/reaction.h"

#include "core/err.h"
#include "ext/db.h"

/* One number that a statement with the message and a time gives. */
static int
ask(struct db *db, const char *sql, uint64_t message, int64_t at_ms,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, (int64_t)message);
	stmt_int(&s, 2, at_ms);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

/* What isn't given is bound to nothing: NULL, or not in the statement. */
static int
run(struct db *db, const char *sql, uint64_t message, int64_t at_ms,
    const char *emoji, struct err *e)
{
	struct stmt s = {0};

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, (int64_t)message);
	if (at_ms)
		stmt_int(&s, 2, at_ms);
	if (emoji)
		stmt_text(&s, 3, emoji);
	return stmt_once(&s, e);
}

/* A page that was asked for later has it in its counts. */
static int
is_counted(struct db *db, uint64_t message, int64_t at_ms, struct err *e)
{
	return ask(db,
	    "SELECT 1 FROM touched WHERE message = ?1 AND page_ms >= ?2",
	    message, at_ms, e);
}

int
reaction_since(struct db *db, uint64_t message, int64_t at_ms, struct err *e)
{
	return ask(db,
	    "SELECT 1 FROM touched WHERE message = ?1 AND event_ms >= ?2",
	    message, at_ms, e);
}

int
reaction_touch(struct db *db, uint64_t message, int64_t at_ms, struct err *e)
{
	return run(db,
	    "INSERT INTO touched(message, event_ms, page_ms) VALUES (?1, ?2, 0)"
	    " ON CONFLICT(message) DO UPDATE SET event_ms = max(event_ms, ?2)",
	    message, at_ms, NULL, e);
}

int
reaction_counted(struct db *db, uint64_t message, int64_t asked_ms,
    struct err *e)
{
	if (run(db, "DELETE FROM reaction WHERE message = ?1", message, 0, NULL,
		e) < 0)
		return -1;
	return run(db,
	    "INSERT INTO touched(message, event_ms, page_ms) VALUES (?1, 0, ?2)"
	    " ON CONFLICT(message) DO UPDATE SET page_ms = max(page_ms, ?2)",
	    message, asked_ms, NULL, e);
}

static int
keep(struct db *db, const struct reaction *r, int *change, struct err *e)
{
	static const char sql
	    [] = "INSERT INTO reaction(message, emoji, user, is_on)"
		 " VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET is_on = ?4"
		 " WHERE is_on <> ?4";
	struct stmt s = {0};
	int result;

	stmt_start(&s, db, sql);
	stmt_int(&s, 1, (int64_t)r->message);
	stmt_text(&s, 2, r->emoji);
	stmt_int(&s, 3, (int64_t)r->user);
	stmt_int(&s, 4, r->on);
	result = stmt_once(&s, e);
	if (result == 0 && db_changes(db) > 0)
		*change = r->on ? 1 : -1;
	return result;
}

int
reaction_put(struct db *db, const struct reaction *r, int *change,
    struct err *e)
{
	int counted = is_counted(db, r->message, r->at_ms, e);

	*change = 0;
	if (counted)
		return counted < 0 ? -1 : 0;
	if (reaction_touch(db, r->message, r->at_ms, e) < 0)
		return -1;
	return keep(db, r, change, e);
}

int
reaction_clear(struct db *db, uint64_t message, const char *emoji,
    int64_t at_ms, struct err *e)
{
	int counted = is_counted(db, message, at_ms, e);

	if (counted)
		return counted < 0 ? -1 : 0;
	if (reaction_touch(db, message, at_ms, e) < 0)
		return -1;
	/* Votes of a poll are no reactions. */
	if (run(db,
		"DELETE FROM reaction WHERE message = ?1"
		" AND emoji = coalesce(?3, emoji) AND emoji NOT LIKE 'vote:%'",
		message, 0, emoji, e) < 0)
		return -1;
	return 1;
}
