#ifndef RECORD_FIELD_H
#define RECORD_FIELD_H
/*
 * field - take the fields out of a record, one after the other.
 *
 * The first fault is kept, and named with its record and field; after it every
 * taker returns its empty value. So a reader reads straight down and returns
 * what field_end() says. Takers named _opt accept a field that is missing or
 * null; the others don't. Every value is borrowed from the tree.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct json;

struct field {
	const struct json *in;
	const char *record; /* what an error calls it */
	struct err *e;
	struct field *outer; /* of an object inside a record */
	bool bad;
};

/* Begin with a record whose "type" must be this one. */
void field_start(struct field *f, const struct json *root, const char *type,
    struct err *e);

/*
 * Begin with the object that is the member key of outer, which must be there;
 * an error calls it by name. A fault in it is one of the outer too.
 */
void field_inside(struct field *f, struct field *outer, const char *key,
    const char *name);

const char *field_str(struct field *f, const char *key);
const char *field_str_opt(struct field *f, const char *key);

/*
 * An id of Discord's, or the word `other` if that is not NULL. Nothing else may
 * be where a prompt, a place or an owner is made of it.
 */
const char *field_id(struct field *f, const char *key, const char *other);
const char *field_id_opt(struct field *f, const char *key);
const struct json *field_ids_opt(struct field *f, const char *key); /* array */

int64_t field_int(struct field *f, const char *key);
int64_t field_int_opt(struct field *f, const char *key, int64_t other);
bool field_bool(struct field *f, const char *key);
bool field_bool_opt(struct field *f, const char *key, bool other);
const struct json *field_object(struct field *f, const char *key);
const struct json *field_object_opt(struct field *f, const char *key);
const struct json *field_array(struct field *f, const char *key);
const struct json *field_array_opt(struct field *f, const char *key);
const struct json *field_any_opt(struct field *f, const char *key);

/*
 * Which of the words, ended by NULL, the text is; the first one if it is bad.
 */
int field_word(struct field *f, const char *key, const char *const *words);

/* 0, or -1 if there was a fault. */
int field_end(const struct field *f);

#endif
