#include "store/intake.h"

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "record/turn.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/receipt.h"
#include "store/recovery.h"
#include "store/task.h"

int
intake_claim(struct store *s, const char *claim, const char *turn,
    int64_t now_ms, struct err *e)
{
	static const char
	    sql[] = "INSERT OR IGNORE INTO claim (key, turn, at_ms)"
		    " VALUES (?1, ?2, ?3)";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, claim);
	stmt_text(&q, 2, turn);
	stmt_int(&q, 3, now_ms);
	rc = stmt_once(&q, e);
	return rc < 0 ? -1 : db_changes(&s->db) > 0;
}

int
intake_create(struct store *s, const char *task, const struct turn *t,
    const char *profile, int64_t now_ms, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO task (id, owner, owner_name, location, visibility,"
	    "  objective, approval, profile, state, created_ms, changed_ms)"
	    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'running', ?9, ?9"
	    "  WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE task = ?1)";
	char place[PLACE_LEN];
	struct stmt q = {0};
	int rc;

	place_text(place, &t->location);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, t->actor.id);
	stmt_text(&q, 3, t->actor.name ? t->actor.name : "");
	stmt_text(&q, 4, place);
	stmt_text(&q, 5, visibility_word(t->visibility));
	stmt_text(&q, 6, t->text);
	stmt_text(&q, 7, approval_mode_word(t->approval));
	stmt_text(&q, 8, t->profile ? t->profile : profile);
	stmt_int(&q, 9, now_ms);
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED, "task %s was forgotten", task);
	return rc;
}

/* Nothing in the task may wait to be settled or decided. */
static int
check_settled(struct store *s, const char *task, struct err *e)
{
	char id[ID_LEN + 1];
	int row;

	if (receipt_settled(s, task, e) < 0)
		return -1;
	row = approval_pending(s, task, id, e);
	if (row > 0)
		return err_set(e, ERR_REFUSED,
		    "an approval in task %s is pending", task);
	return row;
}

static int
set_running(struct store *s, const char *task, const struct turn *t,
    int64_t now_ms, struct err *e)
{
	static const char sql
	    [] = "UPDATE task SET state = 'running', reason = NULL,"
		 " changed_ms = ?2, profile = ifnull(?3, profile),"
		 " visibility = iif(?4, 'private', visibility) WHERE id = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, now_ms);
	stmt_text(&q, 3, t->profile);
	stmt_int(&q, 4, t->visibility == VISIBILITY_PRIVATE);
	return stmt_once(&q, e);
}

int
intake_resume(struct store *s, const char *task, const struct turn *t,
    int64_t now_ms, struct err *e)
{
	const struct context who = {.actor = t->actor, .location = t->location};
	struct recovered found = {0};
	struct task_scan scan = {0};
	struct task row;
	int rc, left_running = 0;

	rc = task_get(&scan, s, task, &who, &row, e);
	if (rc == 0)
		left_running = row.state == TASK_RUNNING;
	task_end(&scan);
	if (left_running) /* we hold its lock, so its runner is dead */
		rc = recovery_one(s, task, &found, e);
	if (rc < 0 || check_settled(s, task, e) < 0)
		return -1;
	return set_running(s, task, t, now_ms, e);
}

int
intake_turn(struct store *s, const char *task, const struct turn *t,
    int64_t now_ms, struct err *e)
{
	static const char sql[] =
	    "INSERT INTO turn (id, task, n, actor, actor_name, text, record,"
	    "  state, started_ms, reply)"
	    " SELECT ?1, ?2, ifnull(max(n), 0) + 1, ?3, ?4, ?5, ?6, 'running',"
	    "  ?7, json_extract(?6, '$.reply.id') FROM turn WHERE task = ?2";
	struct buf record = {0};
	struct stmt q = {0};
	int rc;

	turn_write(&record, t);
	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, t->id);
	stmt_text(&q, 2, task);
	stmt_text(&q, 3, t->actor.id);
	stmt_text(&q, 4, t->actor.name ? t->actor.name : "");
	stmt_text(&q, 5, t->text);
	stmt_textn(&q, 6, buf_text(&record), record.len - 1); /* no newline */
	stmt_int(&q, 7, now_ms);
	rc = stmt_once(&q, e);
	buf_release(&record);
	return rc;
}
