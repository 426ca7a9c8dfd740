#include "store/attest.h"

#include "core/crash.h"
#include "core/err.h"
#include "record/context.h"
#include "store/base.h"
#include "store/event.h"
#include "store/receipt.h"
#include "store/task.h"

/* Both are there, the task for whoever asks. */
static int
look(struct store *s, const char *task, int64_t call, const struct context *who,
    struct err *e)
{
	struct task_scan tasks = {0};
	struct receipt_scan receipts = {0};
	struct receipt r;
	struct task t;
	int rc = task_get(&tasks, s, task, who, &t, e);

	task_end(&tasks);
	if (rc == 0)
		rc = receipt_get(&receipts, s, task, call, &r, e);
	receipt_stop(&receipts);
	return rc;
}

int
attest_call(struct store *s, const char *task, int64_t call,
    const struct context *who, bool happened, const char *text, struct err *e)
{
	const struct receipt r = {.task = task,
	    .call = call,
	    .settled = SETTLED_ATTESTED,
	    .happened = happened,
	    .settler = who->actor.id ? who->actor.id : "local",
	    .finding = text};
	int rc;

	if (!text || !*text)
		return err_set(e, ERR_INPUT, "what did you see?");
	rc = store_begin(s, e);
	if (rc == 0)
		rc = look(s, task, call, who, e);
	if (rc == 0)
		rc = receipt_settle(s, &r, e);
	if (rc == 0)
		rc = event_add(s, task, NULL, "settled", "attested", e);
	CRASH_POINT("attest.call");
	if (rc == 0)
		rc = store_commit(s, e);
	CRASH_POINT("attest.call.done");
	store_rollback(s);
	return rc;
}
