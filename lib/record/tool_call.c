#include "record/tool_call.h"

#include "ext/jsonw.h"
#include "record/field.h"

int
tool_call_read(struct tool_call *c, const struct json *root, struct err *e)
{
	struct field f;

	field_start(&f, root, "tool_call", e);
	c->id = field_str(&f, "id");
	c->index = field_int(&f, "index");
	c->call = field_str(&f, "call");
	c->name = field_str(&f, "name");
	c->arguments = field_str(&f, "arguments");
	return field_end(&f);
}

void
tool_call_write(struct buf *b, const struct tool_call *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "tool_call");
	jsonw_str(b, "id", c->id);
	jsonw_int(b, "index", c->index);
	jsonw_str(b, "call", c->call);
	jsonw_str(b, "name", c->name);
	jsonw_str(b, "arguments", c->arguments);
	jsonw_line(b);
}
