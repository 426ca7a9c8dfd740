#ifndef RECORD_APPROVAL_H
#define RECORD_APPROVAL_H
/*
 * approval - a person must say yes before this call is made.
 * Memory and errors as in record/any.
 */

#include "record/tier.h"
#include "record/value.h"

struct buf;
struct err;
struct json;

struct approval {
	const char *task;
	const char *call; /* TASK.N */
	const char *capability;
	struct value arguments; /* object */
	enum tier tier;
	const char *text; /* what would be done, in words */
};

int approval_read(struct approval *x, const struct json *root, struct err *e);
void approval_write(struct buf *b, const struct approval *x);

#endif
