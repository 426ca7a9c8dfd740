#ifndef ACCESS_RECHECK_H
#define ACCESS_RECHECK_H
/*
 * recheck - which sources of a task its answers may rest on no more, as things
 * are now: asked before what was kept is shown again, to a model or a person.
 * See venue for the rule; the place is where answers of the task are read.
 *
 * Memory   {0} is an empty list; recheck_release() frees it.
 * Errors   ERR_AGAIN while it isn't known who may read what: there the index is
 *          not up to date, or has not heard yet of whoever asks.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context;
struct db;
struct err;
struct json;
struct store;

struct recheck {
	uint64_t *messages; /* Discord's ids, of sources that are kept */
	size_t count;
};

/* index as in publication; c names the task. */
int recheck_task(struct recheck *r, struct store *tasks, struct db *index,
    const struct context *c, struct err *e);
void recheck_release(struct recheck *r); /* harmless on {0}, or twice */

#endif
