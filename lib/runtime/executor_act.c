#include <inttypes.h>
#include <string.h>

#include "access/decide.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/control.h"
#include "record/error.h"
#include "record/part.h"
#include "record/result.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "runtime/kit.h"
#include "store/guildlock.h"
#include "store/runner.h"
#include "store/runner_change.h"
#include "tool/manifest.h"

enum { LOCK_RETRY_MS = 20, STORE_TRIES = 3 };

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

/* To the next one, whatever became of this one. */
static bool
next(struct executor *x)
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
	return next(x);
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
	return rc < 0 ? -1 : 0;
}

static enum call_state
call_state(enum receipt_state state)
{
	switch (state) {
	case RECEIPT_SUCCEEDED: return CALL_OK;
	case RECEIPT_UNKNOWN: return CALL_UNKNOWN;
	case RECEIPT_SKIPPED: return CALL_SKIPPED;
	case RECEIPT_INTENT:
	case RECEIPT_PARTIAL:
	case RECEIPT_FAILED: break;
	}
	return CALL_ERROR;
}

/* Store the outcome; a store that is busy is tried again. */
static int
settle(struct executor *x, struct deed *f, enum receipt_state state,
    const struct json *sources, struct err *e)
{
	const struct outcome o = {
	    .n = f->n,
	    .state = call_state(state),
	    .summary = f->call->summary,
	    .output = buf_text(&f->call->output),
	    .sources = sources,
	};
	int rc = -1;

	for (int i = 0; i < STORE_TRIES && rc < 0; i++) {
		if (i > 0 && e->kind != ERR_AGAIN)
			break;
		*e = (struct err){0};
		rc = runner_settle(x->runner, &o, state, e);
	}
	return rc;
}

/* What is said of one that was done in part, when its tool only says why. */
static void
write_partly(struct executor *x, struct deed *f, const char *why)
{
	struct buf parts = {0}, line = {0}, summary = {0};
	struct result r = {.id = f->call->id};
	struct json *record = NULL;
	struct err e = {0};

	buf_fmt(&summary,
	    "Done in part: %d of %d requests succeeded, then: %s. What was "
	    "done stays; don't repeat the whole.",
	    f->parts.succeeded, f->parts.succeeded + f->parts.failed, why);
	if (receipt_parts(&parts, x->runner->store, x->runner->task, f->n,
		&e) == 0)
		r.data.text = buf_text(&parts);
	r.summary = buf_text(&summary);
	result_write(&line, &r);
	if (json_object(&record, buf_text(&line), line.len, &e) == 0)
		batch_write_record(f->call, record, true);
	json_free(record);
	buf_release(&parts);
	buf_release(&line);
	buf_release(&summary);
}

/* What is said of the call; record is the tool's last word, or NULL. */
static void
write_outcome(struct executor *x, struct deed *f, enum receipt_state state,
    const struct json *record, const struct err *why)
{
	const char *type = record ? json_string(record, "type") : NULL;
	const bool result = type && strcmp(type, "result") == 0;
	struct err e = {0};

	if (state == RECEIPT_UNKNOWN) {
		err_set(&e, ERR_UNKNOWN,
		    "it isn't known whether this was done: %s", why->text);
		batch_write_error(f->call, &e, NULL);
	} else if (state == RECEIPT_PARTIAL && !result) {
		write_partly(x, f, why->text);
	} else if (record) {
		batch_write_record(f->call, record, result);
	} else {
		batch_write_error(f->call, why, NULL);
	}
}

static void
skip_rest(struct executor *x)
{
	for (size_t i = x->at + 1; i < x->count; i++)
		if (!x->deeds[i].ended)
			deed_skip(&x->deeds[i],
			    "the outcome of the change before is not known");
}

/* The tool is done with it: judge, store, go on. */
static void
finish(struct deed *f, enum outcome_end end, const struct json *record,
    const struct err *why)
{
	struct executor *x = f->executor;
	enum receipt_state state = outcome_judge(f->lost ? OUTCOME_DOUBT : end,
	    &f->parts);
	struct err e = {0};

	write_outcome(x, f, state, record, why);
	if (settle(x, f, state, json_get(record, "sources"), &e) == 0) {
		f->call->stored = true;
	} else {
		state = RECEIPT_UNKNOWN;
		x->broken = e;
	}
	if (state == RECEIPT_UNKNOWN) {
		buf_fmt(&x->doubt, "- %s (call %s): %s\n", f->proposal.text,
		    f->call->id,
		    x->broken.kind ? "its outcome could not be stored"
				   : why->text);
		skip_rest(x);
	}
	f->ended = true;
	batch_end(f->call);
	next(x);
}

static void
say(struct deed *f, enum control_kind kind, int64_t n)
{
	struct buf line = {0};
	struct err e = {0};

	control_write(&line,
	    &(struct control){.kind = kind, .id = f->call->id, .n = n});
	crew_say(&f->job, line.data, line.len - 1, &e); /* else it is gone */
	buf_release(&line);
}

/* It is about to send the next request: not before that is on the disk. */
static void
begin_part(struct deed *f, const struct part *part)
{
	struct executor *x = f->executor;
	struct err e = {0};
	int rc = 0;

	if (!x->halted && !f->lost && !f->parts.open)
		rc = runner_part(x->runner, f->n, part, &e);
	if (rc <= 0) {
		say(f, CONTROL_CANCEL, 0);
		return;
	}
	f->parts.open = 1;
	x->progress(x->ctx, part->text);
	CRASH_POINT("executor.go");
	say(f, CONTROL_GO, part->n);
	CRASH_POINT("executor.go.done");
}

static void
end_part(struct deed *f, const struct part *part)
{
	struct err e = {0};

	if (!f->parts.open ||
	    runner_part(f->executor->runner, f->n, part, &e) < 0) {
		f->lost = true;
		return;
	}
	f->parts.open = 0;
	f->parts.succeeded += part->state == PART_SUCCEEDED;
	f->parts.failed += part->state == PART_FAILED;
	f->parts.unknown += part->state == PART_UNKNOWN;
}

static void
take_part(struct deed *f, const struct json *record)
{
	struct part part;
	struct err e = {0};

	if (part_read(&part, record, &e) < 0)
		f->lost = true;
	else if (part.state == PART_INTENT)
		begin_part(f, &part);
	else
		end_part(f, &part);
}

static void
take_result(struct deed *f, const struct json *record)
{
	struct result r;
	struct err e = {0};

	if (result_read(&r, record, &e) < 0) {
		finish(f, OUTCOME_DOUBT, NULL, &e);
		return;
	}
	err_set(&e, ERR_UNKNOWN, "%s", r.summary);
	finish(f, r.ok ? OUTCOME_DONE : OUTCOME_PARTLY, record, &e);
}

static void
take_error(struct deed *f, const struct json *record)
{
	struct error x;
	struct err e = {0};

	if (error_read(&x, record, &e) < 0) {
		finish(f, OUTCOME_DOUBT, NULL, &e);
		return;
	}
	err_set(&e, x.kind, "%s", x.text);
	finish(f, x.effect == EFFECT_NONE ? OUTCOME_NOTHING : OUTCOME_DOUBT,
	    record, &e);
}

static bool
on_line(void *ctx, const struct json *record)
{
	struct deed *f = ctx;
	const char *type = json_string(record, "type");
	struct err e = {0};

	if (type && strcmp(type, "progress") == 0) {
		f->executor->progress(f->executor->ctx,
		    json_string(record, "text"));
		return false;
	}
	if (type && strcmp(type, "part") == 0) {
		take_part(f, record);
		return false;
	}
	if (type && strcmp(type, "result") == 0) {
		take_result(f, record);
	} else if (type && strcmp(type, "error") == 0) {
		take_error(f, record);
	} else {
		err_set(&e, ERR_INTERNAL, "its tool said nothing of use");
		finish(f, OUTCOME_DOUBT, NULL, &e);
	}
	return true;
}

static void
on_failed(void *ctx, const struct err *why)
{
	finish(ctx, OUTCOME_DOUBT, NULL, why);
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
	    .line = on_line,
	    .failed = on_failed,
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
		finish(f, OUTCOME_UNSENT, NULL, &e);
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
		return next(x);
	rc = take_lock(x, f, &e);
	if (rc > 0)
		rc = clear(x, f, &e);
	if (rc == 0)
		return false;
	if (rc > 0)
		rc = executor_publication(x, f, &e) < 0 ? -1 : intend(x, f, &e);
	if (rc < 0) {
		deed_refuse(f, &e, NULL);
		return next(x);
	}
	if (rc == 0) {
		deed_skip(f, "something was said meanwhile");
		return next(x);
	}
	if (look_again(x, f, &e) < 0)
		return withdraw(x, f, &e);
	act(x, f);
	return true;
}
