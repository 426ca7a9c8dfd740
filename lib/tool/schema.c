#include "tool/schema.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "ext/json.h"
#include "tool/fault.h"

/* A schema's types; the index of one says which keywords it may have. */
enum type { OBJECT, ARRAY, STRING, INTEGER, NUMBER, BOOLEAN, TYPES };

static const char *const type_words[TYPES] = {"object", "array", "string",
    "integer", "number", "boolean"};

enum { /* bits of keyword.types */
	ALL = (1 << TYPES) - 1,
	NUMBERS = 1 << INTEGER | 1 << NUMBER,
};

static const struct keyword {
	const char *name;
	enum json_kind kind;
	unsigned types;
} keywords[] = {
    {"type", JSON_STRING, ALL},
    {"description", JSON_STRING, ALL},
    {"properties", JSON_OBJECT, 1 << OBJECT},
    {"required", JSON_ARRAY, 1 << OBJECT},
    {"items", JSON_OBJECT, 1 << ARRAY},
    {"minItems", JSON_NUMBER, 1 << ARRAY},
    {"maxItems", JSON_NUMBER, 1 << ARRAY},
    {"enum", JSON_ARRAY, 1 << STRING},
    {"minLength", JSON_NUMBER, 1 << STRING},
    {"maxLength", JSON_NUMBER, 1 << STRING},
    {"minimum", JSON_NUMBER, NUMBERS},
    {"maximum", JSON_NUMBER, NUMBERS},
};

static int
type_of(const struct json *schema)
{
	const char *word = json_string(schema, "type");

	for (int i = 0; word && i < TYPES; i++)
		if (strcmp(word, type_words[i]) == 0)
			return i;
	return -1;
}

static const struct keyword *
find_keyword(const char *name)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (strcmp(keywords[i].name, name) == 0)
			return &keywords[i];
	return NULL;
}

static void
check_keyword(struct faults *f, const struct fault_place *at, int type,
    const struct json *v)
{
	const struct keyword *k = find_keyword(json_key(v));
	const struct fault_place here = {at, json_key(v), 0};

	if (!k)
		fault_add(f, &here, "is not a keyword that providers agree on");
	else if (!(k->types & 1U << type))
		fault_add(f, &here, "means nothing for the type %s",
		    type_words[type]);
	else if (json_kind(v) != k->kind)
		fault_add(f, &here, "is of the wrong kind");
}

static void
check_texts(struct faults *f, const struct fault_place *at,
    const struct json *list)
{
	struct fault_place item = {at, NULL, 0};

	for (const struct json *v = json_first(list); v; v = json_next(v)) {
		if (json_kind(v) != JSON_STRING)
			fault_add(f, &item, "is no text");
		item.index++;
	}
}

static void
check_required(struct faults *f, const struct fault_place *at,
    const struct json *schema)
{
	const struct json *members = json_get(schema, "properties");
	const struct json *required = json_get(schema, "required");
	const struct fault_place here = {at, "required", 0};

	if (!required)
		fault_add(f, at, "an object needs required, even if empty");
	check_texts(f, &here, required);
	for (const struct json *v = json_first(required); v; v = json_next(v))
		if (json_kind(v) == JSON_STRING &&
		    !json_get(members, json_text(v)))
			fault_add(f, &here, "%s is not one of the properties",
			    json_text(v));
}

/* A tree is at most JSON_DEPTH deep, so these recursions are bounded. */
static void /* NOLINTNEXTLINE(misc-no-recursion) */
check_object(struct faults *f, const struct fault_place *at,
    const struct json *schema)
{
	const struct json *members = json_get(schema, "properties");
	const struct fault_place here = {at, "properties", 0};

	if (!members)
		fault_add(f, at, "an object needs properties, even if empty");
	if (json_kind(members) == JSON_OBJECT)
		for (const struct json *v = json_first(members); v;
		     v = json_next(v))
			schema_check(f,
			    &(struct fault_place){&here, json_key(v), 0}, v);
	check_required(f, at, schema);
}

void /* NOLINTNEXTLINE(misc-no-recursion) */
schema_check(struct faults *f, const struct fault_place *at,
    const struct json *schema)
{
	int type = type_of(schema);

	if (json_kind(schema) != JSON_OBJECT) {
		fault_add(f, at, "is no schema (an object)");
		return;
	}
	if (type < 0) {
		fault_add(f, at,
		    "needs a type: object, array, string, "
		    "integer, number or boolean");
		return;
	}
	for (const struct json *v = json_first(schema); v; v = json_next(v))
		check_keyword(f, at, type, v);
	if (type == OBJECT)
		check_object(f, at, schema);
	if (type == STRING)
		check_texts(f, &(struct fault_place){at, "enum", 0},
		    json_get(schema, "enum"));
	if (type == ARRAY)
		schema_check(f, &(struct fault_place){at, "items", 0},
		    json_get(schema, "items"));
}

static void validate(struct faults *f, const struct fault_place *at,
    const struct json *schema, const struct json *v);

/* How many characters of UTF-8 that is known to be valid. */
static int64_t
characters(const char *text)
{
	int64_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xC0) != 0x80;
	return n;
}

/* Compare a count with the two limits of that name; what is in words. */
static void
bound_count(struct faults *f, const struct fault_place *at,
    const struct json *schema, const char *low, const char *high, int64_t n,
    const char *what)
{
	int64_t least = json_int(schema, low, 0);
	int64_t most = json_int(schema, high, INT64_MAX);

	if (n < least)
		fault_add(f, at, "has %lld %s, fewer than %lld", (long long)n,
		    what, (long long)least);
	if (n > most)
		fault_add(f, at, "has %lld %s, more than %lld", (long long)n,
		    what, (long long)most);
}

static void
validate_string(struct faults *f, const struct fault_place *at,
    const struct json *schema, const char *text)
{
	const struct json *words = json_get(schema, "enum");
	char list[200] = "";

	bound_count(f, at, schema, "minLength", "maxLength", characters(text),
	    "characters");
	if (!words)
		return;
	for (const struct json *v = json_first(words); v; v = json_next(v)) {
		size_t len = strlen(list);

		if (strcmp(json_text(v), text) == 0)
			return;
		snprintf(list + len, sizeof(list) - len, "%s%s",
		    len ? ", " : "", json_text(v));
	}
	fault_add(f, at, "'%.60s' is none of %s", text, list);
}

static void
validate_number(struct faults *f, const struct fault_place *at,
    const struct json *schema, const struct json *v)
{
	const char *least = json_text(json_get(schema, "minimum"));
	const char *most = json_text(json_get(schema, "maximum"));
	double n = strtod(json_text(v), NULL);
	int64_t whole;

	if (type_of(schema) == INTEGER && json_whole(v, &whole) < 0)
		fault_add(f, at, "%.40s is not a whole number", json_text(v));
	if (least && n < strtod(least, NULL))
		fault_add(f, at, "%.40s is less than %s", json_text(v), least);
	if (most && n > strtod(most, NULL))
		fault_add(f, at, "%.40s is more than %s", json_text(v), most);
}

static void /* NOLINTNEXTLINE(misc-no-recursion) */
validate_array(struct faults *f, const struct fault_place *at,
    const struct json *schema, const struct json *v)
{
	const struct json *items = json_get(schema, "items");
	struct fault_place here = {at, NULL, 0};

	bound_count(f, at, schema, "minItems", "maxItems",
	    (int64_t)json_count(v), "items");
	for (v = json_first(v); v; v = json_next(v)) {
		validate(f, &here, items, v);
		here.index++;
	}
}

static bool
is_required(const struct json *schema, const char *name)
{
	const struct json *v = json_first(json_get(schema, "required"));

	while (v && strcmp(json_text(v), name) != 0)
		v = json_next(v);
	return v != NULL;
}

/* Say which members there are instead of one that there is not. */
static void
unknown_member(struct faults *f, const struct fault_place *at,
    const struct json *members)
{
	char list[300] = "";

	for (const struct json *v = json_first(members); v; v = json_next(v)) {
		size_t len = strlen(list);

		snprintf(list + len, sizeof(list) - len, "%s%s",
		    len ? ", " : "", json_key(v));
	}
	fault_add(f, at, "is not known here; there is %s",
	    *list ? list : "nothing to give");
}

static void /* NOLINTNEXTLINE(misc-no-recursion) */
validate_object(struct faults *f, const struct fault_place *at,
    const struct json *schema, const struct json *object)
{
	const struct json *members = json_get(schema, "properties");
	const struct json *v;

	for (v = json_first(object); v; v = json_next(v)) {
		const struct json *member = json_get(members, json_key(v));
		const struct fault_place here = {at, json_key(v), 0};

		if (!member)
			unknown_member(f, &here, members);
		else if (json_kind(v) != JSON_NULL ||
			 is_required(schema, json_key(v)))
			validate(f, &here, member, v);
	}
	for (v = json_first(json_get(schema, "required")); v; v = json_next(v))
		if (!json_get(object, json_text(v)))
			fault_add(f, &(struct fault_place){at, json_text(v), 0},
			    "is missing");
}

static void /* NOLINTNEXTLINE(misc-no-recursion) */
validate(struct faults *f, const struct fault_place *at,
    const struct json *schema, const struct json *v)
{
	static const enum json_kind kinds[TYPES] = {JSON_OBJECT, JSON_ARRAY,
	    JSON_STRING, JSON_NUMBER, JSON_NUMBER, JSON_BOOL};
	static const char *const wrong[TYPES] = {"is no object", "is no array",
	    "is no text", "is no whole number", "is no number",
	    "is neither true nor false"};
	int type = type_of(schema);

	if (type < 0)
		return;
	if (json_kind(v) != kinds[type]) {
		fault_add(f, at, "%s", wrong[type]);
		return;
	}
	switch ((enum type)type) {
	case OBJECT: validate_object(f, at, schema, v); break;
	case ARRAY: validate_array(f, at, schema, v); break;
	case STRING: validate_string(f, at, schema, json_text(v)); break;
	case INTEGER:
	case NUMBER: validate_number(f, at, schema, v); break;
	case BOOLEAN:
	case TYPES: break;
	}
}

int
schema_validate(const struct json *schema, const struct json *arguments,
    struct err *e)
{
	const struct fault_place top = {NULL, "arguments", 0};
	struct faults f = {0};
	int result;

	validate(&f, &top, schema, arguments);
	result = fault_end(&f, ERR_INPUT, e);
	fault_release(&f);
	return result;
}
