#include "store/purge.h"

#include <limits.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/home.h"
#include "core/lock.h"
#include "record/purge_status.h"
#include "store/content.h"
#include "store/purge_index.h"
#include "store/retract.h"
#include "store/spool_wipe.h"
#include "store/tombstone.h"

enum {
	AT_ONCE = 256,  /* deletions */
	TURN_MS = 30,   /* of the task store */
	ALONE_MS = 5000 /* to wait for another one at work */
};

/* The first ones that wait for a step; *last is the id of the last of them. */
static int
take(struct purge *p, enum purge_step step, struct graves *g, int64_t *last,
    struct err *e)
{
	struct stmt s = {0};
	int row;

	*last = 0;
	stmt_start(&s, &p->knowledge.db,
	    "SELECT id, kind, target, at_ms FROM purge WHERE step = ?1"
	    " ORDER BY id LIMIT ?2");
	stmt_int(&s, 1, step);
	stmt_int(&s, 2, AT_ONCE);
	while ((row = stmt_next(&s, e)) > 0) {
		*last = row_int(&s, 0);
		graves_add(g, &(struct grave){
				  .kind = grave_kind_of(row_text(&s, 1)),
				  .id = (uint64_t)row_int(&s, 2),
				  .at_ms = row_int(&s, 3),
			      });
	}
	stmt_end(&s);
	return row;
}

/* The step is done for those up to that id. */
static int
advance(struct purge *p, enum purge_step step, int64_t last, struct err *e)
{
	static const char next[] = "UPDATE purge SET step = step + 1"
				   " WHERE step = ?1 AND id <= ?2";
	static const char end[] = "DELETE FROM purge"
				  " WHERE step = ?1 AND id <= ?2";
	struct stmt s = {0};

	if (store_begin(&p->knowledge, e) < 0)
		return -1;
	stmt_start(&s, &p->knowledge.db, step + 1 == PURGE_STEPS ? end : next);
	stmt_int(&s, 1, step);
	stmt_int(&s, 2, last);
	if (stmt_once(&s, e) < 0) {
		store_rollback(&p->knowledge);
		return -1;
	}
	CRASH_POINT("purge.advance");
	if (store_commit(&p->knowledge, e) < 0)
		return -1;
	CRASH_POINT("purge.advance.done");
	return 0;
}

/* Some of them, from *at on, in one turn. */
static int
retract_some(struct store *tasks, const struct graves *g, size_t *at,
    struct err *e)
{
	int64_t until_ms;
	int rc = 0;

	if (store_begin(tasks, e) < 0)
		return -1;
	until_ms = clock_boot_ms() + TURN_MS;
	while (rc >= 0 && *at < g->count && clock_boot_ms() < until_ms)
		rc = retract_grave(tasks, &g->at[(*at)++], e);
	if (rc < 0) {
		store_rollback(tasks);
		return -1;
	}
	CRASH_POINT("purge.tasks");
	if (store_commit(tasks, e) < 0)
		return -1;
	CRASH_POINT("purge.tasks.done");
	return 0;
}

/* 1, or 0 if it has to be done again later. */
static int
purge_tasks(const struct graves *g, struct err *e)
{
	struct store tasks = {0};
	struct err busy = {0};
	size_t at = 0;
	int rc = store_exists("tasks", e);

	if (rc <= 0)
		return rc < 0 ? -1 : 1;
	rc = store_open(&tasks, "tasks", STORE_WRITE, e);
	while (rc == 0 && at < g->count)
		rc = retract_some(&tasks, g, &at, e);
	if (rc == 0 && (content_sweep(&tasks, 0, &busy) < 0 ||
			   db_truncate_wal(&tasks.db, &busy) < 0)) {
		rc = busy.kind == ERR_AGAIN ? 0 : -1;
		*e = rc < 0 ? busy : *e;
	} else if (rc == 0) {
		CRASH_POINT("purge.tasks.cut");
		rc = 1;
	}
	store_close(&tasks);
	return rc;
}

static int
do_step(enum purge_step step, struct graves *g, bool now, struct err *e)
{
	switch (step) {
	case PURGE_TASKS: return purge_tasks(g, e);
	case PURGE_SPOOL: graves_sort(g); return spool_wipe(g, e) < 0 ? -1 : 1;
	default: return purge_index(g, now, e);
	}
}

/*
 * The step for those that wait for it: 1 if that did something, 0 if there is
 * nothing to do now, or -1.
 */
static int
run_step(struct purge *p, enum purge_step step, bool now, struct err *e)
{
	struct graves g = {0};
	int64_t last;
	int rc = take(p, step, &g, &last, e);

	if (rc == 0 && g.count)
		rc = do_step(step, &g, now, e);
	if (rc > 0 && rc != PURGE_INDEX_MORE && advance(p, step, last, e) < 0)
		rc = -1;
	graves_release(&g);
	return rc < 0 ? -1 : rc > 0;
}

static int
is_pending(struct purge *p, struct err *e)
{
	int64_t there;
	int rc = 1;

	if (!p->knowledge.db.raw)
		rc = store_exists("knowledge", e);
	if (rc <= 0)
		return rc;
	if (!p->knowledge.db.raw &&
	    store_open(&p->knowledge, "knowledge", STORE_WRITE, e) < 0)
		return -1;
	if (db_int(&p->knowledge.db, "SELECT EXISTS (SELECT 1 FROM purge)", 0,
		&there, e) < 0)
		return -1;
	return there != 0;
}

/* One at a time: 1, 0 if another one is at work, or -1. */
static int
be_alone(struct lock *l, int wait_ms, struct err *e)
{
	char path[PATH_MAX];
	struct err busy = {0};

	if (home_path(path, "run/purge", e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, wait_ms, &busy) == 0)
		return 1;
	if (busy.kind == ERR_AGAIN)
		return 0;
	*e = busy;
	return -1;
}

static int
some(struct purge *p, bool now, int wait_ms, struct err *e)
{
	struct lock alone = {0};
	int rc = is_pending(p, e), more = 0;

	if (rc > 0)
		rc = be_alone(&alone, wait_ms, e);
	for (int step = PURGE_TASKS; step < PURGE_STEPS && rc > 0; step++) {
		int did = run_step(p, (enum purge_step)step, now, e);

		more |= did > 0;
		rc = did < 0 ? -1 : 1;
	}
	lock_drop(&alone);
	return rc < 0 ? -1 : more;
}

int
purge_some(struct purge *p, bool now, struct err *e)
{
	return some(p, now, 0, e);
}

int
purge_all(struct err *e)
{
	struct purge p = {0};
	int more;

	while ((more = some(&p, true, ALONE_MS, e)) > 0)
		;
	purge_close(&p);
	return more;
}

int64_t
purge_count(struct purge_status *status, struct err *e)
{
	int64_t *const to[PURGE_STEPS] = {&status->tasks, &status->spool,
	    &status->index};
	struct store s = {0};
	struct stmt q = {0};
	int row = store_exists("knowledge", e);

	*status = (struct purge_status){0};
	if (row <= 0)
		return row;
	if (store_open(&s, "knowledge", STORE_READ, e) < 0)
		return -1;
	stmt_start(&q, &s.db,
	    "SELECT step, count(*) FROM purge WHERE step BETWEEN 0 AND ?1"
	    " GROUP BY step");
	stmt_int(&q, 1, PURGE_STEPS - 1);
	while ((row = stmt_next(&q, e)) > 0)
		*to[row_int(&q, 0)] = row_int(&q, 1);
	stmt_end(&q);
	store_close(&s);
	return row < 0 ? -1 : status->tasks + status->spool + status->index;
}

void
purge_close(struct purge *p)
{
	store_close(&p->knowledge);
}
