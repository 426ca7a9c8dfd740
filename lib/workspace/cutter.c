#include "workspace/cutter.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/home.h"
#include "tool/manifest.h"
#include "workspace/cut.h"
#include "workspace/seconds.h"
#include "workspace/wav.h"

enum { GRACE_MS = 15000 /* to remove its container */ };

static void
on_bytes(void *ctx, const char *bytes, size_t len)
{
	struct cutter *c = ctx;

	buf_add(&c->wav, bytes, len);
}

/* What it complained of, without its name and how it ended. */
static int
quote(struct err *e)
{
	static const char name[] = "sophia-sandbox: ";
	const char *words = strstr(e->text + 1, name);

	if (words) {
		words += sizeof(name) - 1;
		memmove(e->text, words, strlen(words) + 1);
	}
	return -1;
}

static int
judge(struct cutter *c, struct err *e)
{
	if (child_verdict(&c->child, e) < 0)
		return quote(e);
	c->got_ms = wav_length_ms(buf_text(&c->wav), c->wav.len);
	if (!c->wav.full && c->got_ms > 0 && c->got_ms <= c->length_ms)
		return 0;
	return err_set(e, ERR_INTERNAL, "no sound came of the cut");
}

static void
on_ended(void *ctx)
{
	struct cutter *c = ctx;
	struct err why = {0};

	c->ended(c->ctx, judge(c, &why) < 0 ? &why : NULL);
}

static int
start(struct cutter *c, struct poll *p, const char *from, const char *length,
    struct err *e)
{
	char program[PATH_MAX];
	const char *const argv[] = {program, "cut", "--start", from, "--length",
	    length, "--", c->task, c->path, NULL};

	snprintf(program, sizeof(program), "%s/sophia-sandbox", home_bin());
	c->child = (struct child){
	    .what = {.argv = argv,
		.envp = (const char *const *)c->env.list,
		.capture_error = true},
	    .grace_ms = GRACE_MS,
	    .bytes = on_bytes,
	    .ended = on_ended,
	    .ctx = c,
	};
	if (child_start(&c->child, p, e) < 0)
		return -1;
	child_end(&c->child);
	return 0;
}

int
cutter_start(struct cutter *c, struct poll *p, struct err *e)
{
	struct buf from = {0}, length = {0};
	int result = environ_make(&c->env, NEED_CONTAINER | NEED_TASK, e);

	c->wav.limit = WAV_HEAD + CUT_MOST_MS * WAV_BYTES_MS;
	seconds_write(&from, c->start_ms);
	seconds_write(&length, c->length_ms);
	if (result == 0)
		result = start(c, p, buf_text(&from), buf_text(&length), e);
	buf_release(&from);
	buf_release(&length);
	return result;
}

void
cutter_cancel(struct cutter *c)
{
	child_cancel(&c->child);
}

void
cutter_release(struct cutter *c)
{
	child_release(&c->child);
	environ_release(&c->env);
	buf_release(&c->wav);
}
