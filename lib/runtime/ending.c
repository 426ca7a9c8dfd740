#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "record/answer.h"
#include "record/done.h"
#include "record/error.h"
#include "record/paused.h"
#include "runtime/session.h"
#include "store/stop.h"
#include "store/task.h"

void
ending_say(struct session *s, const struct ending *end)
{
	const struct done done = {
	    .task = s->runner.task,
	    .turn = s->runner.turn,
	    .verdict = end->verdict,
	    .reason = end->reason,
	    .calls = s->calls,
	    .elapsed_ms = clock_boot_ms() - s->began_ms,
	};

	done_write(&s->out, &done);
}

/*
 * Store the verdict, then say it: the record, and `done`. But if somebody
 * corrected or stopped the task meanwhile, the answer is stale: go on.
 */
static int
conclude(struct session *s, const struct ending *end, struct err *e)
{
	int state = runner_finish(&s->runner, end, e);

	if (state < 0)
		return -1;
	if (state == TASK_RUNNING) {
		s->look = true;
		s->state = SESSION_THINK;
		return 0;
	}
	s->state = SESSION_OVER;
	s->answered = end->verdict == DONE_ANSWERED;
	buf_str(&s->out, end->record);
	ending_say(s, end);
	session_emit(s);
	return 0;
}

int
ending_answer(struct session *s, const char *text, struct err *e)
{
	struct buf sources = {0}, record = {0};
	struct answer answer = {.task = s->runner.task,
	    .turn = s->runner.turn,
	    .text = text,
	    .none = s->reply.none};
	int result;

	citations_write(&sources, &s->citations, text);
	answer.sources.text = buf_text(&sources);
	answer_write(&record, &answer);
	result = conclude(s,
	    &(struct ending){.verdict = DONE_ANSWERED,
		.text = text,
		.record = buf_text(&record)},
	    e);
	buf_release(&sources);
	buf_release(&record);
	return result;
}

static enum err_kind
kind_of(enum paused_reason reason)
{
	if (reason == PAUSED_UNKNOWN)
		return ERR_UNKNOWN;
	return reason == PAUSED_APPROVAL ? ERR_APPROVAL : ERR_AGAIN;
}

int
ending_pause(struct session *s, enum paused_reason reason, const char *text,
    struct err *e)
{
	struct buf record = {0}, full = {0};
	int result;

	buf_str(&full, text);
	if (s->turn.location.kind == LOCATION_LOCAL) /* others have a button */
		buf_fmt(&full, " Go on with: sophia task resume %s",
		    s->runner.task);
	paused_write(&record, &(struct paused){.task = s->runner.task,
				  .reason = reason,
				  .text = buf_text(&full)});
	err_set(&s->outcome, kind_of(reason), "paused: %s", buf_text(&full));
	result = conclude(s,
	    &(struct ending){.verdict = DONE_PAUSED,
		.reason = paused_word(reason),
		.text = buf_text(&full),
		.record = buf_text(&record)},
	    e);
	buf_release(&record);
	buf_release(&full);
	return result;
}

int
ending_doubt(struct session *s, struct err *e)
{
	struct buf text = {0};
	int result;

	buf_fmt(&text,
	    "A change was sent, and it isn't known whether it happened:\n%s"
	    "Look whether it did; nothing is done again by itself. ",
	    buf_text(&s->executor.doubt));
	buf_str(&text, s->turn.location.kind == LOCATION_LOCAL
			   ? "Then settle it: sophia task verify CALL has it "
			     "looked for, sophia task attest CALL puts on "
			     "record what you saw."
			   : "Then settle it with /tasks, and resume.");
	result = ending_pause(s, PAUSED_UNKNOWN, buf_text(&text), e);
	buf_release(&text);
	return result;
}

int
ending_fail(struct session *s, const struct err *why, struct err *e)
{
	struct buf record = {0};
	int result;

	s->outcome = *why;
	error_write_err(&record, NULL, why);
	result = conclude(s,
	    &(struct ending){.verdict = DONE_FAILED,
		.reason = err_word(why->kind),
		.text = why->text,
		.record = buf_text(&record)},
	    e);
	buf_release(&record);
	return result;
}

int
ending_cancel(struct session *s, struct err *e)
{
	static const char text[] = "Stopped on request.";
	struct buf record = {0};
	int result;

	batch_release(&s->batch);
	crew_cancel(&s->ask);
	err_set(&s->outcome, ERR_AGAIN, "%s", text);
	if (s->stopped_by_other)
		stop_word(&record, s->runner.task);
	result = conclude(s,
	    &(struct ending){.verdict = DONE_CANCELLED,
		.text = text,
		.record = s->stopped_by_other ? buf_text(&record) : NULL},
	    e);
	buf_release(&record);
	return result;
}
