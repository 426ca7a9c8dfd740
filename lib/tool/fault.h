#ifndef TOOL_FAULT_H
#define TOOL_FAULT_H
/*
 * fault - what is wrong with a JSON document, and where: "a.b[2]: ...".
 *
 * Memory   {0} is an empty list; whoever holds one releases it. At most
 *          FAULT_MAX faults are kept, the rest is only counted.
 */

#include <stddef.h>

#include "core/buf.h"

enum { FAULT_MAX = 20 };

/* A place: a member of the place outer, or item `index` if key is NULL. */
struct fault_place {
	const struct fault_place *outer; /* NULL at the top */
	const char *key;
	size_t index;
};

struct faults {
	const char *lead; /* put before each, such as a file's name; or NULL */
	size_t count;
	struct buf text; /* a line for each */
};

void fault_add(struct faults *f, const struct fault_place *at, const char *fmt,
    ...) FORMAT(3, 4);

/* 0 if there are none; else -1 and all that fit in e, separated by "; ". */
int fault_end(const struct faults *f, enum err_kind kind, struct err *e);
void fault_release(struct faults *f);

#endif
