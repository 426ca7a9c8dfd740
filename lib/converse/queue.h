#ifndef CONVERSE_QUEUE_H
#define CONVERSE_QUEUE_H
/*
 * queue - people whose request waits for its turn see that it was heard: in
 * its channel Sophia is typing. An interaction shows as much by itself.
 *
 * Memory   {0} shows nothing yet.
 */

#include <stdbool.h>

#include "core/poll.h"

struct converse;
struct err;

struct queue {
	struct poll_timer again; /* private */
	bool set;
};

/* To be called after each step of the poll; it does something at times. */
int queue_tend(struct converse *c, struct err *e);

#endif
