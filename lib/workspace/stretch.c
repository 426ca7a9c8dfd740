#include "workspace/stretch.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "core/signals.h"
#include "store/settings.h"
#include "workspace/cut.h"
#include "workspace/enabled.h"
#include "workspace/hand.h"
#include "workspace/outcome.h"

struct job {
	struct poll poll;
	struct signals signals;
	struct settings settings;
	struct buf bytes;
	struct cut cut;
	struct outcome outcome;
};

static void
on_signal(void *ctx, int sig)
{
	struct job *j = ctx;

	(void)sig;
	cut_cancel(&j->cut);
}

static int
execute(struct job *j, struct err *e)
{
	int rc;

	j->cut.engine = settings_text(&j->settings, "sandbox.engine");
	j->cut.image = settings_text(&j->settings, "sandbox.image");
	j->cut.ended = outcome_take;
	j->cut.ctx = &j->outcome;
	j->signals = (struct signals){.got = on_signal, .ctx = j};
	if (signals_start(&j->signals, &j->poll, e) < 0 ||
	    cut_start(&j->cut, &j->poll, buf_text(&j->bytes), j->bytes.len, e) <
		0)
		return -1;
	rc = outcome_wait(&j->outcome, &j->poll, e);
	signals_stop(&j->signals);
	return rc;
}

static int
write_all(int out, const struct buf *b, struct err *e)
{
	for (size_t at = 0; at < b->len;) {
		const ssize_t n = write(out, b->data + at, b->len - at);

		if (n < 0 && errno != EINTR)
			return err_sys(e, err_kind_of_errno(ERR_IO),
			    "cannot write the sound");
		at += n < 0 ? 0 : (size_t)n;
	}
	return 0;
}

int
stretch_write(int out, const char *task, const char *path, int64_t start_ms,
    int64_t length_ms, struct err *e)
{
	struct job j = {.cut = {.start_ms = start_ms, .length_ms = length_ms}};
	int result = -1;
	bool text;

	if (enabled_open(&j.settings, e) == 0 &&
	    hand_get(&j.bytes, task, path, 0, &text, e) == 0 &&
	    execute(&j, e) == 0)
		result = write_all(out, &j.cut.wav, e);
	if (result < 0 && e->kind == ERR_INPUT)
		err_in(e, "%s", path);
	cut_release(&j.cut);
	signals_stop(&j.signals);
	poll_release(&j.poll);
	settings_close(&j.settings);
	buf_release(&j.bytes);
	return result;
}
