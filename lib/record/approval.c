#include "record/approval.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
approval_read(struct approval *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct approval){0};
	field_start(&f, root, "approval", e);
	x->task = field_str(&f, "task");
	x->call = field_str(&f, "call");
	x->capability = field_str(&f, "capability");
	x->arguments.tree = field_object(&f, "arguments");
	x->tier = tier_take(&f);
	x->text = field_str(&f, "text");
	return field_end(&f);
}

void
approval_write(struct buf *b, const struct approval *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "approval");
	jsonw_str(b, "task", x->task);
	jsonw_str(b, "call", x->call);
	jsonw_str(b, "capability", x->capability);
	value_write_or(b, "arguments", &x->arguments, "{}");
	jsonw_str(b, "tier", tier_word(x->tier));
	jsonw_str(b, "text", x->text);
	jsonw_line(b);
}
