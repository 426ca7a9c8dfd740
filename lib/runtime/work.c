#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "runtime/kit.h"
#include "runtime/pictures.h"
#include "runtime/session.h"
#include "runtime/shown.h"
#include "tool/manifest.h"

/* The assistant's message as the store keeps it. */
static void
write_message(struct buf *b, const struct reply *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "role", "assistant");
	jsonw_str(b, "text", buf_text(&r->text));
	request_calls_write(b, r->calls, r->count);
	jsonw_end_object(b);
}

/* The calls of the batch as records, for the store and for the adapter. */
static struct call *
list_calls(const struct session *s)
{
	struct call *calls = mem_array(s->batch.count, sizeof(*calls));

	for (size_t i = 0; i < s->batch.count; i++) {
		const struct batch_call *c = &s->batch.calls[i];

		calls[i] = (struct call){
		    .id = c->id,
		    .capability = c->name,
		    .arguments = {.tree = c->input},
		    .tier = c->tool ? c->tool->tier : TIER_READ,
		    .context = s->batch.context,
		};
	}
	return calls;
}

/* Store the batch before any of it is made: 1, or 0 if it is stale. */
static int
store_calls(struct session *s, struct err *e)
{
	struct call *calls = list_calls(s);
	struct buf message = {0};
	int stored;

	write_message(&message, &s->reply);
	stored = runner_calls(&s->runner, buf_text(&message), calls,
	    s->batch.count, e);
	for (size_t i = 0; stored > 0 && i < s->batch.count; i++)
		call_write(&s->out, &calls[i]);
	session_emit(s);
	buf_release(&message);
	free(calls);
	return stored;
}

int
work_begin(struct session *s, struct err *e)
{
	int64_t limit = settings_int(&s->settings, "runtime.tool_call_limit");
	int stored;

	if (limit && s->runner.calls + (int64_t)s->reply.count > limit)
		return ending_pause(s, PAUSED_BUDGET,
		    "The task has made as many calls as "
		    "runtime.tool_call_limit allows.",
		    e);
	batch_take(&s->batch, s->reply.calls, s->reply.count,
	    s->runner.calls + 1);
	stored = store_calls(s, e);
	if (stored <= 0) { /* somebody steered: ask again, with that */
		batch_release(&s->batch);
		reply_release(&s->reply);
		s->look = true;
		s->state = SESSION_THINK;
		return stored;
	}
	s->calls += (int64_t)s->reply.count;
	s->dialog.round = s->runner.rounds;
	dialog_reply(&s->dialog, buf_text(&s->reply.text), s->reply.calls,
	    s->reply.count, s->reply.echo);
	s->state = SESSION_WORK;
	return 0;
}

static int
store_results(struct session *s, struct json *const *records, struct err *e)
{
	struct outcome *list = mem_array(s->batch.count, sizeof(*list));
	int64_t first = s->runner.calls - (int64_t)s->batch.count + 1;
	size_t n = 0;
	int result = 0;

	for (size_t i = 0; i < s->batch.count; i++) {
		const struct batch_call *c = &s->batch.calls[i];

		if (c->stored)
			continue;
		list[n] = (struct outcome){
		    .n = first + (int64_t)i,
		    .state = c->skipped ? CALL_SKIPPED
			     : c->ok    ? CALL_OK
					: CALL_ERROR,
		    .summary = c->summary,
		    .output = buf_text(&c->output),
		    .sources = json_get(records[i], "sources"),
		};
		n++;
	}
	if (n)
		result = runner_results(&s->runner, list, n, e);
	free(list);
	return result;
}

static void
show_result(struct session *s, const struct batch_call *c,
    const struct json *record)
{
	const struct json *reveal = json_get(record, "reveal");
	struct buf text = {0};

	shown_write(&text, record, c->id);
	dialog_result(&s->dialog, c->provider_id, c->name, buf_text(&text),
	    c->id);
	citations_add(&s->citations, json_get(record, "sources"));
	for (const struct json *r = json_first(reveal); r; r = json_next(r))
		if (json_text(r))
			kit_reveal(s->kit, json_text(r));
	buf_add(&s->out, buf_text(&c->output), c->output.len);
	buf_release(&text);
}

/* The answer, if the model called for the end; or NULL. */
static const char *
final_text(const struct session *s)
{
	for (size_t i = 0; i < s->batch.count; i++) {
		const struct batch_call *c = &s->batch.calls[i];

		if (c->ok && c->tool && manifest_is_loop(c->tool))
			return json_string(c->input, "text");
	}
	return NULL;
}

/* What ends the turn whatever the model might say: 1 it did, 0 or -1. */
static int
must_end(struct session *s, struct err *e)
{
	const struct executor *x = &s->executor;
	int rc;

	if (x->doubt.len)
		rc = ending_doubt(s, e);
	else if (x->stop || s->stopping)
		rc = ending_cancel(s, e);
	else if (x->lapsed)
		rc = ending_pause(s, PAUSED_APPROVAL,
		    "A change needs an approval, and nobody has decided. "
		    "Nothing was done. Resume it where you can be asked, or "
		    "have it granted without a question.",
		    e);
	else
		return 0;
	return rc < 0 ? -1 : 1;
}

/* What the person said when they were asked is as if they had steered. */
static void
take_correction(struct session *s)
{
	buf_str(&s->steer, buf_text(&s->executor.correction));
	buf_clear(&s->executor.correction);
}

static int
go_on(struct session *s, struct err *e)
{
	const char *text = final_text(s);
	int result = must_end(s, e);

	if (result != 0)
		return result < 0 ? -1 : 0;
	take_correction(s);
	s->state = SESSION_THINK;
	reply_release(&s->reply);
	if (s->steer.len) {
		dialog_add(&s->dialog, ROLE_USER, "steer", buf_text(&s->steer));
		buf_clear(&s->steer);
	} else if (text && !mend_due(s)) {
		result = think_answer(s, text, e);
	} else if (s->batch.pause) {
		result = ending_pause(s, PAUSED_GUARD,
		    "The model repeats itself: the same calls, or one failure "
		    "after another. Steer it in another direction, then "
		    "resume.",
		    e);
	} else if (s->batch.warn) {
		dialog_add(&s->dialog, ROLE_USER, "note",
		    "Several calls failed in a row. Read the errors, change "
		    "what they name, or answer with what is known.");
	}
	batch_release(&s->batch);
	return result;
}

/* Less was stored than came, and that is what is shown: see store/late. */
static int
read_again(struct session *s, struct json **records, struct err *e)
{
	int64_t first = s->runner.calls - (int64_t)s->batch.count + 1;
	int rc = 0;

	for (size_t i = 0; i < s->batch.count && rc == 0; i++) {
		struct buf *line = &s->batch.calls[i].output;

		buf_clear(line);
		json_free(records[i]);
		records[i] = NULL;
		rc = runner_output(&s->runner, first + (int64_t)i, line, e);
		if (rc == 0)
			rc = json_object(&records[i], buf_text(line), line->len,
			    e);
		buf_char(line, '\n');
	}
	return rc;
}

int
work_end(struct session *s, struct err *e)
{
	size_t count = s->batch.count;
	int less;
	struct json **records = mem_array(count, sizeof(struct json *));
	int result = -1;

	for (size_t i = 0; i < count; i++) {
		const struct buf *line = &s->batch.calls[i].output;

		if (json_object(&records[i], buf_text(line), line->len, e) < 0)
			goto out;
	}
	less = store_results(s, records, e);
	if (less < 0 || (less > 0 && read_again(s, records, e) < 0))
		goto out;
	for (size_t i = 0; i < count; i++)
		show_result(s, &s->batch.calls[i], records[i]);
	if (pictures_given(&s->dialog, &s->runner, records, count, e) < 0)
		goto out;
	session_emit(s);
	result = go_on(s, e);
out:
	for (size_t i = 0; i < count; i++)
		json_free(records[i]);
	free(records);
	return result;
}
