#include "record/result.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
result_read(struct result *r, const struct json *root, struct err *e)
{
	struct field f;

	*r = (struct result){0};
	field_start(&f, root, "result", e);
	r->id = field_str_opt(&f, "id");
	r->ok = field_bool(&f, "ok");
	r->summary = field_str(&f, "summary");
	r->data.tree = field_any_opt(&f, "data");
	r->sources.tree = field_array_opt(&f, "sources");
	r->cursor = field_str_opt(&f, "cursor");
	r->coverage.tree = field_object_opt(&f, "coverage");
	r->reveal.tree = field_array_opt(&f, "reveal");
	return field_end(&f);
}

void
result_write(struct buf *b, const struct result *r)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "result");
	jsonw_opt(b, "id", r->id);
	jsonw_bool(b, "ok", r->ok);
	jsonw_str(b, "summary", r->summary);
	value_write(b, "data", &r->data);
	value_write(b, "sources", &r->sources);
	jsonw_opt(b, "cursor", r->cursor);
	value_write(b, "coverage", &r->coverage);
	value_write(b, "reveal", &r->reveal);
	jsonw_line(b);
}
