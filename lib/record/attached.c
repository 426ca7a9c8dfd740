#include "record/attached.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
attached_read(struct attached *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct attached){0};
	field_start(&f, root, "artifact", e);
	x->id = field_str(&f, "id");
	x->n = field_int(&f, "n");
	x->error = field_str_opt(&f, "error");
	if (x->error)
		x->artifact.tree = field_object_opt(&f, "artifact");
	else
		x->artifact.tree = field_object(&f, "artifact");
	return field_end(&f);
}

void
attached_write(struct buf *b, const struct attached *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "artifact");
	jsonw_str(b, "id", x->id);
	jsonw_int(b, "n", x->n);
	value_write(b, "artifact", &x->artifact);
	jsonw_opt(b, "error", x->error);
	jsonw_line(b);
}
