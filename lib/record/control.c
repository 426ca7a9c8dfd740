#include "record/control.h"

#include <stddef.h>
#include <string.h>

#include "ext/json.h"
#include "ext/jsonw.h"
#include "record/field.h"

static const char *const types[] = {
    [CONTROL_HINT] = "hint",
    [CONTROL_CANCEL] = "cancel",
    [CONTROL_GO] = "go",
};

int
control_read(struct control *c, const struct json *root, struct err *e)
{
	const char *type = json_string(root, "type");
	struct field f;

	*c = (struct control){0};
	if (type && strcmp(type, "cancel") == 0)
		c->kind = CONTROL_CANCEL;
	else if (type && strcmp(type, "go") == 0)
		c->kind = CONTROL_GO;
	field_start(&f, root, types[c->kind], e);
	if (c->kind != CONTROL_HINT)
		c->id = field_str(&f, "id");
	if (c->kind == CONTROL_GO)
		c->n = field_int(&f, "n");
	return field_end(&f);
}

void
control_write(struct buf *b, const struct control *c)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", types[c->kind]);
	if (c->kind != CONTROL_HINT)
		jsonw_str(b, "id", c->id);
	if (c->kind == CONTROL_GO)
		jsonw_int(b, "n", c->n);
	jsonw_line(b);
}
