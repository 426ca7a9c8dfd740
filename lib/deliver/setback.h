#ifndef DELIVER_SETBACK_H
#define DELIVER_SETBACK_H
/*
 * setback - what can still be done about a message that Discord refused ("JSON
 * Error Codes" in its documentation). Pure.
 */

#include <stdbool.h>
#include <stddef.h>

struct rest_call;

enum setback {
	SETBACK_TOKEN,   /* the interaction's token is of no use any more */
	SETBACK_REPLY,   /* it may be sent, but not as a reply */
	SETBACK_FILE,    /* without the file, perhaps */
	SETBACK_CHANNEL, /* not in this channel */
	SETBACK_FINAL,
};

/* hook: the path has the token of an interaction; file: a file went with it. */
enum setback setback_of(const struct rest_call *c, bool hook, bool file);

/* Why it was refused, for a person. */
void setback_reason(char *to, size_t room, const struct rest_call *c);

#endif
