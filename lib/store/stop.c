#include "store/stop.h"

#include <stdbool.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "record/paused.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/event.h"
#include "store/inbox.h"
#include "store/outbox.h"
#include "store/recovery.h"
#include "store/task.h"
#include "store/tasklock.h"
#include "store/tell.h"

static int
look(struct store *s, const char *id, const struct context *who,
    enum task_state *state, struct err *e)
{
	struct task_scan scan = {0};
	struct task row;
	int rc = task_get(&scan, s, id, who, &row, e);

	if (rc == 0)
		*state = row.state;
	task_end(&scan);
	return rc;
}

static int
tell_it(struct store *s, const char *id, enum told_kind kind, const char *text,
    const struct context *who, struct err *e)
{
	int64_t row;

	CRASH_POINT("stop.tell");
	if (store_begin(s, e) == 0 &&
	    tell(s, id, kind, who, text, NULL, &row, e) == 0 &&
	    (kind != TOLD_STOP || inbox_cancel_task(s, id, e) >= 0))
		return store_commit(s, e);
	store_rollback(s);
	return -1;
}

void
stop_word(struct buf *b, const char *id)
{
	paused_write(b,
	    &(struct paused){.task = id,
		.reason = PAUSED_STOPPED,
		.text = "It was stopped. What was done is kept; to go on with "
			"it, resume it."});
}

/* Whoever asked learns that nothing more comes of it. */
static int
tell_requester(struct store *s, const char *id, struct err *e)
{
	struct buf record = {0};
	int rc;

	stop_word(&record, id);
	rc = outbox_add(s, id, NULL, "paused", buf_text(&record), e);
	buf_release(&record);
	return rc;
}

/* End a paused task: its lock is ours, and a transaction is open. */
static int
cancel(struct store *s, const char *id, struct err *e)
{
	static const char
	    sql[] = "UPDATE task SET state = 'cancelled', reason = NULL,"
		    " changed_ms = ?2 WHERE id = ?1 AND state = 'paused'";
	struct recovered found = {0};
	struct stmt q = {0};
	int waited;
	bool ended;

	if (recovery_one(s, id, &found, e) < 0) /* if its runner died */
		return -1;
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	stmt_int(&q, 2, clock_now_ms());
	if (stmt_once(&q, e) < 0)
		return -1;
	ended = db_changes(&s->db) == 0;
	waited = inbox_cancel_task(s, id, e);
	if (waited < 0)
		return -1;
	if (ended) /* but somebody wanted to go on with it */
		return waited ? STOP_CANCELLED : STOP_OVER;
	if (approval_void(s, id, e) < 0 || tell_requester(s, id, e) < 0 ||
	    event_add(s, id, NULL, "cancelled", "stopped", e) < 0)
		return -1;
	return STOP_CANCELLED;
}

static int
cancel_locked(struct store *s, const char *id, struct err *e)
{
	int done;

	if (store_begin(s, e) < 0)
		return -1;
	done = cancel(s, id, e);
	CRASH_POINT("stop.cancel");
	if (done >= 0 && store_commit(s, e) < 0)
		return -1;
	CRASH_POINT("stop.cancel.done");
	store_rollback(s);
	return done;
}

int
stop_task(struct store *s, const char *id, const struct context *who,
    struct err *e)
{
	struct lock lock = {0};
	enum task_state state = TASK_RUNNING;
	int rc;

	if (look(s, id, who, &state, e) < 0)
		return -1;
	rc = tasklock_try(&lock, id, e);
	if (rc > 0)
		rc = cancel_locked(s, id, e);
	else if (rc == 0 && state != TASK_RUNNING && state != TASK_PAUSED)
		rc = STOP_OVER; /* it was just about to end */
	else if (rc == 0)
		rc = tell_it(s, id, TOLD_STOP, NULL, who, e) < 0 ? -1
								 : STOP_TOLD;
	lock_drop(&lock);
	return rc;
}

int
steer_task(struct store *s, const char *id, const char *text,
    const struct context *who, struct err *e)
{
	struct lock lock = {0};
	enum task_state state = TASK_RUNNING;
	int idle;

	if (look(s, id, who, &state, e) < 0 ||
	    tell_it(s, id, TOLD_STEER, text, who, e) < 0)
		return -1;
	idle = tasklock_try(&lock, id, e);
	lock_drop(&lock);
	return idle < 0 ? -1 : !idle;
}
