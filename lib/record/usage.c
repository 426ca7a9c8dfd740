#include "record/usage.h"

#include "ext/jsonw.h"
#include "record/field.h"

static struct usage_count
take_count(struct field *f, const char *key)
{
	int64_t n = field_int_opt(f, key, -1);

	return (struct usage_count){.known = n >= 0, .n = n >= 0 ? n : 0};
}

int
usage_read(struct usage *u, const struct json *root, struct err *e)
{
	struct field f;

	field_start(&f, root, "usage", e);
	u->id = field_str_opt(&f, "id");
	u->task = field_str_opt(&f, "task");
	u->profile = field_str(&f, "profile");
	u->model = field_str(&f, "model");
	u->purpose = field_str(&f, "purpose");
	u->input = take_count(&f, "input");
	u->output = take_count(&f, "output");
	u->cached = take_count(&f, "cached");
	u->reasoning = take_count(&f, "reasoning");
	u->cost = field_str_opt(&f, "cost");
	u->estimated = field_bool(&f, "estimated");
	return field_end(&f);
}

static void
put_count(struct buf *b, const char *key, struct usage_count c)
{
	if (c.known)
		jsonw_int(b, key, c.n);
}

void
usage_write(struct buf *b, const struct usage *u)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "usage");
	jsonw_opt(b, "id", u->id);
	jsonw_opt(b, "task", u->task);
	jsonw_str(b, "profile", u->profile);
	jsonw_str(b, "model", u->model);
	jsonw_str(b, "purpose", u->purpose);
	put_count(b, "input", u->input);
	put_count(b, "output", u->output);
	put_count(b, "cached", u->cached);
	put_count(b, "reasoning", u->reasoning);
	jsonw_opt(b, "cost", u->cost);
	jsonw_bool(b, "estimated", u->estimated);
	jsonw_line(b);
}
