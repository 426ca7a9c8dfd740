#include "store/ending.h"

#include "core/clock.h"
#include "core/err.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/event.h"
#include "store/outbox.h"
#include "store/runner.h"
#include "store/task.h"
#include "store/work.h"

static const char *const kinds[] = {
    [DONE_ANSWERED] = "answer",
    [DONE_PAUSED] = "paused",
    [DONE_FAILED] = "error",
    [DONE_CANCELLED] = "paused",
};

static int
end_turn(struct store *s, const char *turn, const struct ending *end,
    struct err *e)
{
	static const char
	    sql[] = "UPDATE turn SET state = ?2, answer = ?3, ended_ms = ?4"
		    " WHERE id = ?1 AND state = 'running'";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, turn);
	stmt_text(&q, 2, done_word(end->verdict));
	stmt_text(&q, 3, end->text);
	stmt_int(&q, 4, clock_now_ms());
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED, "turn %s has ended", turn);
	return rc;
}

static int
end_task(struct store *s, const char *task, enum task_state state,
    const char *reason, struct err *e)
{
	static const char
	    sql[] = "UPDATE task SET state = ?2, reason = ?3, changed_ms = ?4"
		    " WHERE id = ?1 AND state = 'running'";
	struct stmt q = {0};
	int rc;

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_text(&q, 2, task_state_word(state));
	stmt_text(&q, 3, reason);
	stmt_int(&q, 4, clock_now_ms());
	rc = stmt_once(&q, e);
	if (rc == 0 && db_changes(&s->db) == 0)
		return err_set(e, ERR_REFUSED, "task %s has ended", task);
	return rc;
}

/* The state that a verdict gives the task, and the reason that goes with it. */
static int
state_after(struct store *s, const char *task, const struct ending *end,
    const char **reason, struct err *e)
{
	int64_t left;

	*reason = NULL;
	switch (end->verdict) {
	case DONE_CANCELLED: return TASK_CANCELLED;
	case DONE_FAILED:
		*reason = end->reason ? end->reason : "error";
		return TASK_FAILED;
	case DONE_PAUSED:
		*reason = end->reason ? end->reason : "stopped";
		return TASK_PAUSED;
	case DONE_ANSWERED: break;
	}
	left = goals_left(s, task, e);
	if (left > 0)
		*reason = "goals";
	return left < 0 ? -1 : left > 0 ? TASK_PAUSED : TASK_COMPLETED;
}

int
ending_write(struct store *s, const char *task, const char *turn,
    const struct ending *end, struct err *e)
{
	const char *reason;
	int state = state_after(s, task, end, &reason, e);

	if (state < 0 || end_turn(s, turn, end, e) < 0 ||
	    end_task(s, task, (enum task_state)state, reason, e) < 0 ||
	    approval_void(s, task, e) < 0)
		return -1;
	if (end->record &&
	    outbox_add(s, task, turn, kinds[end->verdict], end->record, e) < 0)
		return -1;
	if (event_add(s, task, turn, done_word(end->verdict), reason, e) < 0)
		return -1;
	return state;
}
