#include "access/decide.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/error.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "runtime/kit.h"
#include "store/guildlock.h"
#include "store/runner.h"
#include "store/runner_change.h"
#include "tool/manifest.h"

enum { LOCK_RETRY_MS = 20 };

static void
on_retry(void *ctx)
{
	(void)ctx; /* to wake is all: executor_go() tries again */
}

/* The lock of the server: 1 it is ours (or there is none), 0 wait, or -1. */
static int
take_lock(struct executor *x, const struct deed *f, struct err *e)
{
	int got;

	if (!f->proposal.guild || x->lock.fd)
		return 1;
	got = guildlock_try(&x->lock, f->proposal.guild, e);
	if (got != 0)
		return got;
	if (!x->waited)
		x->progress(x->ctx, "Waiting for another change in this "
				    "server");
	x->waited = true;
	poll_stop_timer(&x->timer);
	x->timer = (struct poll_timer){.fire = on_retry, .ctx = x};
	poll_set_timer(x->poll, &x->timer, clock_boot_ms() + LOCK_RETRY_MS);
	return 0;
}

bool
executor_next(struct executor *x)
{
	roles_forget(&x->roles);
	lock_drop(&x->lock);
	x->waited = false;
	x->at++;
	x->step = EXECUTOR_LOCK;
	return true;
}

/* Decide anew: 1 it may be made, 0 roles are asked for, or -1 and why not. */
static int
clear(struct executor *x, const struct deed *f, struct err *e)
{
	struct access_decision d = {0};
	int rc = executor_decide(x, f, false, &d, e);

	if (rc > 0 && d.verdict == ACCESS_DENY)
		rc = err_set(e, ERR_DENIED, "%s: %s", f->call->name, d.why);
	else if (rc > 0 && d.verdict == ACCESS_ASK &&
		 (!f->approved || (d.confirm && !f->confirmed)))
		rc = err_set(e, ERR_APPROVAL,
		    "%s must be asked about now, which it needn't when it was "
		    "wanted; nothing was done. Ask for it again",
		    f->call->name);
	access_release(&d);
	return rc;
}

static int
intend(struct executor *x, struct deed *f, struct err *e)
{
	struct buf arguments = {0}, plan = {0};
	struct receipt r = {
	    .task = x->runner->task,
	    .call = f->n,
	    .capability = f->call->name,
	    .nonce = f->nonce,
	    .text = f->proposal.text,
	    .guild = f->proposal.guild,
	    .items = f->items.len ? buf_text(&f->items) : NULL,
	    .approval = f->approved ? f->approval : NULL,
	};
	int rc;

	jsonw_value(&arguments, NULL, f->call->input);
	r.arguments = buf_text(&arguments);
	if (f->proposal.plan.tree) {
		jsonw_value(&plan, NULL, f->proposal.plan.tree);
		r.plan = buf_text(&plan);
	}
	rc = runner_intend(x->runner, &r, e);
	buf_release(&arguments);
	buf_release(&plan);
	return rc;
}

/* The intent is on the disk, and nothing was sent: take it back. */
static bool
withdraw(struct executor *x, struct deed *f, const struct err *why)
{
	struct buf line = {0};
	struct err e = {0};

	error_write_err(&line, f->call->id, why);
	if (runner_withdraw(x->runner, f->n, buf_text(&line), &e) < 0)
		x->broken = e;
	buf_release(&line);
	if (why->kind == ERR_REFUSED)
		f->call->skipped = true;
	deed_refuse(f, why, NULL);
	return executor_next(x);
}

/* Once more, now that it is on the disk: 0, or -1 and why not. */
static int
look_again(struct executor *x, const struct deed *f, struct err *e)
{
	int rc = runner_stale(x->runner, e);

	if (rc > 0)
		return err_set(e, ERR_REFUSED,
		    "skipped: something was said meanwhile");
	if (rc < 0)
		return -1;
	rc = clear(x, f, e);
	if (rc == 0)
		return err_set(e, ERR_AGAIN,
		    "who may do this changed just now; nothing was done");
	return rc < 0 ? -1 : executor_publication(x, f, e);
}

static void
write_call(struct buf *line, const struct executor *x, const struct deed *f)
{
	const struct manifest *tool = f->call->tool;

	call_write(line,
	    &(struct call){
		.id = f->call->id,
		.capability = tool->name,
		.arguments.tree = f->call->input,
		.tier = tool->tier,
		.phase = PHASE_ACT,
		.nonce = f->nonce,
		.only.text = f->items.len ? buf_text(&f->items) : NULL,
		.plan = f->proposal.plan,
		.context = x->context,
	    });
}

/* From here on it may have happened. */
static void
act(struct executor *x, struct deed *f)
{
	struct err e = {0};
	const struct crew_post *post = kit_post(x->kit, f->call->tool, &e);
	struct buf line = {0};
	int rc = -1;

	f->job = (struct crew_job){
	    .id = f->call->id,
	    .deadline_ms = clock_boot_ms() +
			   (int64_t)f->call->tool->time_limit_s * 1000,
	    .talks = true,
	    .line = deed_heard,
	    .failed = deed_died,
	    .ctx = f,
	};
	write_call(&line, x, f);
	x->step = EXECUTOR_ACT;
	CRASH_POINT("executor.act");
	if (post)
		rc = crew_give(x->crew, post, line.data, line.len - 1, &f->job,
		    &e);
	CRASH_POINT("executor.act.done");
	if (rc < 0)
		deed_finish(f, OUTCOME_UNSENT, NULL, &e);
	buf_release(&line);
}

bool
executor_dispatch(struct executor *x)
{
	struct deed *f = &x->deeds[x->at];
	struct err e = {0};
	int rc;

	if (x->at == x->count)
		return false;
	if (!deed_goes(f))
		return executor_next(x);
	rc = take_lock(x, f, &e);
	if (rc > 0)
		rc = clear(x, f, &e);
	if (rc == 0)
		return false;
	if (rc > 0)
		rc = executor_publication(x, f, &e) < 0 ? -1 : intend(x, f, &e);
	if (rc < 0) {
		deed_refuse(f, &e, NULL);
		return executor_next(x);
	}
	if (rc == 0) {
		deed_skip(f, "something was said meanwhile");
		return executor_next(x);
	}
	if (look_again(x, f, &e) < 0)
		return withdraw(x, f, &e);
	act(x, f);
	return true;
}
