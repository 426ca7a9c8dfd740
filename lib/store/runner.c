#include "store/runner.h"

#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "store/base.h"
#include "store/ending.h"
#include "store/event.h"
#include "store/intake.h"
#include "store/late.h"
#include "store/receipt.h"
#include "store/round.h"
#include "store/runner_inside.h"
#include "store/task.h"
#include "store/tasklock.h"
#include "store/tell.h"

/* Is it the actor's task, and here? An operator sees others', and no more. */
static int
look(struct store *s, const struct turn *t, struct err *e)
{
	const struct context who = {.actor = t->actor, .location = t->location};
	struct task_scan scan = {0};
	struct task row;
	char place[PLACE_LEN];
	int rc;

	if (!id_valid(t->task))
		return task_missing(t->task, e);
	place_text(place, &t->location);
	rc = task_get(&scan, s, t->task, &who, &row, e);
	if (rc == 0 && (strcmp(row.owner, t->actor.id) != 0 ||
			   strcmp(row.place, place) != 0))
		rc = err_set(e, ERR_DENIED,
		    "task %s is another's: only its owner can go on with it, "
		    "where it was started",
		    t->task);
	task_end(&scan);
	return rc;
}

/* The counters that go on over all turns, and which stops are old. */
static int
load(struct runner *r, struct err *e)
{
	static const char
	    sql[] = "SELECT calls, control,"
		    " (SELECT ifnull(max(n), 0) FROM round WHERE task = ?1),"
		    " (SELECT ifnull(max(id), 0) FROM control WHERE task = ?1),"
		    " approval = 'ask'"
		    " FROM task WHERE id = ?1";
	struct stmt q = {0};
	int row;

	stmt_start(&q, &r->store->db, sql);
	stmt_text(&q, 1, r->task);
	row = stmt_next(&q, e);
	if (row > 0) {
		r->calls = row_int(&q, 0);
		r->seen = row_int(&q, 1);
		r->rounds = row_int(&q, 2);
		r->stops = row_int(&q, 3);
		r->asks = row_int(&q, 4) != 0;
	}
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

static int
take_in(struct runner *r, const struct turn *t, const char *profile,
    struct err *e)
{
	const int64_t now_ms = clock_now_ms();
	int rc;

	if (r->resumed)
		rc = intake_resume(r->store, r->task, t, now_ms, e);
	else
		rc = intake_create(r->store, r->task, t, profile, now_ms, e);
	if (rc < 0 || intake_turn(r->store, r->task, t, now_ms, e) < 0)
		return -1;
	rc = event_add(r->store, r->task, t->id,
	    r->resumed ? "resumed" : "created", NULL, e);
	if (rc < 0 || load(r, e) < 0)
		return -1;
	return late_turn(r->store, &r->stones, t, e);
}

static int
start(struct runner *r, const struct turn *t, const char *claim,
    const char *profile, struct err *e)
{
	int got;

	if (store_begin(r->store, e) < 0)
		return -1;
	got = intake_claim(r->store, claim, t->id, clock_now_ms(), e);
	if (got <= 0 || take_in(r, t, profile, e) < 0) {
		store_rollback(r->store);
		return got == 0 ? 0 : -1;
	}
	CRASH_POINT("runner.claim");
	if (store_commit(r->store, e) < 0)
		return -1;
	CRASH_POINT("runner.claim.done");
	return 1;
}

int
runner_start(struct runner *r, struct store *s, const struct turn *t,
    const char *claim, const char *profile, struct err *e)
{
	int rc;

	*r = (struct runner){.store = s,
	    .started_ms = clock_boot_ms(),
	    .resumed = t->task != NULL,
	    .dirty = t->task != NULL};
	if (!id_valid(t->id))
		return err_set(e, ERR_INPUT, "the turn's id is none of ours");
	if (t->task && look(s, t, e) < 0)
		return -1;
	if (t->task)
		memcpy(r->task, t->task, sizeof(r->task));
	else
		id_new(r->task);
	memcpy(r->turn, t->id, sizeof(r->turn));
	rc = tasklock_try(&r->lock, r->task, e);
	if (rc == 0)
		return err_set(e, ERR_AGAIN, "task %s is running", r->task);
	if (rc > 0)
		rc = start(r, t, claim, profile, e);
	if (rc <= 0)
		runner_release(r);
	return rc;
}

int
runner_poll(struct runner *r, struct err *e)
{
	int64_t version;

	if (db_data_version(&r->store->db, &version, e) < 0)
		return -1;
	if (version != r->version)
		r->dirty = true;
	r->version = version;
	return r->dirty;
}

int
runner_told(struct runner *r, struct told *t, struct err *e)
{
	static const char
	    sql[] = "SELECT id, kind, actor, actor_name, text, data, at_ms"
		    " FROM control WHERE task = ?1 AND id > ?2"
		    " AND (kind <> 'stop' OR id > ?3) ORDER BY id LIMIT 1";
	struct stmt *q = &r->told;
	enum told_kind kind = TOLD_STEER;
	int row;

	stmt_start(q, &r->store->db, sql);
	stmt_text(q, 1, r->task);
	stmt_int(q, 2, r->seen);
	stmt_int(q, 3, r->stops);
	row = stmt_next(q, e);
	if (row <= 0) {
		r->dirty = row < 0;
		stmt_reset(q);
		return row;
	}
	while (kind < TOLD_INVALIDATE &&
	       strcmp(told_word(kind), row_text(q, 1)) != 0)
		kind++;
	*t = (struct told){
	    .id = row_int(q, 0),
	    .kind = kind,
	    .actor = row_text(q, 2),
	    .actor_name = row_text(q, 3),
	    .text = row_text_opt(q, 4),
	    .data = row_text_opt(q, 5),
	    .at_ms = row_int(q, 6),
	};
	r->seen = t->id;
	return 1;
}

int
runner_unseen(struct runner *r, struct err *e)
{
	static const char sql[] =
	    "SELECT EXISTS (SELECT 1 FROM control WHERE task = ?1 AND id > ?2"
	    " AND (kind <> 'stop' OR id > ?3))";
	struct stmt q = {0};
	int row, there;

	stmt_start(&q, &r->store->db, sql);
	stmt_text(&q, 1, r->task);
	stmt_int(&q, 2, r->seen);
	stmt_int(&q, 3, r->stops);
	row = stmt_next(&q, e);
	there = row > 0 && row_int(&q, 0);
	stmt_end(&q);
	if (there)
		r->dirty = true;
	return row < 0 ? -1 : there;
}

/* What was told is let go of, since a read can't become a write. */
int
runner_write(struct runner *r, struct err *e)
{
	stmt_reset(&r->told);
	return store_begin(r->store, e);
}

static int
count(struct runner *r, int64_t calls, struct err *e)
{
	static const char
	    sql[] = "UPDATE task SET calls = ?2, control = ?3 WHERE id = ?1";
	struct stmt q = {0};

	stmt_start(&q, &r->store->db, sql);
	stmt_text(&q, 1, r->task);
	stmt_int(&q, 2, calls);
	stmt_int(&q, 3, r->seen);
	return stmt_once(&q, e);
}

int
runner_calls(struct runner *r, const char *message, const struct call *calls,
    size_t n, struct err *e)
{
	const int64_t round = r->rounds + 1, last = r->calls + (int64_t)n;
	int stale;

	if (runner_write(r, e) < 0)
		return -1;
	stale = runner_unseen(r, e);
	if (stale != 0)
		goto fail;
	if (round_add(r->store, r->task, r->turn, round, message, e) < 0 ||
	    round_calls(r->store, r->task, round, r->calls + 1, calls, n, e) <
		0 ||
	    count(r, last, e) < 0) {
		stale = -1;
		goto fail;
	}
	CRASH_POINT("runner.calls");
	if (store_commit(r->store, e) < 0)
		return -1;
	CRASH_POINT("runner.calls.done");
	r->calls = last;
	r->rounds = round;
	return 1;
fail:
	store_rollback(r->store);
	return stale > 0 ? 0 : -1;
}

/* Store what may be of an outcome: 1 if that is less, 0, or -1. */
static int
keep(struct runner *r, const struct outcome *o, struct err *e)
{
	struct late late = {0};
	int less = late_take(&late, r->store, &r->stones, r->task, o, e);

	if (less >= 0 && round_outcome(r->store, r->task, &late.outcome, e) < 0)
		less = -1;
	late_release(&late);
	return less;
}

int
runner_results(struct runner *r, const struct outcome *outcomes, size_t n,
    struct err *e)
{
	int less = 0;

	if (runner_write(r, e) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int rc = keep(r, &outcomes[i], e);

		if (rc < 0) {
			store_rollback(r->store);
			return -1;
		}
		less |= rc;
	}
	CRASH_POINT("runner.results");
	if (store_commit(r->store, e) < 0)
		return -1;
	CRASH_POINT("runner.results.done");
	return less;
}

int
runner_turn(struct runner *r, struct buf *b, struct err *e)
{
	struct stmt q = {0};
	int row;

	stmt_start(&q, &r->store->db, "SELECT record FROM turn WHERE id = ?1");
	stmt_text(&q, 1, r->turn);
	row = stmt_next(&q, e);
	if (row > 0)
		buf_str(b, row_text(&q, 0));
	stmt_end(&q);
	return row < 0 ? -1 : 0;
}

int
runner_output(struct runner *r, int64_t n, struct buf *b, struct err *e)
{
	return round_output(r->store, r->task, n, b, e);
}

int
runner_finish(struct runner *r, const struct ending *end, struct err *e)
{
	int state, stale = 0;

	if (runner_write(r, e) < 0)
		return -1;
	if (end->verdict == DONE_ANSWERED)
		stale = runner_unseen(r, e);
	if (stale != 0) {
		store_rollback(r->store);
		return stale > 0 ? TASK_RUNNING : -1;
	}
	if (count(r, r->calls, e) < 0 ||
	    receipt_lose(r->store, r->task, e) < 0 ||
	    round_skip(r->store, r->task, e) < 0 ||
	    (state = ending_write(r->store, r->task, r->turn, end, e)) < 0) {
		store_rollback(r->store);
		return -1;
	}
	CRASH_POINT("runner.finish");
	if (store_commit(r->store, e) < 0)
		return -1;
	CRASH_POINT("runner.finish.done");
	lock_drop(&r->lock);
	return state;
}

void
runner_release(struct runner *r)
{
	stmt_end(&r->told);
	tombstones_close(&r->stones);
	lock_drop(&r->lock);
}
