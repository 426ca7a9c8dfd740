#include <string.h>

#include "access/decide.h"
#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "runtime/batch.h"
#include "runtime/executor_inside.h"
#include "runtime/kit.h"
#include "tool/manifest.h"

/* Keep what was proposed: the record lasts no longer than this call. */
static void
keep(struct deed *f, const struct json *record)
{
	struct buf copy = {0};
	struct err e = {0};

	jsonw_value(&copy, NULL, record);
	if (json_object(&f->record, buf_text(&copy), copy.len, &e) < 0 ||
	    proposal_read(&f->proposal, f->record, &e) < 0) {
		err_in(&e, "%s answered wrongly", f->call->name);
		deed_refuse(f, &e, NULL);
	}
	buf_release(&copy);
}

static void
answer_wrongly(struct deed *f, const char *type)
{
	struct err e = {0};

	err_set(&e, ERR_INTERNAL,
	    "%s was asked what it would do, and answered with a %.40s",
	    f->call->name, type ? type : "thing");
	deed_refuse(f, &e, NULL);
}

static bool
on_line(void *ctx, const struct json *record)
{
	struct deed *f = ctx;
	const char *type = json_string(record, "type");

	if (type && strcmp(type, "progress") == 0) {
		f->executor->progress(f->executor->ctx,
		    json_string(record, "text"));
		return false;
	}
	f->executor->looks = false;
	if (type && strcmp(type, "proposal") == 0) {
		keep(f, record);
	} else if (type && strcmp(type, "error") == 0) {
		f->ended = true;
		batch_write_record(f->call, record, false);
		batch_end(f->call);
	} else {
		answer_wrongly(f, type);
	}
	return true;
}

static void
on_failed(void *ctx, const struct err *why)
{
	struct deed *f = ctx;

	f->executor->looks = false;
	deed_refuse(f, why, NULL);
}

/* Have the tool look: it changes nothing. */
static int
check(struct executor *x, struct deed *f, struct err *e)
{
	const struct manifest *tool = f->call->tool;
	const struct crew_post *post = kit_post(x->kit, tool, e);
	const struct call call = {
	    .id = f->call->id,
	    .capability = tool->name,
	    .arguments.tree = f->call->input,
	    .tier = tool->tier,
	    .phase = PHASE_CHECK,
	    .context = x->context,
	};
	struct buf line = {0};
	int result = -1;

	f->job = (struct crew_job){
	    .id = f->call->id,
	    .deadline_ms = clock_boot_ms() + (int64_t)tool->time_limit_s * 1000,
	    .line = on_line,
	    .failed = on_failed,
	    .ctx = f,
	};
	call_write(&line, &call);
	if (post)
		result = crew_give(x->crew, post, line.data, line.len - 1,
		    &f->job, e);
	x->looks = result == 0;
	buf_release(&line);
	return result;
}

/* What the decision makes of it; 0 or -1 with the reason. */
static int
judge(struct executor *x, struct deed *f, const struct access_decision *d,
    struct err *e)
{
	if (d->verdict == ACCESS_DENY)
		return err_set(e, ERR_DENIED, "%s: %s", f->call->name, d->why);
	if (!f->record)
		return check(x, f, e);
	if (executor_publication(x, f, e) < 0)
		return -1;
	f->asks = d->verdict == ACCESS_ASK;
	f->confirm = d->confirm;
	x->at++;
	return 0;
}

bool
executor_look(struct executor *x)
{
	struct deed *f = &x->deeds[x->at];
	struct access_decision d = {0};
	struct err e = {0};
	int rc = 1;

	if (x->at == x->count) {
		executor_ask(x);
		return true;
	}
	if (x->looks)
		return false;
	if (f->ended) {
		x->at++;
		return true;
	}
	if (!f->valid)
		rc = batch_check(f->call, &e) < 0 ? -1 : 1;
	f->valid = true;
	if (rc > 0)
		rc = executor_decide(x, f, !f->record, &d, &e);
	if (rc > 0 && judge(x, f, &d, &e) < 0)
		rc = -1;
	access_release(&d);
	if (rc < 0)
		deed_refuse(f, &e, NULL);
	return rc != 0;
}
