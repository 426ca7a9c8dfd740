#include "store/work.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "store/base.h"

/* So many calls had been asked for by then: see store/retract. */
#define CALLS "(SELECT calls FROM task WHERE id = ?1)"

static const char *const states[] = {"open", "in_progress", "blocked", "done"};

int
goal_state_of(const char *word)
{
	for (int i = GOAL_OPEN; i <= GOAL_DONE; i++)
		if (strcmp(states[i], word) == 0)
			return i;
	return -1;
}

static int
check_text(const char *text, struct err *e)
{
	size_t len = strlen(text);

	if (len && len <= WORK_TEXT_MAX)
		return 0;
	return err_set(e, ERR_INPUT, "a text of %zu bytes; 1 to %d fit", len,
	    WORK_TEXT_MAX);
}

/* Insert a text (?2) at the time (?3) for the task (?1); gives its number. */
static int
insert(struct store *s, const char *sql, const char *task, const char *text,
    int64_t *n, struct err *e)
{
	struct stmt q = {0};
	int row;

	if (check_text(text, e) < 0)
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, text);
	stmt_int(&q, 3, clock_now_ms());
	row = stmt_next(&q, e);
	if (row > 0) {
		*n = row_int(&q, 0);
		row = stmt_run(&q, e);
	}
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
plan_put(struct store *s, const char *task, const char *text, int64_t *version,
    struct err *e)
{
	static const char
	    sql[] = "INSERT INTO plan (task, version, text, at_ms, calls)"
		    " SELECT ?1, ifnull(max(version), 0) + 1, ?2, ?3, " CALLS
		    "  FROM plan WHERE task = ?1 RETURNING version";

	return insert(s, sql, task, text, version, e);
}

int
plan_get(struct store *s, const char *task, struct buf *b, int64_t *version,
    struct err *e)
{
	static const char sql[] = "SELECT version, text FROM plan WHERE"
				  " task = ?1 ORDER BY version DESC LIMIT 1";
	struct stmt q = {0};
	int row;

	*version = 0;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	if (row > 0) {
		*version = row_int(&q, 0);
		buf_add(b, row_text(&q, 1), row_len(&q, 1));
	}
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
note_add(struct store *s, const char *task, const char *text, int64_t *n,
    struct err *e)
{
	static const char
	    sql[] = "INSERT INTO note (task, n, text, at_ms, calls)"
		    " SELECT ?1, ifnull(max(n), 0) + 1, ?2, ?3, " CALLS
		    "  FROM note WHERE task = ?1 RETURNING n";

	return insert(s, sql, task, text, n, e);
}

int
note_clear(struct store *s, const char *task, int64_t n, struct err *e)
{
	static const char sql[] = "DELETE FROM note WHERE task = ?1 AND n = ?2";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, n);
	rc = stmt_once(&q, e);
	return rc < 0 ? -1 : (int)db_changes(&s->db);
}

int
goal_open(struct store *s, const char *task, const char *text, int64_t *n,
    struct err *e)
{
	static const char sql[] =
	    "INSERT INTO goal (task, n, text, state, created_ms, changed_ms,"
	    "  calls) SELECT ?1, ifnull(max(n), 0) + 1, ?2, 'open', ?3, ?3,"
	    " " CALLS " FROM goal WHERE task = ?1 RETURNING n";

	return insert(s, sql, task, text, n, e);
}

int
goal_set(struct store *s, const char *task, int64_t n, int state,
    const char *text, const char *remark, struct err *e)
{
	static const char
	    sql[] = "UPDATE goal SET state = ifnull(?3, state),"
		    " text = ifnull(?4, text), remark = ifnull(?5, remark),"
		    " changed_ms = ?6, calls = " CALLS
		    " WHERE task = ?1 AND n = ?2";
	struct stmt q = {0};
	int rc;

	if ((text && check_text(text, e) < 0) ||
	    (remark && check_text(remark, e) < 0))
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, n);
	stmt_text(&q, 3, state < 0 ? NULL : states[state]);
	stmt_text(&q, 4, text);
	stmt_text(&q, 5, remark);
	stmt_int(&q, 6, clock_now_ms());
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_INPUT, "there is no goal %" PRId64, n);
	return rc;
}

int64_t
goals_left(struct store *s, const char *task, struct err *e)
{
	static const char sql[] = "SELECT count(*) FROM goal WHERE task = ?1"
				  " AND state <> 'done'";
	struct stmt q = {0};
	int64_t n;
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	n = row > 0 ? row_int(&q, 0) : -1;
	stmt_end(&q);
	return n;
}

void
note_list(struct item_scan *scan, struct store *s, const char *task,
    int64_t after, int64_t limit)
{
	static const char
	    sql[] = "SELECT n, at_ms, text, '', '' FROM note"
		    " WHERE task = ?1 AND n > ?2 ORDER BY n LIMIT ?3";

	stmt_start(&scan->rows, &s->db, sql);
	stmt_text(&scan->rows, 1, task);
	stmt_int(&scan->rows, 2, after);
	stmt_int(&scan->rows, 3, limit ? limit : -1);
}

void
goal_list(struct item_scan *scan, struct store *s, const char *task)
{
	static const char
	    sql[] = "SELECT n, changed_ms, text, state, remark FROM goal"
		    " WHERE task = ?1 ORDER BY n";

	stmt_start(&scan->rows, &s->db, sql);
	stmt_text(&scan->rows, 1, task);
}

int
item_next(struct item_scan *scan, struct item *x, struct err *e)
{
	struct stmt *q = &scan->rows;
	int row = stmt_next(q, e);

	if (row > 0)
		*x = (struct item){
		    .n = row_int(q, 0),
		    .at_ms = row_int(q, 1),
		    .text = row_text(q, 2),
		    .state = row_text(q, 3),
		    .remark = row_text(q, 4),
		};
	return row;
}

void
item_end(struct item_scan *scan)
{
	stmt_end(&scan->rows);
}
