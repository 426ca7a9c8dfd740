#include "runtime/reply.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/error.h"
#include "record/tool_call.h"
#include "record/usage.h"

enum {
	REPLY_TEXT_MAX = 256 << 10,
	REPLY_CALLS_MAX = REQUEST_CALLS_MAX,
	REPLY_RECORDS_MAX = 1 << 18, /* more than any model has tokens to say */
};

void
reply_fail(struct reply *r, const struct err *why)
{
	r->ended = r->failed = true;
	r->error = *why;
}

static int
take_call(struct reply *r, const struct json *record, struct err *e)
{
	struct tool_call c;

	if (tool_call_read(&c, record, e) < 0)
		return -1;
	if (r->count == REPLY_CALLS_MAX)
		return err_set(e, ERR_REFUSED, "more than %d calls at once",
		    REPLY_CALLS_MAX);
	r->calls = mem_resize(r->calls, r->count + 1, sizeof(*r->calls));
	r->calls[r->count++] = (struct request_call){
	    .id = mem_dup(c.call),
	    .name = mem_dup(c.name),
	    .arguments = mem_dup(c.arguments),
	};
	return 0;
}

static int
take_finish(struct reply *r, const struct json *record, struct err *e)
{
	struct finish f;
	struct buf echo = {0};

	if (finish_read(&f, record, e) < 0)
		return -1;
	r->reason = f.reason;
	r->none = f.none;
	if (f.echo.tree) {
		jsonw_value(&echo, NULL, f.echo.tree);
		r->echo = buf_take(&echo);
	}
	r->ended = true;
	return 0;
}

static int
take_error(struct reply *r, const struct json *record, struct err *e)
{
	struct error x;

	if (error_read(&x, record, e) < 0)
		return -1;
	err_set(&r->error, x.kind, "%s", x.text);
	r->overflow = x.code && strcmp(x.code, "context_length") == 0;
	r->ended = r->failed = true;
	return 0;
}

static int
take(struct reply *r, const char *type, const struct json *record,
    struct err *e)
{
	struct usage u;

	if (strcmp(type, "delta") == 0) {
		r->text.limit = REPLY_TEXT_MAX;
		buf_str(&r->text, json_string(record, "text"));
		return r->text.full
			   ? err_set(e, ERR_REFUSED, "the answer is too long")
			   : 0;
	}
	if (strcmp(type, "tool_call") == 0)
		return take_call(r, record, e);
	if (strcmp(type, "finish") == 0)
		return take_finish(r, record, e);
	if (strcmp(type, "error") == 0)
		return take_error(r, record, e);
	if (strcmp(type, "usage") == 0) {
		if (usage_read(&u, record, e) < 0)
			return -1;
		r->input = u.input.known ? u.input.n : 0;
	}
	return 0; /* reasoning, and types that are not known here */
}

bool
reply_take(struct reply *r, const struct json *record)
{
	const char *type = json_string(record, "type");
	struct err e = {0};

	if (++r->records > REPLY_RECORDS_MAX)
		err_set(&e, ERR_INTERNAL, "the reply has no end");
	if (e.kind || (type && take(r, type, record, &e) < 0)) {
		err_in(&e, "sophia-model");
		reply_fail(r, &e);
	}
	return r->ended;
}

void
reply_release(struct reply *r)
{
	request_calls_free(r->calls, r->count);
	free(r->echo);
	buf_release(&r->text);
	*r = (struct reply){0};
}
