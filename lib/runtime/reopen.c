#include "runtime/reopen.h"

#include "access/recheck.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "record/context.h"
#include "record/turn.h"
#include "store/base.h"
#include "store/retract.h"
#include "store/runner.h"

enum { LOOK_MS = 50 };

static int
is_private(const struct runner *r, struct err *e)
{
	struct stmt s = {0};
	int row;

	stmt_start(&s, &r->store->db,
	    "SELECT 1 FROM task WHERE id = ?1 AND visibility = 'private'");
	stmt_text(&s, 1, r->task);
	row = stmt_next(&s, e);
	stmt_end(&s);
	return row;
}

/* What it may rest on no more; the index may be about to hear of whoever asks. */
static int
look(struct recheck *lost, const struct runner *r, const struct turn *t,
    struct err *e)
{
	const struct context c = {.actor = t->actor,
	    .location = t->location,
	    .task = r->task,
	    .visibility = t->visibility};
	int64_t until_ms = clock_boot_ms() + REOPEN_WAIT_MS;
	int result;

	while ((result = recheck_task(lost, r->store, NULL, &c, e)) < 0 &&
	       e->kind == ERR_AGAIN && clock_boot_ms() < until_ms) {
		clock_sleep_ms(LOOK_MS);
		*e = (struct err){0};
	}
	return result;
}

/* How many there were; *from is the first round that rested on any of them. */
static int
leave_out(const struct recheck *lost, const struct runner *r, int64_t *from,
    struct err *e)
{
	int64_t first;
	int rc = 0, count = 0;

	*from = INT64_MAX;
	if (!lost->count)
		return 0;
	if (store_begin(r->store, e) < 0)
		return -1;
	for (size_t i = 0; i < lost->count && rc >= 0; i++) {
		rc = retract_from(r->store, r->task, lost->messages[i], &first,
		    e);
		count += rc > 0;
		if (rc > 0 && first < *from)
			*from = first;
	}
	CRASH_POINT("reopen.leave-out");
	if (rc < 0)
		store_rollback(r->store);
	else
		rc = store_commit(r->store, e);
	CRASH_POINT("reopen.leave-out.done");
	if (rc == 0 && !count)
		rc = err_set(e, ERR_AGAIN,
		    "what may not be read any more could not be left out");
	return rc < 0 ? -1 : count;
}

int
reopen_lost(struct runner *r, const struct context *c, int64_t *from,
    struct err *e)
{
	struct recheck lost = {0};
	int result = recheck_task(&lost, r->store, NULL, c, e);

	if (result == 0)
		result = leave_out(&lost, r, from, e);
	recheck_release(&lost);
	return result < 0 ? -1 : result > 0;
}

int
reopen_task(struct runner *r, struct turn *t, struct err *e)
{
	struct recheck lost = {0};
	int64_t from;
	int result = is_private(r, e);

	if (result > 0)
		t->visibility = VISIBILITY_PRIVATE;
	if (result < 0 || !r->resumed)
		return result < 0 ? -1 : 0;
	result = look(&lost, r, t, e);
	if (result == 0)
		result = leave_out(&lost, r, &from, e);
	recheck_release(&lost);
	return result < 0 ? -1 : 0;
}
