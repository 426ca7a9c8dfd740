#include "record/decision.h"

#include <stddef.h>
#include <string.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const words[] = {"approve", "deny", "correct", "stop",
    "expired", "invalid", NULL};

const char *
verdict_word(enum decision_verdict v)
{
	return words[v];
}

enum decision_verdict
verdict_of(const char *word)
{
	int i = 0;

	while (i < VERDICT_INVALID && strcmp(words[i], word) != 0)
		i++;
	return (enum decision_verdict)i;
}

int
decision_read(struct decision *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct decision){0};
	field_start(&f, root, "decision", e);
	x->approval = field_str(&f, "approval");
	x->verdict = (enum decision_verdict)field_word(&f, "verdict", words);
	x->by = field_str_opt(&f, "by");
	return field_end(&f);
}

void
decision_write(struct buf *b, const struct decision *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "decision");
	jsonw_str(b, "approval", x->approval);
	jsonw_str(b, "verdict", verdict_word(x->verdict));
	jsonw_opt(b, "by", x->by);
	jsonw_line(b);
}
