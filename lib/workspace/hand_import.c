#include "workspace/hand_import.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "core/signals.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/call.h"
#include "record/result.h"
#include "store/base.h"
#include "store/task.h"
#include "tool/serve.h"
#include "workspace/tool_import.h"

static void
on_signal(void *ctx, int sig)
{
	struct serve_talk *t = ctx;

	(void)sig;
	t->given_up = true;
}

static void
write_arguments(struct buf *b, const struct hand_import *w)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "attachment_id", w->attachment);
	jsonw_str(b, "path", w->path);
	jsonw_opt(b, "message_url", w->link);
	jsonw_end_object(b);
}

static void
tell(struct buf *b, struct answer_parts *a)
{
	result_write(b, &(struct result){.ok = true,
			    .summary = buf_text(&a->summary),
			    .data.text = buf_text(&a->data),
			    .sources.text = buf_text(&a->sources)});
}

/* The call, as the loop would make it, but that it has no number. */
static int
run(struct buf *b, const struct hand_import *w, const struct json *arguments,
    struct err *e)
{
	const struct call call = {
	    .id = w->task,
	    .capability = "sandbox_import",
	    .arguments.tree = arguments,
	    .tier = TIER_SCRATCH,
	    .context = {.actor = {"local", "operator"}, .task = w->task},
	};
	struct poll poll = {0};
	struct serve_talk talk = {.call = &call, .poll = &poll};
	struct signals signals = {.got = on_signal, .ctx = &talk};
	struct answer_parts a = {0};
	int result = signals_start(&signals, &poll, e);

	if (result == 0)
		result = tool_import(NULL, &talk, &a, e);
	if (result == 0)
		tell(b, &a);
	signals_stop(&signals);
	poll_release(&poll);
	buf_release(&a.summary);
	buf_release(&a.data);
	buf_release(&a.sources);
	return result;
}

int
hand_import(struct buf *b, const struct hand_import *w, struct err *e)
{
	struct json *arguments = NULL;
	struct buf text = {0};
	int result = store_exists("tasks", e);

	if (result == 0)
		return task_missing(w->task, e);
	write_arguments(&text, w);
	if (result > 0)
		result = json_read(&arguments, buf_text(&text), text.len, e);
	if (result == 0)
		result = run(b, w, arguments, e);
	json_free(arguments);
	buf_release(&text);
	return result;
}
