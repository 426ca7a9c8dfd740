#ifndef WORKSPACE_EXCERPT_H
#define WORKSPACE_EXCERPT_H
/*
 * excerpt - the beginning and the end of what a program printed, however much
 * it was. Pure.
 *
 * Memory   {0} is empty; it never holds more than EXCERPT_HEAD + 2 *
 *          EXCERPT_TAIL bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

enum { EXCERPT_HEAD = 192 << 10, EXCERPT_TAIL = 192 << 10 };

struct excerpt {
	uint64_t bytes; /* to be read: all that came */

	struct buf head, tail; /* private */
};

void excerpt_add(struct excerpt *x, const char *bytes, size_t len);

/*
 * As a JSON string of at most `most` bytes, quotes and escapes counted: all of
 * it, or a beginning and an end with a line between them that says how much is
 * left out. Whether it is all.
 */
bool excerpt_write(struct buf *b, const char *key, const struct excerpt *x,
    size_t most);

void excerpt_release(struct excerpt *x); /* harmless on {0}, or twice */

#endif
