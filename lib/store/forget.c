#include "store/forget.h"

#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "record/context.h"
#include "store/base.h"
#include "store/content.h"
#include "store/filelock.h"
#include "store/inbox.h"
#include "store/receipt.h"
#include "store/recovery.h"
#include "store/task.h"
#include "store/tasklock.h"

enum {
	FILES_MS = 1000, /* for one who puts a file there by hand */
	SWEEP_MS = 1000, /* for those who write contents */
};

static int
run(struct store *s, const char *sql, const char *task, struct err *e)
{
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	if (strstr(sql, "?2"))
		stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e);
}

static int
erase(struct store *s, const char *task, struct err *e)
{
	static const char
	    mark[] = "INSERT INTO forgotten (task, at_ms) VALUES (?1, ?2)";
	static const char usage[] = "DELETE FROM usage WHERE task = ?1";
	static const char rest[] = "DELETE FROM task WHERE id = ?1";
	struct recovered found = {0};

	if (recovery_one(s, task, &found, e) < 0 || /* if its runner died */
	    receipt_settled(s, task, e) < 0 || run(s, mark, task, e) < 0 ||
	    run(s, usage, task, e) < 0 || inbox_cancel_task(s, task, e) < 0)
		return -1;
	return run(s, rest, task, e); /* and all that refers to it */
}

static int
erase_locked(struct store *s, const char *task, struct err *e)
{
	struct lock lock = {0}, files = {0};
	int rc = tasklock_try(&lock, task, e);

	if (rc == 0)
		return err_set(e, ERR_AGAIN, "task %s is running", task);
	if (rc > 0)
		rc = filelock_try(&files, task, FILES_MS, e);
	if (rc == 0)
		rc = err_set(e, ERR_AGAIN, "the files of task %s are in use",
		    task);
	if (rc > 0)
		rc = store_begin(s, e);
	if (rc == 0)
		rc = erase(s, task, e);
	CRASH_POINT("forget.task");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("forget.task.done");
	if (rc == 0) {
		filelock_end(&files, task);
		tasklock_end(&lock, task);
	}
	store_rollback(s);
	lock_drop(&files);
	lock_drop(&lock);
	return rc;
}

/* What nothing refers to any more, out of blob/ and the log. */
static int
clear_bytes(struct store *s, struct err *e)
{
	if (content_sweep(s, SWEEP_MS, e) < 0)
		return -1;
	return db_truncate_wal(&s->db, e);
}

/* Was it forgotten before, and are we to finish that? 1, 0 or -1. */
static int
marked(struct store *s, const char *task, const struct context *who,
    struct err *e)
{
	static const char sql[] = "SELECT 1 FROM forgotten WHERE task = ?1";
	struct stmt q = {0};
	int row;

	if (strcmp(who->actor.id ? who->actor.id : "local", "local") != 0)
		return 0;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

int
forget_task(struct store *s, const char *id, const struct context *who,
    struct err *e)
{
	struct task_scan scan = {0};
	struct task row;
	int rc = marked(s, id, who, e);

	if (rc == 0) {
		rc = task_get(&scan, s, id, who, &row, e);
		task_end(&scan);
		if (rc == 0)
			rc = erase_locked(s, id, e);
	}
	if (rc < 0)
		return -1;
	if (clear_bytes(s, e) < 0)
		return err_in(e,
		    "task %s is forgotten, but its bytes are not "
		    "cleared yet: repeat this",
		    id);
	return 0;
}

/* The ids of those tasks, ID_LEN bytes each, to b. */
static int
old(struct store *s, int64_t before_ms, struct buf *b, struct err *e)
{
	static const char sql[] =
	    "SELECT id FROM task t WHERE changed_ms < ?1 AND state <> 'running'"
	    " AND NOT EXISTS (SELECT 1 FROM receipt r WHERE r.task = t.id"
	    "  AND r.state = 'unknown' AND NOT EXISTS (SELECT 1"
	    "   FROM settlement x WHERE x.task = t.id AND x.call = r.call))";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_int(&q, 1, before_ms);
	while ((row = stmt_next(&q, e)) > 0)
		if (id_valid(row_text(&q, 0)))
			buf_str(b, row_text(&q, 0));
	stmt_end(&q);
	return row;
}

int64_t
forget_before(struct store *s, int64_t before_ms, struct err *e)
{
	struct buf ids = {0};
	char task[ID_LEN + 1] = "";
	int64_t gone = 0;
	int rc = old(s, before_ms, &ids, e);

	for (size_t i = 0; rc == 0 && i < ids.len; i += ID_LEN) {
		memcpy(task, ids.data + i, ID_LEN);
		rc = erase_locked(s, task, e);
		gone += rc == 0;
		if (rc < 0 && e->kind == ERR_AGAIN) { /* it was resumed */
			*e = (struct err){0};
			rc = 0;
		}
	}
	buf_release(&ids);
	if (rc == 0 && gone)
		rc = clear_bytes(s, e);
	return rc < 0 ? -1 : gone;
}
