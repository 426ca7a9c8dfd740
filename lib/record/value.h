#ifndef RECORD_VALUE_H
#define RECORD_VALUE_H
/*
 * value - a field of a record that may hold any JSON.
 *
 * A reader fills in tree. A writer takes text if there is some (JSON that our
 * own jsonw made), else tree, else there is none. Both are borrowed.
 */

#include <stdbool.h>

struct buf;
struct json;

struct value {
	const struct json *tree;
	const char *text;
};

bool value_is(const struct value *v); /* there is one */

/* Write it with its key, or nothing; value_write_or() writes `other` then. */
void value_write(struct buf *b, const char *key, const struct value *v);
void value_write_or(struct buf *b, const char *key, const struct value *v,
    const char *other);

#endif
