#include "workspace/transcriber.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/home.h"
#include "record/any.h"
#include "record/delta.h"
#include "record/error.h"
#include "record/exhibit.h"
#include "record/finish.h"
#include "record/request.h"
#include "tool/manifest.h"

enum { PROMPT_MOST = 64 << 10 };

static void
take_record(struct transcriber *x, const struct any *a, struct err *e)
{
	struct delta delta;
	struct finish finish;
	struct error error;

	if (any_is(a, "delta") && delta_read(&delta, a->root, e) == 0) {
		buf_str(&x->words, delta.text);
	} else if (any_is(a, "finish") &&
		   finish_read(&finish, a->root, e) == 0) {
		x->finished = true;
		x->cut = finish.reason != FINISH_STOP;
	} else if (any_is(a, "error") && error_read(&error, a->root, e) == 0) {
		err_set(&x->failed, error.kind, "%s", error.text);
	}
}

static void
on_line(void *ctx, const char *text, size_t len, const struct err *bad)
{
	struct transcriber *x = ctx;
	struct any a;
	struct err e = {0};

	if (bad || x->failed.kind)
		return;
	if (any_read(&a, text, len, &e) == 0)
		take_record(x, &a, &e);
	any_release(&a);
	if (e.kind)
		x->failed = e;
}

/* How it ended, if nothing has failed yet. */
static void
judge(struct transcriber *x)
{
	const char *words = buf_text(&x->words);

	if (child_verdict(&x->child, &x->failed) < 0)
		return;
	if (!x->finished)
		err_set(&x->failed, ERR_AGAIN,
		    "the model gave no whole answer");
	else if (x->words.full)
		err_set(&x->failed, ERR_REFUSED,
		    "the model gave too many words");
	else if (!words[strspn(words, " \t\r\n")])
		err_set(&x->failed, ERR_REFUSED, "the model gave no words");
}

static void
on_ended(void *ctx)
{
	struct transcriber *x = ctx;

	if (!x->failed.kind)
		judge(x);
	x->ended(x->ctx, x->failed.kind ? &x->failed : NULL);
}

static void
write_request(struct buf *b, const struct transcriber *x, const char *prompt)
{
	struct exhibit sound = {.kind = EXHIBIT_AUDIO,
	    .type = "audio/wav",
	    .name = "recording.wav",
	    .blob = x->hash};
	struct request_message messages[] = {
	    {.role = ROLE_SYSTEM, .text = prompt},
	    {.role = ROLE_USER,
		.text = "Write down what is said in this recording.",
		.label = "request",
		.media = &sound,
		.media_count = 1},
	};
	const struct request r = {.id = x->call,
	    .profile = x->profile,
	    .purpose = "transcription",
	    .task = x->task,
	    .actor = x->actor,
	    .must_show = true, /* else it might make words up */
	    .messages = messages,
	    .message_count = 2};

	request_write(b, &r);
}

static int
send_request(struct transcriber *x, struct err *e)
{
	struct buf prompt = {.limit = PROMPT_MOST}, line = {0};
	char path[PATH_MAX];
	int result = home_share_path(path, "prompts/transcription.md", e);

	if (result == 0)
		result = file_read(&prompt, path, e);
	if (result == 0) {
		write_request(&line, x, buf_text(&prompt));
		result = child_send(&x->child, line.data, line.len - 1, e);
	}
	child_end(&x->child);
	buf_release(&line);
	buf_release(&prompt);
	return result;
}

int
transcriber_start(struct transcriber *x, struct poll *p, struct err *e)
{
	char program[PATH_MAX];
	const char *const argv[] = {program, NULL};

	snprintf(program, sizeof(program), "%s/sophia-model", home_bin());
	if (environ_make(&x->env, NEED_MODEL | NEED_NETWORK, e) < 0)
		return -1;
	x->words.limit = TRANSCRIBER_WORDS;
	x->child = (struct child){
	    .what = {.argv = argv,
		.envp = (const char *const *)x->env.list,
		.capture_error = true},
	    .line = on_line,
	    .ended = on_ended,
	    .ctx = x,
	};
	if (child_start(&x->child, p, e) < 0)
		return -1;
	if (send_request(x, e) == 0)
		return 0;
	child_release(&x->child);
	return -1;
}

void
transcriber_cancel(struct transcriber *x)
{
	if (!x->failed.kind)
		err_set(&x->failed, ERR_AGAIN, "it was cancelled");
	child_cancel(&x->child);
}

void
transcriber_release(struct transcriber *x)
{
	child_release(&x->child);
	environ_release(&x->env);
	buf_release(&x->words);
}
