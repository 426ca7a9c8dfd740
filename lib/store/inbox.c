#include "store/inbox.h"

#include <stdio.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/intake.h"

static int
add(struct store *s, const struct turn *t, int64_t asked_ms, bool late,
    struct err *e)
{
	static const char
	    sql[] = "INSERT INTO inbox (turn, task, record, late, asked_ms)"
		    " VALUES (?1, ?2, ?3, ?4, ?5)";
	struct buf record = {0};
	struct stmt q = {0};
	int rc;

	turn_write(&record, t);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, t->id);
	stmt_text(&q, 2, t->task);
	stmt_textn(&q, 3, buf_text(&record), record.len - 1); /* no newline */
	stmt_int(&q, 4, late);
	stmt_int(&q, 5, asked_ms);
	rc = stmt_once(&q, e);
	buf_release(&record);
	return rc;
}

int
inbox_add(struct store *s, const char *claim, const struct turn *t,
    int64_t asked_ms, bool late, struct err *e)
{
	int got = intake_claim(s, claim, t->id, clock_now_ms(), e);

	if (got <= 0)
		return got;
	return add(s, t, asked_ms, late, e) < 0 ? -1 : 1;
}

int
inbox_next(struct stmt *scan, struct store *s, int64_t after,
    struct inbox_row *row, struct err *e)
{
	static const char sql
	    [] = "SELECT id, turn, task, record, late, asked_ms, tries, due_ms"
		 " FROM inbox WHERE id > ?1 ORDER BY id LIMIT 1";
	int got;

	stmt_start(scan, &s->db, sql);
	stmt_int(scan, 1, after);
	got = stmt_next(scan, e);
	if (got > 0)
		*row = (struct inbox_row){
		    .id = row_int(scan, 0),
		    .turn = row_text(scan, 1),
		    .task = row_text_opt(scan, 2),
		    .record = row_text(scan, 3),
		    .late = row_int(scan, 4) != 0,
		    .asked_ms = row_int(scan, 5),
		    .tries = row_int(scan, 6),
		    .due_ms = row_int(scan, 7),
		};
	return got;
}

int
inbox_tried(struct store *s, const char *turn, int64_t due_ms, struct err *e)
{
	static const char sql[] =
	    "UPDATE inbox SET tries = tries + 1, due_ms = ?2 WHERE turn = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	stmt_int(&q, 2, due_ms);
	return stmt_once(&q, e);
}

int
inbox_settle(struct store *s, const char *turn, struct err *e)
{
	static const char sql[] = "DELETE FROM inbox WHERE turn = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	return stmt_once(&q, e);
}

/*
 * Statements on some turns that wait. Their claims are taken first: a runner
 * that was started for one, and has not begun it, must not.
 */
#define TAKE(turns)                                                            \
	"INSERT OR IGNORE INTO claim (key, turn, at_ms)"                       \
	" SELECT 'turn:' || turn, turn, ?2 FROM inbox WHERE turn IN (" turns   \
	")"
#define LEAVE(turns)                                                           \
	"DELETE FROM address WHERE turn IN (" turns                            \
	") AND turn NOT IN (SELECT id FROM turn)"
#define DROP(turns) "DELETE FROM inbox WHERE turn IN (" turns ")"

#define THIS "SELECT turn FROM inbox WHERE turn = ?1"
#define OF_TASK "SELECT turn FROM inbox WHERE task = ?1"
#define OF_MESSAGE "SELECT turn FROM address WHERE request = ?1"

static int
claim(struct store *s, const char *take, const char *id, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, take);
	stmt_text(&q, 1, id);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e);
}

/* Do it to what is named by the id: whether anything was changed, or -1. */
static int
put_off(struct store *s, const char *sql, const char *id, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	return stmt_once(&q, e) < 0 ? -1 : db_changes(&s->db) > 0;
}

int
inbox_cancel(struct store *s, const char *turn, struct err *e)
{
	if (claim(s, TAKE(THIS), turn, e) < 0 ||
	    put_off(s, LEAVE(THIS), turn, e) < 0)
		return -1;
	return put_off(s, DROP(THIS), turn, e);
}

int
inbox_cancel_task(struct store *s, const char *task, struct err *e)
{
	if (claim(s, TAKE(OF_TASK), task, e) < 0 ||
	    put_off(s, LEAVE(OF_TASK), task, e) < 0)
		return -1;
	return put_off(s, DROP(OF_TASK), task, e);
}

int
inbox_of(struct store *s, const struct context *who, char turn[ID_LEN + 1],
    struct err *e)
{
	static const char
	    sql[] = "SELECT turn FROM inbox"
		    " WHERE json_extract(record, '$.actor.id') = ?1"
		    " AND json_extract(record, '$.location.channel') = ?2"
		    " AND turn NOT IN (SELECT id FROM turn)"
		    " ORDER BY id DESC LIMIT 1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, who->actor.id);
	stmt_text(&q, 2, who->location.channel);
	row = stmt_next(&q, e);
	if (row > 0)
		snprintf(turn, ID_LEN + 1, "%s", row_text(&q, 0));
	stmt_end(&q);
	return row;
}

int
inbox_withdraw(struct store *s, const char *message, struct err *e)
{
	if (claim(s, TAKE(OF_MESSAGE), message, e) < 0)
		return -1;
	return put_off(s, DROP(OF_MESSAGE), message, e);
}

int
inbox_sweep(struct store *s, struct err *e)
{
	return db_exec(&s->db,
	    "DELETE FROM inbox WHERE turn IN (SELECT id FROM turn);"
	    "DELETE FROM address WHERE turn NOT IN (SELECT id FROM turn)"
	    " AND turn NOT IN (SELECT turn FROM inbox)",
	    e);
}

void
inbox_places(struct stmt *scan, struct store *s)
{
	stmt_start(scan, &s->db,
	    "SELECT DISTINCT a.channel FROM inbox i"
	    " JOIN address a ON a.turn = i.turn WHERE a.application IS NULL");
}

int64_t
inbox_trim(struct store *s, int64_t keep, int64_t since_ms, struct err *e)
{
	static const char sql
	    [] = "DELETE FROM inbox WHERE late AND (asked_ms < ?2 OR id NOT IN"
		 " (SELECT id FROM inbox WHERE late"
		 "   ORDER BY asked_ms DESC, id DESC LIMIT ?1))";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, keep);
	stmt_int(&q, 2, since_ms);
	rc = stmt_once(&q, e);
	return rc < 0 ? -1 : db_changes(&s->db);
}
