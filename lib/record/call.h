#ifndef RECORD_CALL_H
#define RECORD_CALL_H
/*
 * call - a capability is asked for: the loop to a tool, and the loop telling
 * its adapter. Memory and errors as in record/any.
 */

#include "record/context.h"
#include "record/tier.h"
#include "record/value.h"

struct buf;
struct err;
struct json;

struct call {
	const char *id; /* TASK.N */
	const char *capability;
	struct value arguments; /* object; {} if there is none */
	enum tier tier;
	struct context context;
};

int call_read(struct call *c, const struct json *root, struct err *e);
void call_write(struct buf *b, const struct call *c);

#endif
