#ifndef RETRIEVE_EXCHANGE_H
#define RETRIEVE_EXCHANGE_H
/*
 * exchange - what was said around a hit, and which hits belong together.
 *
 * Several exchanges run through a busy channel at once, so the nearest messages
 * are often of another. Of the EXCHANGE_WINDOW messages before a hit, `context`
 * are shown: the one it replies to; up to half of the places for the nearest
 * ones of people whom the hit names, or who name its author; one for what its
 * author said before; the nearest for the rest. After it likewise. (In the
 * annotated support channel of the fixtures, 3 places chosen so show the
 * message that a hit answers in 85 % of its groups; the nearest 3 alone would
 * in 58 %.)
 *
 * Hits that are among each other's rows make one group, in order of time;
 * groups come in the order of their best hit.
 *
 * Memory   exchange_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus;
struct err;
struct ranked;

enum { EXCHANGE_WINDOW = 16, EXCHANGE_SILENCE_MS = 12 * 3600 * 1000 };

struct exchange_row {
	uint64_t id;
	uint32_t ord;
	uint32_t group; /* from 1 */
	bool hit;
	double score; /* of a hit */
};

struct exchange {
	struct exchange_row *at;
	size_t count, room;
};

/* Rows newer to the index than `high` are not shown. */
int exchange_find(struct exchange *x, struct corpus *c,
    const struct ranked *hits, size_t count, int context, uint32_t high,
    struct err *e);
void exchange_release(struct exchange *x); /* harmless on {0}, or twice */

#endif
