#include "runtime/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/poll.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/any.h"
#include "record/call.h"
#include "record/error.h"
#include "record/result.h"
#include "runtime/executor.h"
#include "runtime/guard.h"
#include "runtime/kit.h"
#include "runtime/validate.h"
#include "tool/manifest.h"

/* The answer as the guard compares it: the id, which comes first, differs. */
static const char *
without_id(const struct batch_call *c)
{
	const char *text = buf_text(&c->output), *id = strstr(text, c->id);

	return id ? id + strlen(c->id) : text;
}

void
batch_end(struct batch_call *c)
{
	enum guard_says says = GUARD_GO;

	c->state = BATCH_ENDED;
	c->batch->left--;
	if (!c->skipped && !c->repeated)
		says = guard_result(c->batch->guard, c->name, c->arguments,
		    without_id(c), c->ok);
	if (says == GUARD_PAUSE)
		c->batch->pause = true;
	if (says == GUARD_CORRECT)
		c->batch->warn = true;
}

void
batch_write_error(struct batch_call *c, const struct err *why, const char *code)
{
	c->ok = false;
	snprintf(c->summary, sizeof(c->summary), "%s", why->text);
	buf_clear(&c->output);
	error_write(&c->output,
	    &(struct error){.id = c->id,
		.kind = why->kind,
		.text = why->text,
		.code = code,
		.effect = why->kind == ERR_UNKNOWN ? EFFECT_UNKNOWN
						   : EFFECT_NONE});
}

static void
answer_error(struct batch_call *c, const struct err *why)
{
	batch_write_error(c, why, NULL);
	batch_end(c);
}

/* The record that answers the call, with its id, which may be left out. */
static void
copy(struct batch_call *c, const struct json *record)
{
	c->output.limit = BATCH_OUTPUT_MAX;
	jsonw_object(&c->output, NULL);
	jsonw_str(&c->output, "type", json_string(record, "type"));
	jsonw_str(&c->output, "id", c->id);
	for (const struct json *m = json_first(record); m; m = json_next(m))
		if (strcmp(json_key(m), "type") != 0 &&
		    strcmp(json_key(m), "id") != 0)
			jsonw_value(&c->output, json_key(m), m);
	if (c->handing.artifacts.len && !json_get(record, "artifacts")) {
		jsonw_end_array(&c->handing.artifacts);
		jsonw_raw(&c->output, "artifacts", c->handing.artifacts.data,
		    c->handing.artifacts.len);
	}
	jsonw_line(&c->output);
}

void
batch_write_record(struct batch_call *c, const struct json *record, bool result)
{
	const char *text = json_string(record, result ? "summary" : "text");
	struct err e = {0};

	copy(c, record);
	if (c->output.full) {
		err_set(&e, ERR_REFUSED, "the result of %s is too long",
		    c->name);
		batch_write_error(c, &e, NULL);
		return;
	}
	c->ok = result && json_bool(record, "ok", false);
	snprintf(c->summary, sizeof(c->summary), "%s", text ? text : "");
}

static bool
on_record(void *ctx, const struct json *record)
{
	struct batch_call *c = ctx;
	struct result result;
	struct error error;
	struct err e = {0};
	const char *type = json_string(record, "type");
	bool bad = type && strcmp(type, "error") == 0;

	if (type && strcmp(type, "progress") == 0) {
		c->batch->progress(c->batch->ctx, json_string(record, "text"));
		return false;
	}
	if (type && strcmp(type, "attach") == 0) {
		handing_take(c, record);
		return false;
	}
	if ((bad ? error_read(&error, record, &e)
		 : result_read(&result, record, &e)) < 0) {
		err_in(&e, "%s answered wrongly", c->name);
		answer_error(c, &e);
		return true;
	}
	batch_write_record(c, record, !bad);
	batch_end(c);
	return true;
}

static void
on_failed(void *ctx, const struct err *why)
{
	answer_error(ctx, why);
}

void
batch_take(struct batch *r, const struct request_call *calls, size_t count,
    int64_t first)
{
	r->calls = mem_array(count, sizeof(*r->calls));
	r->count = r->left = count;
	for (size_t i = 0; i < count; i++) {
		struct batch_call *c = &r->calls[i];
		const char *text = calls[i].arguments;
		struct err e = {0};

		snprintf(c->id, sizeof(c->id), "%s.%lld", r->context.task,
		    (long long)first + (long long)i);
		c->provider_id = mem_dup(calls[i].id);
		c->name = mem_dup(calls[i].name);
		c->arguments = mem_dup(text);
		c->tool = kit_find(r->kit, c->name);
		c->batch = r;
		json_object(&c->input, text, strlen(text), &e);
	}
}

int
batch_check(struct batch_call *c, struct err *e)
{
	if (validate_call(c->tool, c->name, c->input, c->arguments, e) < 0)
		return -1;
	switch (guard_call(c->batch->guard, c->name, c->arguments)) {
	case GUARD_GO: return 0;
	case GUARD_CORRECT: break;
	case GUARD_PAUSE: c->batch->pause = true;
	}
	c->repeated = true;
	return err_set(e, ERR_REFUSED,
	    "this call was made twice already with the same answer; use that "
	    "answer, or change the arguments");
}

/* Hand the call to the program that serves it; -1 with *e. */
static int
dispatch(struct batch_call *c, struct err *e)
{
	struct batch *r = c->batch;
	const struct crew_post *post = kit_post(r->kit, c->tool, e);
	const struct call call = {
	    .id = c->id,
	    .capability = c->name,
	    .arguments = {.tree = c->input},
	    .tier = c->tool->tier,
	    .context = r->context,
	};
	struct buf line = {0};
	int result = -1;

	if (!post)
		goto out;
	c->job = (struct crew_job){
	    .id = c->id,
	    .deadline_ms = clock_boot_ms() +
			   (int64_t)c->tool->time_limit_s * 1000,
	    .talks = c->tool->attach,
	    .line = on_record,
	    .failed = on_failed,
	    .ctx = c,
	};
	call_write(&line, &call);
	result = crew_give(r->crew, post, line.data, line.len - 1, &c->job, e);
out:
	buf_release(&line);
	return result;
}

/* The call that ends the turn: the loop itself makes it. */
static void
note_end(struct batch_call *c)
{
	c->ok = true;
	snprintf(c->summary, sizeof(c->summary), "the answer was taken");
	result_write(&c->output,
	    &(struct result){.id = c->id, .ok = true, .summary = c->summary});
	batch_end(c);
}

static void
start_call(struct batch_call *c)
{
	struct err e = {0};

	c->state = BATCH_RUNS;
	if (batch_check(c, &e) == 0 && manifest_is_loop(c->tool))
		note_end(c);
	else if (e.kind || dispatch(c, &e) < 0)
		answer_error(c, &e);
}

static bool
reads(const struct batch_call *c)
{
	return !c->tool || c->tool->tier == TIER_READ;
}

static bool
changes(const struct batch_call *c)
{
	return c->tool && c->tool->tier >= TIER_WRITE;
}

/* Hand the changes that stand in a row from here to the executor. */
static void
start_changes(struct batch *r, size_t from)
{
	size_t to = from;

	while (to < r->count && changes(&r->calls[to]) &&
	       r->calls[to].state == BATCH_WAITS)
		r->calls[to++].state = BATCH_RUNS;
	executor_take(r->executor, &r->calls[from], to - from);
}

static void
start_some(struct batch *r)
{
	size_t running = 0;
	bool writing = false;

	for (size_t i = 0; i < r->count; i++) {
		struct batch_call *c = &r->calls[i];

		if (c->state == BATCH_WAITS) {
			if (writing || (running && !reads(c)) ||
			    running == BATCH_AT_ONCE)
				return;
			if (changes(c))
				start_changes(r, i);
			else
				start_call(c);
		}
		if (c->state == BATCH_RUNS) {
			running++;
			writing = !reads(c);
		}
	}
}

void
batch_go(struct batch *r)
{
	bool busy;

	do {
		start_some(r);
		busy = executor_busy(r->executor);
		executor_go(r->executor);
	} while (busy && !executor_busy(r->executor) && r->left);
}

void
batch_skip(struct batch *r, const char *why)
{
	struct err e = {0};

	err_set(&e, ERR_REFUSED, "skipped: %s", why);
	for (size_t i = 0; i < r->count; i++) {
		if (r->calls[i].state != BATCH_WAITS)
			continue;
		r->calls[i].skipped = true;
		answer_error(&r->calls[i], &e);
	}
	executor_skip(r->executor, why);
}

void
batch_stop(struct batch *r, const char *why)
{
	struct err e = {0};

	batch_skip(r, why);
	err_set(&e, ERR_REFUSED, "skipped: %s", why);
	for (size_t i = 0; i < r->count; i++) {
		struct batch_call *c = &r->calls[i];

		if (c->state != BATCH_RUNS || changes(c))
			continue;
		crew_cancel(&c->job);
		c->skipped = true;
		answer_error(c, &e);
	}
}

void
batch_release(struct batch *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct batch_call *c = &r->calls[i];

		crew_cancel(&c->job);
		free(c->provider_id);
		free(c->name);
		free(c->arguments);
		json_free(c->input);
		handing_release(&c->handing);
		buf_release(&c->output);
	}
	free(r->calls);
	r->calls = NULL;
	r->count = r->left = 0;
	r->warn = r->pause = false;
}
