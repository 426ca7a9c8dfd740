#ifndef MODEL_CALLS_H
#define MODEL_CALLS_H
/*
 * calls - put the tool calls of a reply together from their pieces.
 *
 * A piece belongs to the call with its id, else to the latest one with its
 * index, else to the last one; it begins a new call if there is none, if its id
 * is another than that call's, or if it has no id, but a name that can't be
 * that call's. Id and name are set once, an empty one is none, and arguments
 * are appended. Nothing is complete before the end of the reply: arguments
 * that parse may be the beginning of longer ones.
 *
 * Memory   {0} is no calls; calls_release() frees them. Texts handed out are
 *          borrowed until then.
 * Errors   ERR_INPUT over CALLS_MAX calls or CALLS_TEXT_MAX bytes of arguments.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

struct err;
struct json;

enum { CALLS_MAX = 128, CALLS_TEXT_MAX = 512 << 10 };

struct model_call {
	char *id, *name; /* NULL while unknown */
	struct buf arguments;
	bool whole; /* they came as an object */
	bool indexed;
	int64_t index; /* the provider's, if indexed */
};

struct calls {
	struct model_call *list;
	size_t count;
	struct model_call *last; /* private */
	size_t bytes;
};

/* Take an item of `tool_calls`, of a streamed piece or of a whole message. */
int calls_add(struct calls *c, const struct json *piece, struct err *e);

/* Take `function_call`, the form before tools; an empty one is none. */
int calls_add_legacy(struct calls *c, const struct json *piece, struct err *e);

/*
 * The reply is over: those without an id get call_N. Where it was cut, drop
 * each call whose arguments are not a whole object, and return how many; where
 * it was not, no arguments are "{}".
 */
size_t calls_end(struct calls *c, bool cut);

void calls_release(struct calls *c); /* harmless on {0}, or twice */

#endif
