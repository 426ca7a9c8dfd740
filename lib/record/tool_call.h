#ifndef RECORD_TOOL_CALL_H
#define RECORD_TOOL_CALL_H
/*
 * tool_call - a call that a model asks for. It comes when the reply is whole,
 * and is complete; whether its arguments fit the tool is for the caller to see.
 * See any.
 */

#include <stdint.h>

struct buf;
struct err;
struct json;

struct tool_call {
	const char *id;   /* of the request */
	int64_t index;    /* among the calls of this reply, from 0 */
	const char *call; /* the provider's id, or call_N; no key of ours */
	const char *name; /* of the tool, as the request called it */
	const char *arguments; /* JSON text, as it came */
};

int tool_call_read(struct tool_call *c, const struct json *root, struct err *e);
void tool_call_write(struct buf *b, const struct tool_call *c);

#endif
