#include "record/part.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const states[] = {
    [PART_INTENT] = "intent",
    [PART_SUCCEEDED] = "succeeded",
    [PART_FAILED] = "failed",
    [PART_UNKNOWN] = "unknown",
    NULL,
};

const char *
part_word(enum part_state state)
{
	return states[state];
}

int
part_read(struct part *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct part){0};
	field_start(&f, root, "part", e);
	x->id = field_str(&f, "id");
	x->n = field_int(&f, "n");
	x->state = (enum part_state)field_word(&f, "state", states);
	x->text = field_str_opt(&f, "text");
	x->data.tree = field_any_opt(&f, "data");
	return field_end(&f);
}

void
part_write(struct buf *b, const struct part *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "part");
	jsonw_str(b, "id", x->id);
	jsonw_int(b, "n", x->n);
	jsonw_str(b, "state", states[x->state]);
	jsonw_opt(b, "text", x->text);
	value_write(b, "data", &x->data);
	jsonw_line(b);
}
