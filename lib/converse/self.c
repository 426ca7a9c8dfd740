#include "converse/self.h"

#include <stdio.h>

#include "core/err.h"
#include "core/id.h"
#include "discord/rest.h"
#include "ext/json.h"

static void
on_answered(void *ctx)
{
	(void)ctx; /* the call says so */
}

/* Wait for an answer; nothing else is done meanwhile. */
static int
ask(struct rest *r, struct rest_call *call, const bool *ending, struct err *e)
{
	call->ended = on_answered;
	if (rest_start(r, call, e) < 0)
		return -1;
	while (call->end == REST_RUNS && !(ending && *ending))
		if (rest_step(r, POLL_NEVER, e) < 0)
			return -1;
	if (call->end == REST_RUNS)
		return err_set(e, ERR_AGAIN, "interrupted");
	if (call->verdict.kind)
		return err_set(e, call->verdict.kind, "%s", call->verdict.text);
	return 0;
}

int
self_id(struct rest *r, const char *path, const bool *ending, char out[24],
    struct err *e)
{
	struct rest_call call = {.method = "GET", .path = path};
	struct json *v = NULL;
	uint64_t id;
	int rc = ask(r, &call, ending, e);

	if (rc == 0)
		rc = json_object(&v, buf_text(&call.reply), call.reply.len, e);
	if (rc == 0 && snowflake_read(&id, json_string(v, "id")) < 0)
		rc = err_set(e, ERR_REFUSED, "%s has no id", path);
	if (rc == 0)
		snprintf(out, 24, "%s", json_string(v, "id"));
	json_free(v);
	rest_release(&call);
	return rc;
}
