#ifndef RECORD_FINISH_H
#define RECORD_FINISH_H
/*
 * finish - a model's reply is over.
 *
 * FINISH_CALLS comes if, and only if, the reply is whole and asks for at least
 * one call. A reply that was cut (FINISH_LENGTH, FINISH_FILTER) may have had
 * calls before the cut; those that were complete have their tool_call records.
 * See any.
 */

#include <stdbool.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

enum finish_reason {
	FINISH_STOP,
	FINISH_CALLS,
	FINISH_LENGTH, /* no room for more output */
	FINISH_FILTER, /* the provider's content filter */
};

struct finish {
	const char *id; /* of the request */
	enum finish_reason reason;
	bool none; /* the reply says that nothing was found; no model does */
	struct value echo; /* to be sent back with this turn, unchanged */
};

int finish_read(struct finish *f, const struct json *root, struct err *e);
void finish_write(struct buf *b, const struct finish *f);

#endif
