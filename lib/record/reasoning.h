#ifndef RECORD_REASONING_H
#define RECORD_REASONING_H
/* reasoning - what a model says it thinks, as it comes. See any. */

struct buf;
struct err;
struct json;

struct reasoning {
	const char *id; /* of the request */
	const char *text;
};

int reasoning_read(struct reasoning *r, const struct json *root, struct err *e);
void reasoning_write(struct buf *b, const struct reasoning *r);

#endif
