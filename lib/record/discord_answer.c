#include "record/discord_answer.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const char *const outcomes[] = {"answered", "unsent", "unknown", NULL};

int
discord_answer_read(struct discord_answer *a, const struct json *root,
    struct err *e)
{
	const char *kind;
	struct field f;

	*a = (struct discord_answer){0};
	field_start(&f, root, "discord_answer", e);
	a->id = field_str_opt(&f, "id");
	a->outcome = (enum discord_outcome)field_word(&f, "outcome", outcomes);
	a->status = field_int_opt(&f, "status", 0);
	a->route = field_str_opt(&f, "route");
	a->body.tree = field_any_opt(&f, "body");
	a->page = field_str_opt(&f, "page");
	kind = field_str_opt(&f, "kind");
	a->kind = kind ? err_of_word(kind) : ERR_NONE;
	a->text = field_str_opt(&f, "text");
	a->code = field_int_opt(&f, "code", 0);
	a->doubtful = field_bool_opt(&f, "doubtful", false);
	a->waited_ms = field_int(&f, "waited_ms");
	a->took_ms = field_int(&f, "took_ms");
	return field_end(&f);
}

void
discord_answer_write(struct buf *b, const struct discord_answer *a)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "discord_answer");
	jsonw_opt(b, "id", a->id);
	jsonw_str(b, "outcome", outcomes[a->outcome]);
	if (a->status)
		jsonw_int(b, "status", a->status);
	jsonw_opt(b, "route", a->route);
	value_write(b, "body", &a->body);
	jsonw_opt(b, "page", a->page);
	if (a->kind) {
		jsonw_str(b, "kind", err_word(a->kind));
		jsonw_opt(b, "text", a->text);
	}
	if (a->code)
		jsonw_int(b, "code", a->code);
	if (a->doubtful)
		jsonw_bool(b, "doubtful", true);
	jsonw_int(b, "waited_ms", a->waited_ms);
	jsonw_int(b, "took_ms", a->took_ms);
	jsonw_line(b);
}
