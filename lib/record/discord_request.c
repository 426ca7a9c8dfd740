#include "record/discord_request.h"

#include <stddef.h>

#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

static const char *const urgencies[] = {"normal", "urgent", "bulk", NULL};

int
discord_request_read(struct discord_request *r, const struct json *root,
    struct err *e)
{
	struct field f;

	*r = (struct discord_request){0};
	field_start(&f, root, "discord_request", e);
	r->id = field_str_opt(&f, "id");
	r->method = field_str(&f, "method");
	r->path = field_str(&f, "path");
	r->body.tree = field_any_opt(&f, "body");
	r->files.tree = field_array_opt(&f, "files");
	r->reason = field_str_opt(&f, "reason");
	if (field_str_opt(&f, "urgency"))
		r->urgency = (enum discord_urgency)field_word(&f, "urgency",
		    urgencies);
	r->repeatable = field_bool_opt(&f, "repeatable", false);
	r->timeout_ms = field_int_opt(&f, "timeout_ms", 0);
	if (field_end(&f) < 0)
		return -1;
	if (r->timeout_ms < 0)
		return err_set(e, ERR_INPUT,
		    "discord_request: timeout_ms is negative");
	return 0;
}

void
discord_request_write(struct buf *b, const struct discord_request *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "discord_request");
	jsonw_opt(b, "id", r->id);
	jsonw_str(b, "method", r->method);
	jsonw_str(b, "path", r->path);
	value_write(b, "body", &r->body);
	value_write(b, "files", &r->files);
	jsonw_opt(b, "reason", r->reason);
	if (r->urgency)
		jsonw_str(b, "urgency", urgencies[r->urgency]);
	if (r->repeatable)
		jsonw_bool(b, "repeatable", true);
	if (r->timeout_ms)
		jsonw_int(b, "timeout_ms", r->timeout_ms);
	jsonw_line(b);
}
