#include <string.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/err.h"
#include "core/lock.h"
#include "ext/json.h"
#include "record/control.h"
#include "record/error.h"
#include "record/part.h"
#include "record/result.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "store/runner.h"
#include "store/runner_change.h"

enum { STORE_TRIES = 3 };

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

void
deed_finish(struct deed *f, enum outcome_end end, const struct json *record,
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
	executor_next(x);
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
		deed_finish(f, OUTCOME_DOUBT, NULL, &e);
		return;
	}
	err_set(&e, ERR_UNKNOWN, "%s", r.summary);
	deed_finish(f, r.ok ? OUTCOME_DONE : OUTCOME_PARTLY, record, &e);
}

static void
take_error(struct deed *f, const struct json *record)
{
	struct error x;
	struct err e = {0};

	if (error_read(&x, record, &e) < 0) {
		deed_finish(f, OUTCOME_DOUBT, NULL, &e);
		return;
	}
	err_set(&e, x.kind, "%s", x.text);
	deed_finish(f,
	    x.effect == EFFECT_NONE ? OUTCOME_NOTHING : OUTCOME_DOUBT, record,
	    &e);
}

bool
deed_heard(void *ctx, const struct json *record)
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
		deed_finish(f, OUTCOME_DOUBT, NULL, &e);
	}
	return true;
}

void
deed_died(void *ctx, const struct err *why)
{
	deed_finish(ctx, OUTCOME_DOUBT, NULL, why);
}
