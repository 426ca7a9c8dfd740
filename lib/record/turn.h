#ifndef RECORD_TURN_H
#define RECORD_TURN_H
/*
 * turn - what somebody asks: an adapter's first line to the loop.
 * Memory and errors as in record/any.
 */

#include "record/context.h"
#include "record/value.h"

struct buf;
struct err;
struct json;

enum approval_mode { APPROVAL_ASK, APPROVAL_AUTO };

const char *approval_mode_word(enum approval_mode mode); /* "ask" */

struct turn {
	const char *id;
	struct actor actor;
	struct location location;
	enum visibility visibility;
	const char *text;
	struct value attachments; /* array; written as [] if there is none */
	struct value reply;       /* object: what it replies to */
	struct value more; /* object: what came with it, by others' hand */
	const char *task;  /* the task it goes on with, or NULL */
	enum approval_mode approval;
	const char *profile; /* NULL for the configured one */
	struct value options;
};

int turn_read(struct turn *t, const struct json *root, struct err *e);
void turn_write(struct buf *b, const struct turn *t);

#endif
