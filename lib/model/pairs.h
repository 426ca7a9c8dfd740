#ifndef MODEL_PAIRS_H
#define MODEL_PAIRS_H
/*
 * pairs - the messages of a request in an order that every provider takes.
 *
 * A provider refuses the whole request if a tool message stands without the
 * call it answers, or a call without its result, as happens after trimming or a
 * crash. So this is the last step before sending: each assistant message is
 * followed by one result for each of its calls, in their order; what was said
 * in between comes after those; a call without a result gets one that says so;
 * a result without a call, and a message that says nothing, is left out.
 *
 * Memory   pairs_plan() gives an array to free().
 */

#include <stddef.h>

struct request;

enum pairs_kind {
	PAIRS_MESSAGE, /* the message at this index, without change */
	PAIRS_RESULT,  /* the tool message at this index, for that call */
	PAIRS_MISSING, /* no message: that call of the assistant's has none */
};

struct pairs_step {
	enum pairs_kind kind;
	size_t index; /* of the message; PAIRS_MISSING: of the assistant's */
	size_t call;  /* among its calls */
};

/* Plan all but the system messages; *count steps. */
struct pairs_step *pairs_plan(const struct request *r, size_t *count);

#endif
