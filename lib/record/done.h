#ifndef RECORD_DONE_H
#define RECORD_DONE_H
/*
 * done - the end of a turn: the last record of a loop, exactly once.
 * Memory and errors as in record/any.
 */

#include <stdint.h>

enum done_verdict {
	DONE_ANSWERED,
	DONE_PAUSED,
	DONE_FAILED,
	DONE_CANCELLED,
};

struct buf;
struct err;
struct json;

struct done {
	const char *task;
	const char *turn;
	enum done_verdict verdict;
	const char *reason; /* or NULL */
	int64_t calls;
	int64_t elapsed_ms;
};

const char *done_word(enum done_verdict verdict); /* "answered" */

int done_read(struct done *x, const struct json *root, struct err *e);
void done_write(struct buf *b, const struct done *x);

#endif
