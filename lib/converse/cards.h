#ifndef CONVERSE_CARDS_H
#define CONVERSE_CARDS_H
/*
 * cards - the messages that ask people in Discord for approvals.
 *
 * Posted   when a turn at work asks for one: to the channel of its task, where
 *          that is public or a direct message. In private elsewhere only where
 *          the requester alone sees it: as a follow-up of their interaction,
 *          else as a direct message, where these are switched on. It is never
 *          shown to others: where nobody can be asked that is the decision, and
 *          the task is paused.
 * Once     That a card is being sent is on the disk before it is; its nonce
 *          guards it. It is never sent anew after a crash, since no approval
 *          outlives one.
 * Closed   Whatever became of the approval, the card says it and loses its
 *          controls: when it was decided, has expired, its task has ended, or
 *          after a crash, for which its channel is read back if its id isn't
 *          known.
 * Memory   {0} is none yet.
 */

#include <stdbool.h>

#include "core/id.h"
#include "core/poll.h"

struct converse;
struct err;

enum { CARDS_AT_ONCE = 8 };

struct cards {
	bool stale; /* there may be something to do: set it */

	struct card_errand *first; /* private from here: under way */
	int count;
	struct poll_timer again;
};

/* Post and close what there is to. To be called after each step of the poll. */
int cards_tend(struct converse *c, struct err *e);

/* A visit has made the card say that it is over. */
int cards_closed(struct converse *c, const char *approval, struct err *e);

void cards_release(struct converse *c); /* harmless on {0}, or twice */

#endif
