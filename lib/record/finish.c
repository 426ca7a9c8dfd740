#include "record/finish.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const reasons[] = {
    [FINISH_STOP] = "stop",
    [FINISH_CALLS] = "calls",
    [FINISH_LENGTH] = "length",
    [FINISH_FILTER] = "filter",
    NULL,
};

int
finish_read(struct finish *r, const struct json *root, struct err *e)
{
	struct field f;

	field_start(&f, root, "finish", e);
	r->id = field_str(&f, "id");
	r->reason = (enum finish_reason)field_word(&f, "reason", reasons);
	r->none = !field_bool_opt(&f, "found", true);
	r->echo = (struct value){.tree = field_object_opt(&f, "echo")};
	return field_end(&f);
}

void
finish_write(struct buf *b, const struct finish *f)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "finish");
	jsonw_str(b, "id", f->id);
	jsonw_str(b, "reason", reasons[f->reason]);
	if (f->none)
		jsonw_bool(b, "found", false);
	value_write(b, "echo", &f->echo);
	jsonw_line(b);
}
