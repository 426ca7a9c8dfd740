#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/jsonw.h"
#include "record/context.h"
#include "store/approval.h"
#include "store/base.h"
#include "store/event.h"
#include "store/tasklock.h"
#include "store/tell.h"

/* How it ended, in words for whoever comes too late. */
static int
too_late(enum decision_verdict verdict, struct err *e)
{
	static const char *const words[] = {
	    [VERDICT_APPROVE] = "this was decided already: approved",
	    [VERDICT_DENY] = "this was decided already: denied",
	    [VERDICT_CORRECT] = "this was decided already: corrected",
	    [VERDICT_STOP] = "this was decided already: stopped",
	    [VERDICT_EXPIRED] = "this has expired; nothing was done",
	    [VERDICT_INVALID] = "this can't be decided any more",
	};

	return err_set(e, ERR_REFUSED, "%s", words[verdict]);
}

static int
end(struct store *s, const struct approval_row *r,
    enum decision_verdict verdict, const char *by, const char *remark,
    struct err *e)
{
	static const char sql
	    [] = "UPDATE approval SET verdict = ?2, decider = ?3, remark = ?4,"
		 " decided_ms = ?5 WHERE id = ?1 AND verdict IS NULL";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, r->x.id);
	stmt_text(&q, 2, verdict_word(verdict));
	stmt_text(&q, 3, by);
	stmt_text(&q, 4, remark);
	stmt_int(&q, 5, clock_now_ms());
	if (stmt_once(&q, e) < 0)
		return -1;
	return event_add(s, r->x.task, r->x.turn, "decided",
	    verdict_word(verdict), e);
}

/* Let the runner know. */
static int
tell_runner(struct store *s, const struct approval_row *r,
    const struct context *who, struct err *e)
{
	struct buf data = {0};
	int64_t row;
	int rc;

	jsonw_object(&data, NULL);
	jsonw_str(&data, "approval", r->x.id);
	jsonw_end_object(&data);
	rc = tell(s, r->x.task, TOLD_DECISION, who, NULL, buf_text(&data), &row,
	    e);
	buf_release(&data);
	return rc;
}

static int
end_and_tell(struct store *s, const struct approval_row *r,
    enum decision_verdict verdict, const struct context *who, const char *by,
    const char *remark, struct err *e)
{
	if (end(s, r, verdict, by, remark, e) < 0)
		return -1;
	return tell_runner(s, r, who, e);
}

/*
 * Does nobody wait for a decision, since the task's runner is gone? 1, 0 or -1.
 * Outside a transaction: whoever takes a task's lock may then write, so whoever
 * writes may not wait for it. It stays gone: what is pending keeps the task
 * from going on.
 */
static int
is_orphaned(struct store *s, const char *id, const struct context *who,
    struct err *e)
{
	struct approval_row r = {0};
	struct lock lock = {0};
	int gone = approval_find(&r, s, id, who, e);

	if (gone == 0 && !r.decided)
		gone = tasklock_try(&lock, r.x.task, e);
	lock_drop(&lock);
	approval_drop(&r);
	return gone;
}

/*
 * Find it for whoever wants to decide it, in a transaction: 1 if they may. 0 if
 * it has just ended, as r->verdict says, which is to be committed; or -1.
 */
static int
find_open(struct approval_row *r, struct store *s, const char *id,
    const struct context *who, bool orphaned, struct err *e)
{
	if (approval_find(r, s, id, who, e) < 0)
		return -1;
	if (r->decided)
		return too_late(r->verdict, e);
	if (orphaned) {
		r->verdict = VERDICT_INVALID;
		return end(s, r, r->verdict, NULL, NULL, e);
	}
	if (clock_now_ms() < r->x.expires_ms)
		return 1;
	r->verdict = VERDICT_EXPIRED;
	return end_and_tell(s, r, r->verdict, who, NULL, NULL, e);
}

/* A step that a person takes on an approval that is open, as one commit. */
struct step {
	int (*take)(struct store *s, const struct approval_row *r,
	    const struct context *who, const void *what, struct err *e);
	const void *what;
};

static int
take_step(struct store *s, const char *id, const struct context *who,
    const struct step *step, struct err *e)
{
	const int orphaned = is_orphaned(s, id, who, e);
	struct approval_row r = {0};
	int open, rc = -1;

	if (orphaned < 0 || store_begin(s, e) < 0)
		return -1;
	open = find_open(&r, s, id, who, orphaned, e);
	if (open > 0)
		rc = step->take(s, &r, who, step->what, e);
	CRASH_POINT("approval.step");
	if (open == 0 || rc >= 0)
		if (store_commit(s, e) < 0)
			open = -1;
	CRASH_POINT("approval.step.done");
	store_rollback(s);
	if (open == 0)
		too_late(r.verdict, e);
	approval_drop(&r);
	return open > 0 ? rc : -1;
}

static int
set_chosen(struct store *s, const char *id, int64_t place, bool chosen,
    struct err *e)
{
	static const char
	    sql[] = "UPDATE approval_item SET chosen = ?3 WHERE approval = ?1"
		    " AND i = ?2";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	stmt_int(&q, 2, place);
	stmt_int(&q, 3, chosen);
	return stmt_once(&q, e);
}

static int
set_confirming(struct store *s, const char *id, int64_t at_ms, struct err *e)
{
	static const char
	    sql[] = "UPDATE approval SET confirming_ms = ?2 WHERE id = ?1";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, id);
	stmt_opt(&q, 2, at_ms);
	return stmt_once(&q, e);
}

static bool
is_chosen(const struct approval_choice *c, const struct approval_item *item,
    size_t place)
{
	bool chosen = !c->place_count && !c->category_count;

	for (size_t i = 0; i < c->place_count && !chosen; i++)
		chosen = c->places[i] == (int64_t)place;
	for (size_t i = 0; i < c->category_count && !chosen; i++)
		chosen = strcmp(c->categories[i], item->category) == 0;
	return chosen;
}

/* Is what they choose there? */
static int
check_choice(const struct approval_choice *c, const struct approval *x,
    struct err *e)
{
	for (size_t i = 0; i < c->place_count; i++)
		if (c->places[i] < 1 || (size_t)c->places[i] > x->count)
			return err_set(e, ERR_INPUT,
			    "there is no item %lld: they are 1 to %zu",
			    (long long)c->places[i], x->count);
	for (size_t i = 0, k; i < c->category_count; i++) {
		for (k = 0; k < x->count; k++)
			if (strcmp(c->categories[i], x->items[k].category) == 0)
				break;
		if (k == x->count)
			return err_set(e, ERR_INPUT,
			    "there is no item of the kind \"%.80s\"",
			    c->categories[i]);
	}
	return 0;
}

static int
choose(struct store *s, const struct approval_row *r, const struct context *who,
    const void *what, struct err *e)
{
	const struct approval_choice *c = what;
	int count = 0;

	(void)who;
	if (check_choice(c, &r->x, e) < 0 ||
	    set_confirming(s, r->x.id, 0, e) < 0)
		return -1;
	for (size_t i = 0; i < r->x.count; i++) {
		bool chosen = is_chosen(c, &r->x.items[i], i + 1);

		count += chosen;
		if (chosen != r->chosen[i] &&
		    set_chosen(s, r->x.id, (int64_t)i + 1, chosen, e) < 0)
			return -1;
	}
	return count;
}

int
approval_choose(struct store *s, const char *id, const struct context *who,
    const struct approval_choice *choice, struct err *e)
{
	return take_step(s, id, who, &(struct step){choose, choice}, e);
}

struct wish {
	enum decision_verdict verdict;
	const char *remark;
	bool confirmed;
};

/* Does the approval of what is chosen take saying so twice? */
static bool
needs_confirming(const struct approval_row *r)
{
	for (size_t i = 0; i < r->x.count; i++)
		if (r->chosen[i] && r->x.items[i].confirm)
			return true;
	return false;
}

static int
check_wish(const struct wish *w, struct err *e)
{
	const size_t len = w->remark ? strlen(w->remark) : 0;

	if (w->verdict != VERDICT_CORRECT)
		return 0;
	if (!len || strspn(w->remark, " \t\r\n") == len)
		return err_set(e, ERR_INPUT,
		    "say in words what is to be done instead");
	if (len > APPROVAL_REMARK_MAX)
		return err_set(e, ERR_INPUT,
		    "a correction has at most %d bytes, and this has %zu",
		    APPROVAL_REMARK_MAX, len);
	return 0;
}

static int
decide(struct store *s, const struct approval_row *r, const struct context *who,
    const void *what, struct err *e)
{
	const struct wish *w = what;
	const bool twice = w->verdict == VERDICT_APPROVE && needs_confirming(r);

	if (check_wish(w, e) < 0)
		return -1;
	if (twice && !w->confirmed)
		return set_confirming(s, r->x.id, clock_now_ms(), e) < 0
			   ? -1
			   : APPROVAL_CONFIRM;
	if (twice && !r->confirming_ms)
		return err_set(e, ERR_REFUSED,
		    "this was not approved a first time, or something else was "
		    "chosen since");
	if (end_and_tell(s, r, w->verdict, who, r->asked,
		w->verdict == VERDICT_CORRECT ? w->remark : NULL, e) < 0)
		return -1;
	return APPROVAL_DECIDED;
}

int
approval_decide(struct store *s, const char *id, const struct context *who,
    enum decision_verdict verdict, const char *remark, bool confirmed,
    struct err *e)
{
	const struct wish w = {verdict, remark, confirmed};

	if (verdict == VERDICT_EXPIRED)
		return err_set(e, ERR_INPUT, "nobody decides that it expired");
	return take_step(s, id, who, &(struct step){decide, &w}, e);
}

int
approval_expire(struct store *s, const char *id, struct err *e)
{
	struct approval_row r = {0};
	int open = 0, rc = -1;

	if (store_begin(s, e) < 0)
		return -1;
	if (approval_find(&r, s, id, NULL, e) == 0) {
		open = !r.decided;
		rc = open ? end(s, &r, VERDICT_EXPIRED, NULL, NULL, e) : 0;
	}
	CRASH_POINT("approval.expire");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("approval.expire.done");
	store_rollback(s);
	approval_drop(&r);
	return rc < 0 ? -1 : open;
}

int64_t
approval_void(struct store *s, const char *task, struct err *e)
{
	static const char
	    sql[] = "UPDATE approval SET verdict = 'invalid', decided_ms = ?2"
		    " WHERE task = ?1 AND verdict IS NULL";
	struct stmt q = {0};

	stmt_start(&q, &s->db, sql);
	stmt_text(&q, 1, task);
	stmt_int(&q, 2, clock_now_ms());
	return stmt_once(&q, e) < 0 ? -1 : db_changes(&s->db);
}
