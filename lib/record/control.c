#include "record/control.h"

#include <stddef.h>
#include <string.h>

#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

int
control_read(struct control *c, const struct json *root, struct err *e)
{
	const char *type = json_string(root, "type");
	struct field f;

	*c = (struct control){0};
	if (type && strcmp(type, "cancel") == 0)
		c->kind = CONTROL_CANCEL;
	field_start(&f, root, c->kind == CONTROL_CANCEL ? "cancel" : "hint", e);
	if (c->kind == CONTROL_CANCEL)
		c->id = field_str(&f, "id");
	return field_end(&f);
}

void
control_write(struct buf *b, const struct control *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", c->kind == CONTROL_CANCEL ? "cancel" : "hint");
	if (c->kind == CONTROL_CANCEL)
		jsonw_str(b, "id", c->id);
	jsonw_line(b);
}
