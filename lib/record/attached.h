#ifndef RECORD_ATTACHED_H
#define RECORD_ATTACHED_H
/*
 * attached - the answer to `attach`, of the type `artifact`: its descriptor,
 * once it is kept for good, or why it isn't. The loop to a tool.
 * Memory and errors as in record/any.
 */

#include <stdint.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

struct attached {
	const char *id; /* of the call */
	int64_t n;
	struct value artifact; /* object */
	const char *error;     /* in place of it, or NULL */
};

int attached_read(struct attached *x, const struct json *root, struct err *e);
void attached_write(struct buf *b, const struct attached *x);

#endif
