#include "record/reasoning.h"

#include "ext/jsonw.h"
#include "record/field.h"

int
reasoning_read(struct reasoning *r, const struct json *root, struct err *e)
{
	struct field f;

	field_start(&f, root, "reasoning", e);
	r->id = field_str(&f, "id");
	r->text = field_str(&f, "text");
	return field_end(&f);
}

void
reasoning_write(struct buf *b, const struct reasoning *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "reasoning");
	jsonw_str(b, "id", r->id);
	jsonw_str(b, "text", r->text);
	jsonw_line(b);
}
