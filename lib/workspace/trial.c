#include "workspace/trial.h"

#include "core/err.h"
#include "core/poll.h"
#include "store/settings.h"

static void
on_printed(void *ctx, bool error, const char *bytes, size_t len)
{
	struct trial *t = ctx;

	excerpt_add(error ? &t->report.error : &t->report.out, bytes, len);
}

static void
on_ended(void *ctx, const struct err *why)
{
	struct trial *t = ctx;

	if (why)
		t->why = *why;
	t->over = true;
}

static void
prepare(struct trial *t, const struct settings *s)
{
	struct run *r = &t->run;

	r->engine = settings_text(s, "sandbox.engine");
	r->image = settings_text(s, "sandbox.image");
	r->files = &t->files;
	if (!t->door.keeper)
		t->door = (struct door){&attic_keeper, &t->attic};
	r->handover.answer = door_answer;
	r->handover.ctx = &t->door;
	if (!r->printed) {
		r->printed = on_printed;
		r->print_most = RUN_FLOOD;
	}
	r->ended = on_ended;
	r->ctx = t;
	t->report.run = r;
}

int
trial_go(struct trial *t, struct poll *p, const struct settings *s,
    struct err *e)
{
	prepare(t, s);
	if (run_start(&t->run, p, e) < 0)
		return -1;
	t->runs = true;
	while (!t->over)
		if (poll_step(p, POLL_NEVER, e) < 0)
			return -1;
	if (t->why.kind && !t->run.stopped) {
		*e = t->why;
		return -1;
	}
	t->report.why = t->why.kind ? &t->why : NULL;
	return 0;
}

void
trial_stop(struct trial *t)
{
	if (t->runs)
		run_cancel(&t->run);
}

void
trial_release(struct trial *t)
{
	run_release(&t->run);
	bundle_release(&t->files);
	attic_release(&t->attic);
	report_release(&t->report);
}
