#include "record/value.h"

#include <string.h>

#include "ext/jsonw.h"

bool
value_is(const struct value *v)
{
	return v->tree || v->text;
}

void
value_write(struct buf *b, const char *key, const struct value *v)
{
	if (v->text)
		jsonw_raw(b, key, v->text, strlen(v->text));
	else if (v->tree)
		jsonw_value(b, key, v->tree);
}

void
value_write_or(struct buf *b, const char *key, const struct value *v,
    const char *other)
{
	if (value_is(v))
		value_write(b, key, v);
	else
		jsonw_raw(b, key, other, strlen(other));
}
