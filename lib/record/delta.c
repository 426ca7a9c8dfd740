#include "record/delta.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
delta_read(struct delta *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct delta){0};
	field_start(&f, root, "delta", e);
	x->id = field_str_opt(&f, "id");
	x->text = field_str(&f, "text");
	return field_end(&f);
}

void
delta_write(struct buf *b, const struct delta *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "delta");
	jsonw_opt(b, "id", x->id);
	jsonw_str(b, "text", x->text);
	jsonw_line(b);
}
