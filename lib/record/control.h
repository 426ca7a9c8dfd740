#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H
/*
 * control - a parent's word to a child that is at work: "read your control
 * rows now" (hint), "give up that call or request" (cancel), or "that part of
 * the call is on disk: make its request" (go).
 * Memory and errors as in record/any.
 */

#include <stdint.h>

struct buf;
struct err;
struct json;

enum control_kind { CONTROL_HINT, CONTROL_CANCEL, CONTROL_GO };

struct control {
	enum control_kind kind;
	const char *id; /* what to cancel, or go on with */
	int64_t n;      /* of the part that may go */
};

int control_read(struct control *c, const struct json *root, struct err *e);
void control_write(struct buf *b, const struct control *c);

#endif
