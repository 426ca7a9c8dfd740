#ifndef RECORD_ANY_H
#define RECORD_ANY_H
/*
 * any - one line of NDJSON: a record of some type.
 *
 *	if (any_read(&a, line, len, e) == 0 && any_is(&a, "call"))
 *		result = call_read(&call, a.root, e);
 *	...
 *	any_release(&a);
 *
 * Each other file here is one type: X_read() fills a struct X from a tree, and
 * X_write() adds one to a buffer as a line.
 *
 * Memory   What X_read() fills in is borrowed from the tree, which lives until
 *          any_release(). A struct X has nothing to release.
 * Errors   ERR_INPUT: "result: ok is missing". Unknown fields are ignored, and
 *          so is an optional one that is null.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct json;

struct any {
	struct json *root;
	const char *type;
};

/* Read a line. ERR_INPUT if it is no object, or has no type. */
int any_read(struct any *a, const char *line, size_t len, struct err *e);
bool any_is(const struct any *a, const char *type);
void any_release(struct any *a); /* harmless on {0}, or twice */

#endif
