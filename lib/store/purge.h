#ifndef STORE_PURGE_H
#define STORE_PURGE_H
/*
 * purge - carry a deletion through all that is stored.
 *
 * tombstones_note() (store/tombstone) leaves a row in knowledge.sqlite for each
 * deletion. It goes through these steps, and away after the last:
 *
 *	PURGE_TASKS	out of the tasks that read it, with what was derived
 *			from it (store/retract), with their files in blob/
 *			(store/content), and tasks.sqlite's log is cut
 *	PURGE_SPOOL	out of the gateway's events (store/spool_wipe)
 *	PURGE_INDEX	out of the index, with its words (store/scrub), and
 *			messages.sqlite's log is cut
 *
 * A step is repeated if it broke off, which is harmless, so a kill at any
 * moment loses none: whoever looks next goes on (sophia index follow does, at
 * its start and while it runs). A store that holds more of what people said
 * gets a step here, and its bytes are searched by tests/secret.bats.
 *
 * The words in the index go at most every ten minutes, unless they are to go
 * now: that writes the full-text table anew.
 *
 * Memory   {0} is closed, and opens what it needs; purge_close() it.
 * Turns    each step takes turns of its own; no transaction may be open.
 * Errors   those of store/base. A store that is being read keeps its log until
 *          the next time: that is no error.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/base.h"

struct err;
struct purge_status;

enum purge_step { PURGE_TASKS, PURGE_SPOOL, PURGE_INDEX, PURGE_STEPS };

struct purge {
	struct store knowledge; /* private */
};

/* Do some: 1 if there is more to do at once, 0 if not, or -1. */
int purge_some(struct purge *p, bool now, struct err *e);

/* Do all that can be done now, waiting a while for another process that does. */
int purge_all(struct err *e);

/* How many deletions are under way: their sum, or -1. */
int64_t purge_count(struct purge_status *s, struct err *e);

void purge_close(struct purge *p); /* harmless on {0}, or twice */

#endif
