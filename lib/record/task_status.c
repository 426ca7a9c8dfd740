#include "record/task_status.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

int
task_status_read(struct task_status *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct task_status){0};
	field_start(&f, root, "task", e);
	x->id = field_str(&f, "id");
	x->turn = field_str(&f, "turn");
	x->state = field_str(&f, "state");
	x->objective = field_str(&f, "objective");
	return field_end(&f);
}

void
task_status_write(struct buf *b, const struct task_status *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "task");
	jsonw_str(b, "id", x->id);
	jsonw_str(b, "turn", x->turn);
	jsonw_str(b, "state", x->state);
	jsonw_str(b, "objective", x->objective);
	jsonw_line(b);
}
