#include "runtime/loop.h"

#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"
#include "ext/json.h"
#include "record/error.h"
#include "record/progress.h"
#include "record/task_status.h"
#include "runtime/kit.h"
#include "runtime/opening.h"
#include "runtime/reopen.h"
#include "runtime/session.h"
#include "store/recovery.h"

void
session_emit(struct session *s)
{
	size_t n = s->mute
		       ? s->out.len
		       : fwrite(buf_text(&s->out), 1, s->out.len, s->output);

	if (!s->mute && (n < s->out.len || fflush(s->output) != 0)) {
		s->mute = true;
		err_sys(&s->broken, ERR_IO, "writing stdout");
	}
	buf_clear(&s->out);
}

static void
on_progress(void *ctx, const char *text)
{
	struct session *s = ctx;
	const struct progress p = {.task = s->runner.task, .text = text};

	if (!text)
		return;
	progress_write(&s->out, &p);
	session_emit(s);
}

static void
on_said(void *ctx)
{
	session_emit(ctx);
}

static void
on_tick(void *ctx)
{
	struct session *s = ctx;

	s->look = true;
	poll_set_timer(&s->poll, &s->tick, clock_boot_ms() + LOOP_LOOK_MS);
}

static void
on_signal(void *ctx, int sig)
{
	struct session *s = ctx;

	s->killed = sig;
}

/* The first line is the turn, any other makes us look at the control rows. */
static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct session *s = ctx;
	struct err e = {0};

	if (s->first.root || s->outcome.kind) {
		s->look = true;
		return;
	}
	if (bad)
		s->outcome = *bad;
	else if (any_read(&s->first, text, len, &e) < 0 ||
		 turn_read(&s->turn, s->first.root, &e) < 0)
		s->outcome = e;
}

static void
on_input_end(void *ctx, const struct err *why)
{
	struct session *s = ctx;

	if (s->first.root || s->outcome.kind)
		return;
	if (why)
		s->outcome = *why;
	else
		err_set(&s->outcome, ERR_INPUT, "there is no turn to run");
}

static int
read_turn(struct session *s, int input, struct err *e)
{
	s->input = (struct reader){.line = on_line,
	    .ended = on_input_end,
	    .ctx = s};
	reader_start(&s->input, &s->poll, input);
	while (!s->first.root && !s->outcome.kind)
		if (poll_step(&s->poll, POLL_NEVER, e) < 0)
			return -1;
	if (s->outcome.kind) {
		*e = s->outcome;
		return -1;
	}
	return 0;
}

/* Everything the turn needs, before it is claimed. */
static int
prepare(struct session *s, struct err *e)
{
	const char *profile;

	if (settings_open(&s->settings, e) < 0)
		return -1;
	profile = s->turn.profile ? s->turn.profile
				  : settings_text(&s->settings, "profile");
	if (profile_load(&s->profile, profile, e) < 0 ||
	    kit_open(&s->kit, e) < 0)
		return -1;
	s->dialog.inputs = s->profile.inputs;
	s->crew.poll = &s->poll;
	s->executor = (struct executor){.kit = s->kit,
	    .crew = &s->crew,
	    .poll = &s->poll,
	    .runner = &s->runner,
	    .out = &s->out,
	    .said = on_said,
	    .progress = on_progress,
	    .ctx = s};
	s->batch = (struct batch){.kit = s->kit,
	    .store = &s->store,
	    .crew = &s->crew,
	    .guard = &s->guard,
	    .executor = &s->executor,
	    .progress = on_progress,
	    .ctx = s};
	return store_open(&s->store, "tasks", STORE_WRITE, e);
}

static int
recover(struct session *s, struct err *e)
{
	struct recovered found;
	int64_t lost = recovery_look(&s->store, e);

	if (lost <= 0)
		return (int)lost;
	return recovery_run(&s->store, &found, e);
}

/* Put the turn on disk, and tell the adapter which task it belongs to. */
static int
begin(struct session *s, struct err *e)
{
	char claim[ID_LEN + 8];
	struct task_status status;
	const struct crew_post *model = kit_model(s->kit, e);
	int fresh;

	s->signals = (struct signals){.got = on_signal, .ctx = s};
	if (!model || crew_warm(&s->crew, model, e) < 0 || recover(s, e) < 0 ||
	    signals_start(&s->signals, &s->poll, e) < 0)
		return -1;
	snprintf(claim, sizeof(claim), "turn:%s", s->turn.id);
	fresh = runner_start(&s->runner, &s->store, &s->turn, claim,
	    s->profile.id, e);
	if (fresh < 0)
		return -1;
	if (fresh == 0)
		return err_set(e, ERR_REFUSED, "turn %s was run before",
		    s->turn.id);
	s->begun = true;
	if (reopen_task(&s->runner, &s->turn, e) < 0)
		return -1;
	status = (struct task_status){.id = s->runner.task,
	    .turn = s->runner.turn,
	    .state = "running",
	    .objective = s->turn.text};
	task_status_write(&s->out, &status);
	session_emit(s);
	s->batch.context = (struct context){.actor = s->turn.actor,
	    .location = s->turn.location,
	    .task = s->runner.task,
	    .turn = s->runner.turn,
	    .visibility = s->turn.visibility};
	s->executor.context = s->batch.context;
	s->executor.task_asks = s->runner.asks ||
				s->turn.approval == APPROVAL_ASK;
	if (opening_write(&s->dialog, &s->turn, &s->runner, &s->settings, e) <
	    0)
		return -1;
	s->opened = s->dialog.count;
	return 0;
}

static int
go_work(struct session *s, struct err *e)
{
	batch_go(&s->batch);
	if (s->executor.broken.kind) {
		*e = s->executor.broken;
		return -1;
	}
	return s->batch.left ? 0 : work_end(s, e);
}

/* One step, if there is one to take without waiting. */
static int
advance(struct session *s, struct err *e)
{
	if (session_heed(s, e) < 0)
		return -1;
	if (s->state == SESSION_THINK && mend_due(s))
		s->state = SESSION_MEND;
	switch (s->state) {
	case SESSION_THINK: return think_ask(s, e);
	case SESSION_LISTEN: return s->reply.ended ? think_hear(s, e) : 0;
	case SESSION_WORK: return go_work(s, e);
	case SESSION_MEND: return mend_go(s, e);
	case SESSION_OVER: return 0;
	}
	return 0;
}

/* Leave what is not done for a resume: we must go, or nobody would be told. */
static int
pause_here(struct session *s, struct err *e)
{
	char text[700], why[600];

	if (s->mute)
		snprintf(why, sizeof(why), "nobody takes the output: %s",
		    s->broken.text);
	else
		snprintf(why, sizeof(why), "signal %d", s->killed);
	snprintf(text, sizeof(text),
	    "I was interrupted (%s). Nothing is lost; resume to go on.", why);
	return ending_pause(s, PAUSED_INTERRUPTED, text, e);
}

/* Must the turn end now, since we must go, or nobody is told? */
static bool
must_pause(struct session *s)
{
	if ((!s->mute && !s->killed) || s->state == SESSION_OVER)
		return false;
	if (!executor_acts(&s->executor))
		return true;
	batch_stop(&s->batch, "the turn was interrupted");
	return false;
}

static int
work_through(struct session *s, struct err *e)
{
	on_tick(s);
	while (s->state != SESSION_OVER) {
		enum session_state before = s->state;

		if (advance(s, e) < 0)
			return -1;
		if (must_pause(s))
			return pause_here(s, e);
		if (s->state != before || s->state == SESSION_THINK)
			continue;
		if (poll_step(&s->poll, POLL_NEVER, e) < 0)
			return -1;
	}
	return 0;
}

static void
release(struct session *s)
{
	executor_release(&s->executor);
	batch_release(&s->batch);
	mend_release(s);
	crew_cancel(&s->ask);
	reader_stop(&s->input);
	signals_stop(&s->signals);
	poll_stop_timer(&s->tick);
	crew_release(&s->crew);
	poll_release(&s->poll);
	runner_release(&s->runner);
	store_close(&s->store);
	settings_close(&s->settings);
	profile_release(&s->profile);
	kit_close(s->kit);
	dialog_release(&s->dialog);
	reply_release(&s->reply);
	guard_release(&s->guard);
	citations_release(&s->citations);
	any_release(&s->first);
	buf_release(&s->steer);
	buf_release(&s->out);
}

/*
 * The turn broke down. If it was begun, it gets its verdict all the same; if
 * that can't be stored, the task will be found interrupted.
 */
static void
break_down(struct session *s, struct err *e)
{
	struct err why = *e, again = {0};

	executor_lose(&s->executor);
	if (s->begun && s->state != SESSION_OVER && s->executor.doubt.len &&
	    ending_doubt(s, &again) == 0) {
		*e = s->outcome;
		return;
	}
	if (s->begun && s->state != SESSION_OVER && !s->executor.doubt.len &&
	    ending_fail(s, &why, &again) == 0)
		return;
	error_write_err(&s->out, NULL, &why);
	if (s->begun)
		ending_say(s, &(struct ending){.verdict = DONE_PAUSED,
				  .reason = "interrupted"});
	session_emit(s);
}

int
loop_run(int input, FILE *output, struct err *e)
{
	struct session s = {.output = output, .tick = {.fire = on_tick}};
	int result;

	s.tick.ctx = &s;
	s.began_ms = clock_boot_ms();
	if (read_turn(&s, input, e) < 0 || prepare(&s, e) < 0 ||
	    begin(&s, e) < 0 || work_through(&s, e) < 0)
		break_down(&s, e);
	else if (s.mute)
		*e = s.broken;
	else if (!s.answered)
		*e = s.outcome;
	result = s.answered && !s.mute ? 1 : -1;
	release(&s);
	return result;
}
