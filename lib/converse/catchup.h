#ifndef CONVERSE_CATCHUP_H
#define CONVERSE_CATCHUP_H
/*
 * catchup - finds the messages that addressed Sophia while nobody listened,
 * where the spool doesn't have them: after a new session, a long resume, or a
 * gap in the spool.
 *
 * What has to be looked through is noted in the store together with the
 * position, and worked off one request at a time: a guild becomes those of its
 * channels and threads that had messages since, a channel is read page by page.
 * Each message goes through entry like one that was just heard.
 *
 * Memory   {0} is idle.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/poll.h"

struct converse;
struct err;

struct catcher {
	bool idle; /* there is nothing to catch up with; to be read */

	bool busy; /* private from here: a request is under way */
	bool threads;
	bool old; /* it was made before the last gap was noted */
	int pages, faults;
	char id[24], guild[24], after[24];
	bool whole;
	struct poll_timer again;
	bool wait;
};

/* In the caller's transaction: messages after that time may be unheard. */
int catchup_note(struct converse *c, int64_t since_ms, struct err *e);

/* Go on, if there is something to go on with. */
int catchup_tend(struct converse *c, struct err *e);

#endif
