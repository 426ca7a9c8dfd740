#include "up/ward.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/home.h"
#include "core/id.h"

enum { WRONG_USAGE = 2 };

static void begin(void *ctx);

static void
turn(struct ward *w, enum ward_state state)
{
	w->state = state;
	w->since_ms = clock_now_ms();
	if (state != WARD_WAITING)
		w->next_ms = 0;
	if (state != WARD_UP)
		w->detail[0] = '\0';
	w->changed(w->ctx, w);
}

/* Twice as long each time, and not in step with others. */
static int64_t
delay_ms(struct ward *w)
{
	int64_t ms = WARD_FIRST_MS;

	for (unsigned i = 0; i < w->bad_ends && ms < WARD_LONGEST_MS; i++)
		ms *= 2;
	ms = ms < WARD_LONGEST_MS ? ms : WARD_LONGEST_MS;
	w->bad_ends++;
	return ms / 2 + (int64_t)(id_random() % (uint64_t)(ms / 2 + 1));
}

static void
wait_and_begin(struct ward *w)
{
	int64_t ms;

	if (clock_boot_ms() - w->started_ms >= WARD_GOOD_MS)
		w->bad_ends = 0;
	ms = delay_ms(w);
	w->next_ms = clock_now_ms() + ms;
	w->again = (struct poll_timer){.fire = begin, .ctx = w};
	poll_set_timer(w->poll, &w->again, clock_boot_ms() + ms);
	turn(w, WARD_WAITING);
}

/* It could not begin, or it is dead: what now? */
static void
over(struct ward *w, bool hopeless)
{
	if (hopeless)
		turn(w, WARD_FAILED);
	else
		wait_and_begin(w);
}

static void
ended(void *ctx)
{
	struct ward *w = ctx;
	const struct child *c = &w->child;
	int verdict = child_verdict(c, &w->fault);

	if ((verdict >= 0 && w->once) || w->state == WARD_STOPPING) {
		w->fault = (struct err){0};
		turn(w, WARD_ENDED);
		return;
	}
	if (verdict >= 0)
		err_set(&w->fault, ERR_INTERNAL,
		    "%s: ended, though nobody asked it to", w->name);
	over(w, w->fault.kind == ERR_CONFIG ||
		    (c->state == CHILD_EXITED && c->code == WRONG_USAGE));
}

static void
heard(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct ward *w = ctx;

	if (!bad && w->line)
		w->line(w->ctx, w, text, len);
}

static void
said(void *ctx, const char *text, size_t len)
{
	struct ward *w = ctx;

	w->said(w->ctx, text, len);
}

/* Ours first, then that of the PATH. */
static const char *
path_of(char out[PATH_MAX], const char *name)
{
	int n = snprintf(out, PATH_MAX, "%s/%s", home_bin(), name);

	return n > 0 && n < PATH_MAX && access(out, X_OK) == 0 ? out : name;
}

static void
begin(void *ctx)
{
	struct ward *w = ctx;
	const char *argv[WARD_ARGS_MAX + 1] = {0};
	char path[PATH_MAX];

	for (int i = 0; i < WARD_ARGS_MAX; i++)
		argv[i] = w->args[i];
	argv[0] = path_of(path, w->args[0]);
	environ_release(&w->env);
	w->started_ms = clock_boot_ms();
	w->restarts += w->state == WARD_WAITING;
	if (environ_make(&w->env, w->needs, &w->fault) < 0) {
		over(w, w->fault.kind == ERR_CONFIG);
		return;
	}
	w->child.what = (struct spawn){.argv = argv,
	    .envp = (const char *const *)w->env.list,
	    .capture_error = true};
	w->child.line = heard;
	w->child.ended = ended;
	w->child.said = said;
	w->child.ctx = w;
	w->child.grace_ms = w->grace_ms;
	if (child_start(&w->child, w->poll, &w->fault) < 0)
		over(w, w->fault.kind == ERR_CONFIG);
	else
		turn(w, WARD_UP);
}

void
ward_start(struct ward *w, struct poll *p)
{
	w->poll = p;
	begin(w);
}

bool
ward_runs(const struct ward *w)
{
	return w->child.state == CHILD_RUNS;
}

void
ward_stop(struct ward *w)
{
	poll_stop_timer(&w->again);
	if (!ward_runs(w)) {
		if (w->state == WARD_WAITING)
			turn(w, WARD_ENDED);
		return;
	}
	if (w->state == WARD_STOPPING)
		return;
	turn(w, WARD_STOPPING);
	child_cancel(&w->child);
}

const char *
ward_word(enum ward_state state)
{
	static const char *const words[] = {"idle", "up", "waiting", "stopping",
	    "ended", "failed"};

	return words[state];
}

void
ward_release(struct ward *w)
{
	poll_stop_timer(&w->again);
	child_release(&w->child);
	environ_release(&w->env);
}
