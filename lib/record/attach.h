#ifndef RECORD_ATTACH_H
#define RECORD_ATTACH_H
/*
 * attach - a tool's program hands over an artifact, as code in a container
 * does: the tool to the loop. It is answered, in order, by an `artifact`, which
 * is kept for good by then, or by an `error`; the call goes on.
 *
 * What it is comes as text, as base64, or lies in a file of the task: one of
 * the three. Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

struct attach {
	const char *id; /* of the call */
	const char *filename;
	const char *text, *base64, *path; /* the others are NULL */
};

int attach_read(struct attach *x, const struct json *root, struct err *e);
void attach_write(struct buf *b, const struct attach *x);

#endif
