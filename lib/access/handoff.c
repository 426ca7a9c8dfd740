#include "access/handoff.h"

#include <string.h>

#include "access/admission.h"
#include "access/publication.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/lock.h"
#include "record/context.h"
#include "store/base.h"
#include "store/event.h"
#include "store/inbox.h"
#include "store/receipt.h"
#include "store/settings.h"
#include "store/task.h"
#include "store/tasklock.h"

/* Is there a row for what is bound: 1, 0 or -1. */
static int
is_there(struct store *s, const char *sql, const char *one, const char *two,
    struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, one);
	stmt_text(&q, 2, two);
	row = stmt_next(&q, e);
	stmt_end(&q);
	return row;
}

static int
check_owner(struct store *s, const char *task, const struct context *to,
    struct err *e)
{
	static const char
	    sql[] = "SELECT 1 FROM task WHERE id = ?1 AND owner = ?2";
	int row = is_there(s, sql, task, to->actor.id, e);

	return row == 0 ? task_missing(task, e) : row < 0 ? -1 : 0;
}

/* Is the owner let in there? */
static int
check_place(struct store *s, const struct context *to, bool there,
    struct err *e)
{
	static const char
	    sql[] = "SELECT 1 FROM task WHERE owner = ?1 AND location = ?2";
	const struct applicant who = {
	    .user = to->actor.id,
	    .guild = to->location.guild,
	    .before = true,
	};
	struct settings settings;
	char place[PLACE_LEN];
	bool allowed;
	int known = 1;

	if (settings_open(&settings, e) < 0)
		return -1;
	allowed = admission_allows(&settings, &who);
	settings_close(&settings);
	place_text(place, &to->location);
	if (!there && to->location.kind == LOCATION_DM)
		known = is_there(s, sql, to->actor.id, place, e);
	if (known < 0)
		return -1;
	if (!allowed || !known)
		return err_set(e, ERR_DENIED,
		    "the owner of the task is not let in there");
	return 0;
}

static int
move(struct store *s, const char *task, const struct context *to, struct err *e)
{
	static const char
	    sql[] = "UPDATE task SET location = ?3, visibility = 'private',"
		    " changed_ms = ?4"
		    " WHERE id = ?1 AND owner = ?2 AND state <> 'running'";
	static const char helpers[] = "DELETE FROM collaborator"
				      " WHERE task = ?1";
	char place[PLACE_LEN];
	struct stmt q = {0};

	place_text(place, &to->location);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, to->actor.id);
	stmt_text(&q, 3, place);
	stmt_int(&q, 4, clock_now_ms());
	if (stmt_once(&q, e) < 0)
		return -1;
	if (db_changes(&s->db) == 0)
		return err_set(e, ERR_AGAIN, "task %s is at work", task);
	stmt_start(&q, &s->db, helpers);
	stmt_text(&q, 1, task);
	if (stmt_once(&q, e) < 0 || inbox_cancel_task(s, task, e) < 0)
		return -1;
	return event_add(s, task, NULL, "handoff", place, e);
}

static int
move_locked(struct store *s, const char *task, const struct context *to,
    struct err *e)
{
	int rc = store_begin(s, e);

	if (rc == 0)
		rc = receipt_settled(s, task, e);
	if (rc == 0)
		rc = move(s, task, to, e);
	CRASH_POINT("handoff.move");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("handoff.move.done");
	store_rollback(s);
	return rc;
}

int
handoff_task(struct store *tasks, const char *task, const struct context *to,
    bool there, struct err *e)
{
	struct context alone = *to;
	struct lock lock = {0};
	int rc;

	alone.visibility = VISIBILITY_PRIVATE;
	alone.task = task;
	if (check_owner(tasks, task, to, e) < 0 ||
	    check_place(tasks, to, there, e) < 0)
		return -1;
	rc = tasklock_try(&lock, task, e);
	if (rc == 0)
		rc = err_set(e, ERR_AGAIN, "task %s is at work", task);
	else if (rc > 0)
		rc = publication_check(tasks, NULL, &alone, task, NULL, e);
	if (rc == 0)
		rc = move_locked(tasks, task, to, e);
	lock_drop(&lock);
	return rc;
}
