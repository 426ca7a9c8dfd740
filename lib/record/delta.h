#ifndef RECORD_DELTA_H
#define RECORD_DELTA_H
/*
 * delta - a piece of the answer as it comes.
 * Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

struct delta {
	const char *id; /* of the request, from a model; else NULL */
	const char *text;
};

int delta_read(struct delta *x, const struct json *root, struct err *e);
void delta_write(struct buf *b, const struct delta *x);

#endif
