#include "record/paused.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const reasons[] = {
    "interrupted",
    "stopped",
    "guard",
    "budget",
    "context",
    "approval",
    "unknown",
    "model",
    NULL,
};

const char *
paused_word(enum paused_reason reason)
{
	return reasons[reason];
}

int
paused_read(struct paused *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct paused){0};
	field_start(&f, root, "paused", e);
	x->task = field_str(&f, "task");
	x->reason = (enum paused_reason)field_word(&f, "reason", reasons);
	x->text = field_str(&f, "text");
	return field_end(&f);
}

void
paused_write(struct buf *b, const struct paused *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "paused");
	jsonw_str(b, "task", x->task);
	jsonw_str(b, "reason", paused_word(x->reason));
	jsonw_str(b, "text", x->text);
	jsonw_line(b);
}
