#ifndef RECORD_PAUSED_H
#define RECORD_PAUSED_H
/*
 * paused - a task stopped for now, with everything kept.
 * Memory and errors as in record/any.
 */

enum paused_reason {
	PAUSED_INTERRUPTED,
	PAUSED_STOPPED,
	PAUSED_GUARD, /* it went round in circles */
	PAUSED_BUDGET,
	PAUSED_CONTEXT, /* it does not fit any more */
	PAUSED_APPROVAL,
	PAUSED_UNKNOWN, /* an effect was sent, its outcome is not known */
	PAUSED_MODEL,
};

struct buf;
struct err;
struct json;

struct paused {
	const char *task;
	enum paused_reason reason;
	const char *text; /* what happened, and how to go on */
};

const char *paused_word(enum paused_reason reason); /* "stopped" */

int paused_read(struct paused *x, const struct json *root, struct err *e);
void paused_write(struct buf *b, const struct paused *x);

#endif
