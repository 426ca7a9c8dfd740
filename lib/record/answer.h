#ifndef RECORD_ANSWER_H
#define RECORD_ANSWER_H
/*
 * answer - the whole answer of a task, with what it rests on.
 * Memory and errors as in record/any.
 */

#include <stdbool.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

struct answer {
	const char *task;
	const char *turn;
	const char *text;
	bool none;            /* it says that nothing was found */
	struct value sources; /* array; [] if there is none */
};

int answer_read(struct answer *x, const struct json *root, struct err *e);
void answer_write(struct buf *b, const struct answer *x);

#endif
