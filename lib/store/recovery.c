#include "store/recovery.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/id.h"
#include "record/paused.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/content.h"
#include "store/event.h"
#include "store/outbox.h"
#include "store/receipt.h"
#include "store/tasklock.h"

/* Run an UPDATE on the task (?1) at the time (?2); returns the rows changed. */
static int64_t
change(struct store *s, const char *sql, const char *task, struct err *e)
{
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, clock_now_ms());
	rc = stmt_once(&q, e);
	return rc < 0 ? -1 : db_changes(&s->db);
}

/* What the dead runner had under way, from the inside out. */
static int
settle_parts(struct store *s, const char *task, struct recovered *found,
    struct err *e)
{
	static const char
	    calls[] = "UPDATE call SET ended_ms = ?2, summary = 'interrupted',"
		      " state = 'error' WHERE task = ?1 AND state = 'open'";
	static const char
	    attempts[] = "UPDATE usage SET state = 'unknown', ended_ms = ?2"
			 " WHERE task = ?1 AND state = 'sent'";
	int64_t unknown, sent;

	if ((unknown = receipt_lose(s, task, e)) < 0 ||
	    approval_void(s, task, e) < 0 || change(s, calls, task, e) < 0 ||
	    (sent = change(s, attempts, task, e)) < 0)
		return -1;
	found->unknown += unknown;
	found->attempts += sent;
	return 0;
}

/* What the person is told; of changes in doubt, which those are. */
static int
write_text(struct buf *b, struct store *s, const char *task, bool unknown,
    struct err *e)
{
	struct receipt_scan scan = {0};
	struct receipt r;
	int row;

	if (!unknown) {
		buf_str(b, "I was interrupted. Nothing is lost; resume to go "
			   "on.");
		return 0;
	}
	buf_str(b, "I was interrupted while a change was under way, and do not "
		   "know whether it happened:\n");
	receipt_list(&scan, s, task, true);
	while ((row = receipt_next(&scan, &r, e)) > 0)
		buf_fmt(b, "- %s (call %s.%" PRId64 ")\n", r.text, task,
		    r.call);
	receipt_stop(&scan);
	buf_str(b, "Look whether it did, settle it, then resume.");
	return row;
}

/* Tell the requester, unless they sit at a terminal, which they saw end. */
static int
tell_requester(struct store *s, const char *task, bool unknown, struct err *e)
{
	struct paused paused = {.task = task,
	    .reason = unknown ? PAUSED_UNKNOWN : PAUSED_INTERRUPTED};
	struct buf record = {0}, text = {0};
	int rc;

	if (write_text(&text, s, task, unknown, e) < 0) {
		buf_release(&text);
		return -1;
	}
	paused.text = buf_text(&text);
	paused_write(&record, &paused);
	buf_release(&text);
	rc = outbox_add(s, task, NULL, "paused", buf_text(&record), e);
	buf_release(&record);
	return rc;
}

/* Is there a change that must be settled first: 1, 0 or -1. */
static int
in_doubt(struct store *s, const char *task, struct err *e)
{
	struct err why = {0};

	if (receipt_settled(s, task, &why) == 0)
		return 0;
	if (why.kind == ERR_REFUSED)
		return 1;
	*e = why;
	return -1;
}

int
recovery_one(struct store *s, const char *task, struct recovered *found,
    struct err *e)
{
	static const char pause
	    [] = "UPDATE task SET state = 'paused', changed_ms = ?2,"
		 " reason = 'interrupted' WHERE id = ?1 AND state = 'running'";
	static const char
	    turns[] = "UPDATE turn SET state = 'paused', ended_ms = ?2"
		      " WHERE task = ?1 AND state = 'running'";
	static const char doubt[] = "UPDATE task SET reason = 'unknown',"
				    " changed_ms = ?2 WHERE id = ?1";
	int64_t paused = change(s, pause, task, e);
	int unknown;

	if (paused <= 0)
		return (int)paused;
	found->tasks++;
	if (change(s, turns, task, e) < 0 ||
	    settle_parts(s, task, found, e) < 0 ||
	    (unknown = in_doubt(s, task, e)) < 0)
		return -1;
	if ((unknown && change(s, doubt, task, e) < 0) ||
	    tell_requester(s, task, unknown, e) < 0)
		return -1;
	return event_add(s, task, NULL, "recovered",
	    unknown ? "unknown" : "interrupted", e);
}

/* The ids of the tasks that say they run, ID_LEN bytes each, to b. */
static int
running(struct store *s, struct buf *b, struct err *e)
{
	static const char
	    sql[] = "SELECT id FROM task WHERE state = 'running' ORDER BY id";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	while ((row = stmt_next(&q, e)) > 0)
		if (id_valid(row_text(&q, 0)))
			buf_str(b, row_text(&q, 0));
	stmt_end(&q);
	return row;
}

/* Recover the task if its runner is gone; without found only say so: 1. */
static int
visit(struct store *s, const char *task, struct recovered *found, struct err *e)
{
	struct lock lock = {0};
	int rc = tasklock_try(&lock, task, e);

	if (rc > 0 && found) {
		rc = store_begin(s, e);
		if (rc == 0)
			rc = recovery_one(s, task, found, e);
		CRASH_POINT("recovery.task");
		if (rc == 0)
			rc = store_commit(s, e);
		CRASH_POINT("recovery.task.done");
		store_rollback(s);
	}
	lock_drop(&lock);
	return rc;
}

static int64_t
visit_all(struct store *s, struct recovered *found, struct err *e)
{
	struct buf ids = {0};
	char task[ID_LEN + 1] = "";
	int64_t gone = 0;
	int rc = running(s, &ids, e);

	for (size_t i = 0; rc >= 0 && i < ids.len; i += ID_LEN) {
		memcpy(task, ids.data + i, ID_LEN);
		rc = visit(s, task, found, e);
		gone += rc > 0;
	}
	buf_release(&ids);
	return rc < 0 ? -1 : gone;
}

int
recovery_run(struct store *s, struct recovered *found, struct err *e)
{
	struct err busy = {0};
	int rc;

	*found = (struct recovered){0};
	if (visit_all(s, found, e) < 0)
		return -1;
	rc = found->tasks ? content_sweep_all(s, 0, &busy) < 0
			  : content_sweep(s, 0, &busy) < 0;
	if (!rc || busy.kind == ERR_AGAIN)
		return 0;
	*e = busy;
	return -1;
}

int64_t
recovery_look(struct store *s, struct err *e)
{
	return visit_all(s, NULL, e);
}
