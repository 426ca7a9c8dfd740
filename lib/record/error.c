#include "record/error.h"

#include <stddef.h>

#include "ext/jsonw.h"
#include "record/field.h"

static const enum err_kind kinds[] = {
    ERR_INPUT,
    ERR_REFUSED,
    ERR_INTERNAL,
    ERR_IO,
    ERR_AGAIN,
    ERR_UNKNOWN,
    ERR_DENIED,
    ERR_CONFIG,
    ERR_APPROVAL,
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static const char *const effects[] = {"none", "unknown", NULL};

static enum err_kind
kind_take(struct field *f)
{
	const char *words[KINDS + 1] = {0};

	for (int i = 0; i < KINDS; i++)
		words[i] = err_word(kinds[i]);
	return kinds[field_word(f, "kind", words)];
}

int
error_read(struct error *x, const struct json *root, struct err *e)
{
	struct field f;

	*x = (struct error){0};
	field_start(&f, root, "error", e);
	x->id = field_str_opt(&f, "id");
	x->kind = kind_take(&f);
	x->text = field_str(&f, "text");
	x->code = field_str_opt(&f, "code");
	x->wait_ms = field_int_opt(&f, "wait_ms", 0);
	x->effect = (enum effect)field_word(&f, "effect", effects);
	x->candidates.tree = field_array_opt(&f, "candidates");
	x->limit = field_int_opt(&f, "limit", 0);
	x->over = field_int_opt(&f, "over", 0);
	return field_end(&f);
}

void
error_write(struct buf *b, const struct error *x)
{
	jsonw_object(b, NULL);
	jsonw_str(b, "type", "error");
	jsonw_opt(b, "id", x->id);
	jsonw_str(b, "kind", err_word(x->kind));
	jsonw_str(b, "text", x->text);
	jsonw_opt(b, "code", x->code);
	if (x->wait_ms)
		jsonw_int(b, "wait_ms", x->wait_ms);
	jsonw_str(b, "effect", effects[x->effect]);
	value_write(b, "candidates", &x->candidates);
	if (x->limit)
		jsonw_int(b, "limit", x->limit);
	if (x->over)
		jsonw_int(b, "over", x->over);
	jsonw_line(b);
}

void
error_write_err(struct buf *b, const char *id, const struct err *why)
{
	error_write(b, &(struct error){
			   .id = id,
			   .kind = why->kind,
			   .text = why->text,
			   .effect = why->kind == ERR_UNKNOWN ? EFFECT_UNKNOWN
							      : EFFECT_NONE,
		       });
}
