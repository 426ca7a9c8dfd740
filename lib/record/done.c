#include "record/done.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const verdicts[] = {"answered", "paused", "failed",
    "cancelled", NULL};

const char *
done_word(enum done_verdict verdict)
{
	return verdicts[verdict];
}

int
done_read(struct done *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct done){0};
	field_start(&f, root, "done", e);
	x->task = field_str(&f, "task");
	x->turn = field_str(&f, "turn");
	x->verdict = (enum done_verdict)field_word(&f, "verdict", verdicts);
	x->reason = field_str_opt(&f, "reason");
	x->calls = field_int(&f, "calls");
	x->elapsed_ms = field_int(&f, "elapsed_ms");
	return field_end(&f);
}

void
done_write(struct buf *b, const struct done *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "done");
	jsonw_str(b, "task", x->task);
	jsonw_str(b, "turn", x->turn);
	jsonw_str(b, "verdict", done_word(x->verdict));
	jsonw_opt(b, "reason", x->reason);
	jsonw_int(b, "calls", x->calls);
	jsonw_int(b, "elapsed_ms", x->elapsed_ms);
	jsonw_line(b);
}
