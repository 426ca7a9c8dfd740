#include "record/progress.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
progress_read(struct progress *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct progress){0};
	field_start(&f, root, "progress", e);
	x->task = field_str_opt(&f, "task");
	x->id = field_str_opt(&f, "id");
	x->text = field_str(&f, "text");
	return field_end(&f);
}

void
progress_write(struct buf *b, const struct progress *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "progress");
	jsonw_opt(b, "task", x->task);
	jsonw_opt(b, "id", x->id);
	jsonw_str(b, "text", x->text);
	jsonw_line(b);
}
