#ifndef RECORD_PROGRESS_H
#define RECORD_PROGRESS_H
/*
 * progress - what is being done just now, for a person who waits.
 * Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

struct progress {
	const char *task; /* from the loop; else NULL */
	const char *id;   /* of the call, from a tool; else NULL */
	const char *text;
};

int progress_read(struct progress *x, const struct json *root, struct err *e);
void progress_write(struct buf *b, const struct progress *x);

#endif
