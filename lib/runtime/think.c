#include <stdio.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/id.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/delta.h"
#include "record/request.h"
#include "runtime/kit.h"
#include "runtime/reopen.h"
#include "runtime/session.h"
#include "store/budget.h"

enum { MARGIN_PERCENT = 5 };

static bool
on_record(void *ctx, const struct json *record)
{
	struct session *s = ctx;
	const char *type = json_string(record, "type");
	const struct delta delta = {.text = json_string(record, "text")};

	if (type && strcmp(type, "delta") == 0 && delta.text) {
		delta_write(&s->out, &delta);
	} else if (type && strcmp(type, "usage") == 0) {
		jsonw_value(&s->out, NULL, record);
		buf_char(&s->out, '\n');
	}
	session_emit(s);
	return reply_take(&s->reply, record);
}

static void
on_failed(void *ctx, const struct err *why)
{
	struct session *s = ctx;

	reply_fail(&s->reply, why);
}

/* Tokens that the request may have, by the profile's window. */
static int64_t
room(const struct session *s)
{
	int64_t window = s->profile.context - s->profile.reserve;

	window -= window * MARGIN_PERCENT / 100;
	return s->was_long ? window * 2 / 3 : window;
}

static void
write_request(struct session *s, struct buf *line)
{
	size_t count, bytes;
	struct request_tool *tools = kit_shown(s->kit, &count, &bytes);
	const struct request r = {
	    .id = s->ask_id,
	    .profile = s->profile.id,
	    .purpose = "task",
	    .task = s->runner.task,
	    .actor = s->turn.actor.id,
	    .stream = true,
	    .messages = s->dialog.messages,
	    .message_count = s->dialog.count,
	    .tools = tools,
	    .tool_count = count,
	};

	s->estimate = dialog_tokens(&s->dialog, bytes);
	request_write(line, &r);
}

/* Make the dialog fit the model's window; 1 if it does, 0 if it can't. */
static int
fit(struct session *s)
{
	size_t count, bytes;
	int fitted;

	kit_shown(s->kit, &count, &bytes);
	fitted = dialog_fit(&s->dialog, bytes, room(s));
	if (fitted > 0)
		kit_reveal(s->kit, "query_json");
	return fitted >= 0;
}

/* 1 if the model may be asked; 0 if the task waits for another day; or -1. */
static int
in_budget(struct session *s, struct err *e)
{
	struct buf why = {0};
	int left = 1;

	if (s->profile.protocol != PROTOCOL_EXTRACTIVE)
		left = budget_left(&s->store, s->turn.actor.id, &why, e);

	if (left == 0 && ending_pause(s, PAUSED_BUDGET, buf_text(&why), e) < 0)
		left = -1;
	buf_release(&why);
	return left;
}

/*
 * May the model be shown all that the task has read, as things are now? 1; 0 if
 * something else is done first; or -1.
 */
static int
may_show(struct session *s, struct err *e)
{
	struct err why = {0};
	int64_t from = 0;
	int lost = reopen_lost(&s->runner, &s->batch.context, &from, &why);

	if (lost > 0)
		mend_lose(s, from);
	if (lost < 0 && why.kind == ERR_AGAIN)
		return ending_fail(s, &why, e);
	if (lost < 0)
		*e = why;
	return lost < 0 ? -1 : !lost;
}

int
think_ask(struct session *s, struct err *e)
{
	const struct crew_post *post = kit_model(s->kit, e);
	struct buf line = {0};
	int result = -1, left;

	if (!post)
		return -1;
	if ((left = in_budget(s, e)) <= 0 || (left = may_show(s, e)) <= 0)
		return left;
	if (!fit(s))
		return ending_pause(s, PAUSED_CONTEXT,
		    "The work does not fit the model's window any more. "
		    "Everything is kept: steer the task to a narrower "
		    "question, or resume it with a larger model.",
		    e);
	reply_release(&s->reply);
	id_new(s->ask_id);
	s->ask = (struct crew_job){.id = s->ask_id,
	    .deadline_ms = POLL_NEVER,
	    .line = on_record,
	    .failed = on_failed,
	    .ctx = s};
	write_request(s, &line);
	result = crew_give(&s->crew, post, line.data, line.len - 1, &s->ask, e);
	buf_release(&line);
	if (result == 0)
		s->state = SESSION_LISTEN;
	return result;
}

/* Tell the model what was wrong with its reply, once; then it is enough. */
static int
correct(struct session *s, bool *before, const char *text, const char *pause,
    struct err *e)
{
	if (*before)
		return ending_pause(s, PAUSED_GUARD, pause, e);
	*before = true;
	s->dialog.round = s->runner.rounds + 1;
	if (s->reply.text.len)
		dialog_reply(&s->dialog, buf_text(&s->reply.text), NULL, 0,
		    s->reply.echo);
	dialog_add(&s->dialog, ROLE_USER, "note", text);
	s->state = SESSION_THINK;
	return 0;
}

static int
hear_failure(struct session *s, struct err *e)
{
	char text[640];

	if (s->reply.overflow && !s->was_long) {
		s->was_long = true;
		s->state = SESSION_THINK;
		return 0;
	}
	if (s->reply.error.kind != ERR_AGAIN)
		return ending_fail(s, &s->reply.error, e);
	snprintf(text, sizeof(text), "The model gave no answer: %s",
	    s->reply.error.text);
	return ending_pause(s, PAUSED_MODEL, text, e);
}

/* An answer may not rest on what is gone. */
static int
refuse_gone(struct session *s, const struct buf *links, struct err *e)
{
	struct buf note = {0};
	int result;

	buf_fmt(&note,
	    "These messages are gone and can't be linked:\n%sGive the answer "
	    "again without them, and without what they said.",
	    buf_text(links));
	result = correct(s, &s->was_gone, buf_text(&note),
	    "The model's answer links messages that were deleted.", e);
	buf_release(&note);
	return result;
}

int
think_answer(struct session *s, const char *text, struct err *e)
{
	struct buf unseen = {0}, note = {0};
	int result;

	if (citations_gone(&s->citations, text, &unseen)) {
		result = refuse_gone(s, &unseen, e);
	} else if (s->was_made_up ||
		   !citations_unseen(&s->citations, text, &unseen)) {
		result = ending_answer(s, text, e);
	} else {
		buf_fmt(&note,
		    "These links are in no source you were given:\n%sGive the "
		    "answer again with links of sources only.",
		    buf_text(&unseen));
		result = correct(s, &s->was_made_up, buf_text(&note), "", e);
	}
	buf_release(&unseen);
	buf_release(&note);
	return result;
}

int
think_hear(struct session *s, struct err *e)
{
	if (s->reply.failed)
		return hear_failure(s, e);
	dialog_learn(&s->dialog, s->estimate, s->reply.input);
	if (s->reply.reason == FINISH_FILTER) {
		struct err why = {0};

		err_set(&why, ERR_REFUSED,
		    "the provider's content filter stopped the answer");
		return ending_fail(s, &why, e);
	}
	if (s->reply.reason == FINISH_LENGTH)
		return correct(s, &s->was_cut,
		    "Your reply was cut off because it was too long. Give a "
		    "shorter one.",
		    "The model's replies are longer than its limit.", e);
	if (s->reply.count)
		return work_begin(s, e);
	if (!s->reply.text.len)
		return correct(s, &s->was_empty,
		    "Your reply was empty. Answer the request, or say what is "
		    "missing.",
		    "The model gives empty replies.", e);
	return think_answer(s, buf_text(&s->reply.text), e);
}
