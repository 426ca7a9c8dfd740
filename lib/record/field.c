#include "record/field.h"

#include <string.h>

#include "core/err.h"
#include "ext/json.h"

enum { ID_DIGITS = 20 };

/* Keep the first fault. */
static void
fault(struct field *f, const char *key, const char *what)
{
	if (!f->bad)
		err_set(f->e, ERR_INPUT, "%s: %s %s", f->record, key, what);
	for (; f; f = f->outer)
		f->bad = true;
}

void
field_start(struct field *f, const struct json *root, const char *type,
    struct err *e)
{
	const char *is = json_string(root, "type");

	*f = (struct field){.in = root, .record = type, .e = e};
	if (!is || strcmp(is, type) != 0)
		fault(f, "type", "is another one");
}

void
field_inside(struct field *f, struct field *outer, const char *key,
    const char *name)
{
	*f = (struct field){
	    .in = field_object(outer, key),
	    .record = name,
	    .e = outer->e,
	    .outer = outer,
	    .bad = outer->bad,
	};
}

/* The value if it is of that kind; NULL if it may be missing and is. */
static const struct json *
take(struct field *f, const char *key, enum json_kind kind, bool needed)
{
	static const char *const wrong[] = {
	    [JSON_BOOL] = "is neither true nor false",
	    [JSON_NUMBER] = "is no number",
	    [JSON_STRING] = "is no text",
	    [JSON_ARRAY] = "is no array",
	    [JSON_OBJECT] = "is no object",
	};
	const struct json *v = f->bad ? NULL : json_get(f->in, key);

	if (json_kind(v) == kind || f->bad)
		return v;
	if (json_kind(v) == JSON_NONE) {
		if (needed)
			fault(f, key, "is missing");
	} else if (needed || json_kind(v) != JSON_NULL) {
		fault(f, key, wrong[kind]);
	}
	return NULL;
}

const char *
field_str(struct field *f, const char *key)
{
	return json_text(take(f, key, JSON_STRING, true));
}

const char *
field_str_opt(struct field *f, const char *key)
{
	return json_text(take(f, key, JSON_STRING, false));
}

static bool
is_id(const char *text)
{
	size_t len = text ? strlen(text) : 0;

	return len && len <= ID_DIGITS && strspn(text, "0123456789") == len;
}

static const char *
id(struct field *f, const char *key, const char *other, bool needed)
{
	const char *text = json_text(take(f, key, JSON_STRING, needed));

	if (!text || (other && strcmp(text, other) == 0) || is_id(text))
		return text;
	fault(f, key, "is no id");
	return NULL;
}

const char *
field_id(struct field *f, const char *key, const char *other)
{
	return id(f, key, other, true);
}

const char *
field_id_opt(struct field *f, const char *key)
{
	return id(f, key, NULL, false);
}

static int64_t
whole(struct field *f, const char *key, bool needed, int64_t other)
{
	const struct json *v = take(f, key, JSON_NUMBER, needed);
	int64_t n = other;

	if (v && json_whole(v, &n) < 0)
		fault(f, key, "is no whole number");
	return n;
}

const struct json *
field_ids_opt(struct field *f, const char *key)
{
	const struct json *list = take(f, key, JSON_ARRAY, false);

	for (const struct json *v = json_first(list); v; v = json_next(v))
		if (json_kind(v) != JSON_STRING || !is_id(json_text(v))) {
			fault(f, key, "holds what is no id");
			return NULL;
		}
	return list;
}

int64_t
field_int(struct field *f, const char *key)
{
	return whole(f, key, true, 0);
}

int64_t
field_int_opt(struct field *f, const char *key, int64_t other)
{
	return whole(f, key, false, other);
}

bool
field_bool(struct field *f, const char *key)
{
	return json_true(take(f, key, JSON_BOOL, true));
}

bool
field_bool_opt(struct field *f, const char *key, bool other)
{
	const struct json *v = take(f, key, JSON_BOOL, false);

	return v ? json_true(v) : other;
}

const struct json *
field_object(struct field *f, const char *key)
{
	return take(f, key, JSON_OBJECT, true);
}

const struct json *
field_object_opt(struct field *f, const char *key)
{
	return take(f, key, JSON_OBJECT, false);
}

const struct json *
field_array(struct field *f, const char *key)
{
	return take(f, key, JSON_ARRAY, true);
}

const struct json *
field_array_opt(struct field *f, const char *key)
{
	return take(f, key, JSON_ARRAY, false);
}

const struct json *
field_any_opt(struct field *f, const char *key)
{
	const struct json *v = f->bad ? NULL : json_get(f->in, key);

	return json_kind(v) == JSON_NULL ? NULL : v;
}

int
field_word(struct field *f, const char *key, const char *const *words)
{
	const char *text = field_str(f, key);

	if (!text)
		return 0;
	for (int i = 0; words[i]; i++)
		if (strcmp(words[i], text) == 0)
			return i;
	fault(f, key, "is none of the known words");
	return 0;
}

int
field_end(const struct field *f)
{
	return f->bad ? -1 : 0;
}
