/* The requests of changes. */
#include <stdio.h>

#include "core/clock.h"
#include "core/crash.h"
#include "core/err.h"
#include "discord/rest.h"
#include "ext/json.h"
#include "guild/change.h"
#include "record/call.h"
#include "tool/serve.h"

enum { NOT_FOUND = 404, WAIT_MS = 25000, REASON = 256 };

static void
on_ended(void *ctx)
{
	(void)ctx; /* its end says it */
}

/* Wait for its end. What can't be waited for may be done, if it was sent. */
static int
run(struct rest *r, struct rest_call *x, struct err *e)
{
	int result = rest_start(r, x, e);

	if (result < 0)
		return -1;
	while (!x->end && result == 0)
		result = rest_step(r, POLL_NEVER, e);
	if (x->end)
		return 0;
	if (rest_drop(x))
		return -1;
	rest_stop(x);
	e->kind = ERR_UNKNOWN;
	return -1;
}

static int
judge(const struct rest_call *x, const struct change_request *r, struct err *e)
{
	enum err_kind kind = x->verdict.kind;

	if (x->end == REST_UNKNOWN)
		kind = ERR_UNKNOWN;
	if (!kind)
		return 0;
	if (r->removes && x->end == REST_ANSWERED && x->status == NOT_FOUND &&
	    x->verdict.code)
		return 0;
	if (x->doubtful) /* one before this may have been done */
		kind = ERR_UNKNOWN;
	return err_set(e, kind, "%s", x->verdict.text);
}

int
change_send(struct change *c, const struct change_request *r,
    struct json **answer, struct err *e)
{
	const struct context *from = &c->call->context;
	char reason[REASON];
	struct rest_call x = {
	    .method = r->method,
	    .path = r->path,
	    .body = r->body ? buf_text(r->body) : NULL,
	    .body_len = r->body ? r->body->len : 0,
	    .files = r->file,
	    .file_count = r->file != NULL,
	    .reason = reason,
	    .once = !r->removes,
	    .until_ms = clock_boot_ms() + WAIT_MS,
	    .ended = on_ended,
	};
	struct rest *rest;
	struct err why = {0};
	int result;

	snprintf(reason, sizeof(reason), "call %.32s, asked by %.80s (%.24s)",
	    c->call->id, from->actor.name, from->actor.id);
	if (answer)
		*answer = NULL;
	if (live_rest(c->live, &rest, e) < 0)
		return -1;
	CRASH_POINT("guild.send");
	result = run(rest, &x, e);
	CRASH_POINT("guild.send.done");
	if (result == 0)
		result = judge(&x, r, e);
	if (result == 0 && answer)
		(void)json_read(answer, buf_text(&x.reply), x.reply.len, &why);
	rest_release(&x);
	return result;
}

int
change_send_part(struct change *c, const char *text,
    const struct change_request *r, struct json **answer,
    void (*data)(struct buf *to, const struct json *answer), struct err *e)
{
	enum part_state state = PART_SUCCEEDED;
	struct buf made = {0};
	struct json *got;
	struct err why = {0};

	if (serve_part_begin(c->w, text, e) < 0)
		return -1;
	if (change_send(c, r, &got, &why) < 0)
		state = why.kind == ERR_UNKNOWN ? PART_UNKNOWN : PART_FAILED;
	else if (data)
		data(&made, got);
	(void)serve_part_end(c->w, state, made.len ? buf_text(&made) : NULL, e);
	buf_release(&made);
	if (answer)
		*answer = got;
	else
		json_free(got);
	if (why.kind)
		*e = why;
	return e->kind ? -1 : 0;
}

int
change_stop(struct change *c, bool begun, struct err *e)
{
	if (!begun || e->kind == ERR_UNKNOWN)
		return -1;
	c->a->partly = true;
	buf_fmt(&c->a->summary, "; not all was done: %s", e->text);
	*e = (struct err){0};
	return 0;
}
