#include "record/attach.h"

#include <stddef.h>

#include "core/err.h"
#include "ext/jsonw.h"
#include "record/field.h"

int
attach_read(struct attach *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct attach){0};
	field_start(&f, root, "attach", e);
	x->id = field_str(&f, "id");
	x->filename = field_str(&f, "filename");
	x->text = field_str_opt(&f, "text");
	x->base64 = field_str_opt(&f, "base64");
	x->path = field_str_opt(&f, "path");
	if (field_end(&f) < 0)
		return -1;
	if (!!x->text + !!x->base64 + !!x->path != 1)
		return err_set(e, ERR_INPUT,
		    "attach: one of text, base64 and path is needed");
	return 0;
}

void
attach_write(struct buf *b, const struct attach *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "attach");
	jsonw_str(b, "id", x->id);
	jsonw_str(b, "filename", x->filename);
	jsonw_opt(b, "text", x->text);
	jsonw_opt(b, "base64", x->base64);
	jsonw_opt(b, "path", x->path);
	jsonw_line(b);
}
