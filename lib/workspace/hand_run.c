#include "workspace/hand_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "core/mem.h"
#include "core/poll.h"
#include "core/signals.h"
#include "store/settings.h"
#include "workspace/delivery.h"
#include "workspace/enabled.h"
#include "workspace/folder.h"
#include "workspace/hand.h"
#include "workspace/trial.h"

struct job {
	const struct hand_run *what;
	struct settings settings;
	struct poll poll;
	struct signals signals;
	struct trial trial;
	struct buf code;
};

static void
on_signal(void *ctx, int sig)
{
	struct job *j = ctx;

	(void)sig;
	trial_stop(&j->trial);
}

static int
read_code(struct job *j, struct err *e)
{
	const char *file = j->what->file;
	int rest;

	j->code.limit = RUN_CODE_MOST + 1;
	if (strcmp(file, "-") != 0)
		return file_read(&j->code, file, e);
	rest = file_read_fd(&j->code, STDIN_FILENO, "stdin", ERR_IO, e);
	return rest > 0 ? err_set(e, ERR_INPUT, "code of more than 4 MiB")
			: rest;
}

static int
take_files(struct job *j, struct err *e)
{
	const struct hand_run *w = j->what;

	if (w->task)
		return hand_take(&j->trial.files, w->task, e);
	return w->in ? folder_read(&j->trial.files, w->in, e) : 0;
}

/* Start it, and wait for its end. */
static int
execute(struct job *j, struct err *e)
{
	struct run *r = &j->trial.run;

	r->code = buf_text(&j->code);
	r->len = j->code.len;
	r->language = j->what->language;
	r->time_s = j->what->time_s;
	r->printed = j->what->printed;
	j->signals = (struct signals){.got = on_signal, .ctx = j};
	if (signals_start(&j->signals, &j->poll, e) < 0 ||
	    trial_go(&j->trial, &j->poll, &j->settings, e) < 0)
		return -1;
	signals_stop(&j->signals);
	if (!j->trial.why.kind)
		return 0;
	*e = j->trial.why;
	return -1;
}

static int
put_files(struct job *j, struct err *e)
{
	const struct hand_run *w = j->what;

	if (!w->out)
		return 0;
	return delivery_put(w->out, w->in && folder_same(w->in, w->out),
	    &j->trial.run, &j->trial.attic, e);
}

static void
tell(struct job *j, struct buf *b)
{
	if (j->what->printed) {
		report_text(b, &j->trial.run, &j->trial.attic, j->what->out);
		return;
	}
	report_attic(&j->trial.report, &j->trial.attic);
	report_write(b, &j->trial.report);
}

int
hand_run(struct buf *b, const struct hand_run *w, int *status, struct err *e)
{
	struct job *j = mem_new(sizeof(*j));
	int result = -1;

	j->what = w;
	if (enabled_open(&j->settings, e) == 0 && read_code(j, e) == 0 &&
	    take_files(j, e) == 0 && execute(j, e) == 0 &&
	    put_files(j, e) == 0) {
		tell(j, b);
		*status = j->trial.run.status;
		result = 0;
	}
	trial_release(&j->trial);
	signals_stop(&j->signals);
	poll_release(&j->poll);
	settings_close(&j->settings);
	buf_release(&j->code);
	free(j);
	return result;
}
