#ifndef RUNTIME_GUARD_H
#define RUNTIME_GUARD_H
/*
 * guard - notices a model that goes round in circles. Pure; one for each turn.
 *
 * Repeats   A call may be made again as long as its answers differ. Once the
 *           same call gave the same answer twice, the next time gets a
 *           correction in place of an answer, and the time after ends the turn.
 * Failures  After GUARD_FAILURES failed calls in a row the model is told to
 *           change its approach; as many more end the turn.
 * Memory    {0} is a fresh guard. Texts are not kept, only their digests.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GUARD_FAILURES = 4 };

enum guard_says {
	GUARD_GO,
	GUARD_CORRECT, /* tell the model, and go on */
	GUARD_PAUSE,   /* it was told before: stop and ask a person */
};

struct guard {
	struct guard_seen *seen; /* private */
	size_t count;
	int failures;
};

/* Before a call is made. Arguments are compared byte for byte. */
enum guard_says guard_call(struct guard *g, const char *capability,
    const char *arguments);

/* After it was made: what it answered, and whether it succeeded. */
enum guard_says guard_result(struct guard *g, const char *capability,
    const char *arguments, const char *answer, bool ok);

void guard_release(struct guard *g);

#endif
