#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H
/*
 * control - a parent's word to a child that is at work: "read your control
 * rows now" (hint), or "give up that call or request" (cancel).
 * Memory and errors as in record/any.
 */

struct buf;
struct err;
struct json;

enum control_kind { CONTROL_HINT, CONTROL_CANCEL };

struct control {
	enum control_kind kind;
	const char *id; /* what to cancel */
};

int control_read(struct control *c, const struct json *root, struct err *e);
void control_write(struct buf *b, const struct control *c);

#endif
