#include "record/answer.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
answer_read(struct answer *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct answer){0};
	field_start(&f, root, "answer", e);
	x->task = field_str(&f, "task");
	x->turn = field_str(&f, "turn");
	x->text = field_str(&f, "text");
	x->none = !field_bool_opt(&f, "found", true);
	x->sources.tree = field_array(&f, "sources");
	return field_end(&f);
}

void
answer_write(struct buf *b, const struct answer *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "answer");
	jsonw_str(b, "task", x->task);
	jsonw_str(b, "turn", x->turn);
	jsonw_str(b, "text", x->text);
	if (x->none)
		jsonw_bool(b, "found", false);
	value_write_or(b, "sources", &x->sources, "[]");
	jsonw_line(b);
}
