#ifndef RECORD_PART_H
#define RECORD_PART_H
/*
 * part - one request of a call that takes several: a tool to the loop.
 *
 * A tool says `intent` and waits for `go` (record/control), which comes when
 * that is on disk; then it makes the request, and says how that ended.
 * Memory and errors as in record/any.
 */

#include <stdint.h>

#include "record/value.h"

struct buf;
struct err;
struct json;

enum part_state { PART_INTENT, PART_SUCCEEDED, PART_FAILED, PART_UNKNOWN };

struct part {
	const char *id; /* of the call */
	int64_t n;      /* from 1 in its call */
	enum part_state state;
	const char *text;  /* of an intent: the request in words; or NULL */
	struct value data; /* of an end: raw ids, or why it failed */
};

const char *part_word(enum part_state state); /* "succeeded" */

int part_read(struct part *x, const struct json *root, struct err *e);
void part_write(struct buf *b, const struct part *x);

#endif
