#include "store/runner_change.h"

#include "core/crash.h"
#include "core/err.h"
#include "record/part.h"
#include "store/base.h"
#include "store/late.h"
#include "store/round.h"
#include "store/runner.h"
#include "store/runner_inside.h"

/* Commit if it went well so far, else roll back: 0 or -1. */
static int
end(struct runner *r, int rc, struct err *e)
{
	if (rc == 0)
		rc = store_commit(r->store, e);
	store_rollback(r->store);
	return rc;
}

int
runner_intend(struct runner *r, struct receipt *x, struct err *e)
{
	int stale, rc;

	if (runner_write(r, e) < 0)
		return -1;
	stale = runner_unseen(r, e);
	x->state = stale ? RECEIPT_SKIPPED : RECEIPT_INTENT;
	rc = stale < 0 ? -1 : receipt_intend(r->store, x, e);
	CRASH_POINT("change.intent");
	rc = end(r, rc, e);
	CRASH_POINT("change.intent.done");
	return rc < 0 ? -1 : !stale;
}

int
runner_stale(struct runner *r, struct err *e)
{
	return runner_unseen(r, e);
}

int
runner_part(struct runner *r, int64_t call, const struct part *part,
    struct err *e)
{
	int stale = 0, rc;

	if (runner_write(r, e) < 0)
		return -1;
	if (part->state == PART_INTENT)
		stale = runner_unseen(r, e);
	if (stale != 0) {
		store_rollback(r->store);
		return stale < 0 ? -1 : 0;
	}
	rc = receipt_part(r->store, r->task, call, part, e);
	CRASH_POINT("change.part");
	rc = end(r, rc, e);
	CRASH_POINT("change.part.done");
	return rc < 0 ? -1 : 1;
}

int
runner_settle(struct runner *r, const struct outcome *o,
    enum receipt_state state, struct err *e)
{
	struct late late = {0};
	int rc;

	if (runner_write(r, e) < 0)
		return -1;
	rc = late_take(&late, r->store, &r->stones, r->task, o, e);
	if (rc >= 0)
		rc = receipt_end(r->store, r->task, o->n, state,
		    late.outcome.output, e);
	if (rc == 0)
		rc = round_outcome(r->store, r->task, &late.outcome, e);
	late_release(&late);
	CRASH_POINT("change.outcome");
	rc = end(r, rc, e);
	CRASH_POINT("change.outcome.done");
	return rc;
}

int
runner_withdraw(struct runner *r, int64_t call, const char *why, struct err *e)
{
	int rc;

	if (runner_write(r, e) < 0)
		return -1;
	rc = receipt_end(r->store, r->task, call, RECEIPT_SKIPPED, why, e);
	CRASH_POINT("change.withdraw");
	rc = end(r, rc, e);
	CRASH_POINT("change.withdraw.done");
	return rc;
}
