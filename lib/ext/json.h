#ifndef EXT_JSON_H
#define EXT_JSON_H
/*
 * json - read JSON text into a tree. The only place that knows yajl.
 *
 * Memory   A tree is one arena: json_free() of its root frees all of it, and
 *          every value and text handed out is borrowed from it until then.
 * Errors   ERR_INPUT with the byte where the text stops being JSON. Nesting
 *          is limited to JSON_DEPTH, a text to 2 GiB.
 * Text     Always valid UTF-8 and a C string: a lone surrogate and U+0000
 *          become U+FFFD. Numbers keep the digits they were written with.
 * NULL     Every function that looks at a value takes NULL for "not there",
 *          so look-ups can be nested without a check between them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct json;

enum { JSON_DEPTH = 64 };

enum json_kind {
	JSON_NONE, /* not there */
	JSON_NULL,
	JSON_BOOL,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/*
 * Parse exactly one value; json_object() insists that it is an object, and
 * json_is_object() only tells.
 */
int json_read(struct json **root, const char *text, size_t len, struct err *e);
int json_object(struct json **root, const char *text, size_t len,
    struct err *e);
bool json_is_object(const char *text, size_t len);
void json_free(struct json *root); /* NULL is allowed */

/*
 * The same for whoever reads one object after another: the tree lasts until the
 * next one is read, and is not to be freed.
 */
struct json_reader;
struct json_reader *json_reader_open(void);
void json_reader_close(struct json_reader *r); /* NULL is allowed */
int json_reader_object(struct json_reader *r, const struct json **root,
    const char *text, size_t len, struct err *e);

enum json_kind json_kind(const struct json *v);

/* The member called key, the last one if it was written twice; or NULL. */
const struct json *json_get(const struct json *object, const char *key);

/*
 * Look up many members at once: found[i] is the one called keys[i], or NULL.
 * Fastest when keys stand in the order in which they are mostly written.
 */
void json_pick(const struct json *object, const char *const keys[],
    const struct json *found[], size_t count);

/* Walk items of an array or members of an object, in the order written. */
const struct json *json_first(const struct json *v);
const struct json *json_next(const struct json *v);
const char *json_key(const struct json *member); /* NULL in an array */
size_t json_count(const struct json *v);

/* A string's text or a number's digits; NULL for every other kind. */
const char *json_text(const struct json *v);
bool json_true(const struct json *v); /* it is the value true */

/* 0 and *n if v is a whole number (or such digits in a string), else -1. */
int json_whole(const struct json *v, int64_t *n);

/* The same by key: NULL or `other` unless it is there and of that kind. */
const char *json_string(const struct json *object, const char *key);
int64_t json_int(const struct json *object, const char *key, int64_t other);
bool json_bool(const struct json *object, const char *key, bool other);

#endif
