#ifndef STORE_RETRACT_H
#define STORE_RETRACT_H
/*
 * retract - take a source out of the tasks that read it, and with it what was
 * derived from it.
 *
 * What is derived is decided by what had been shown, not by comparing texts:
 * whatever the model wrote in a task after it was shown the source may repeat
 * it, in any words. So from the round after the one that brought it, there go
 *
 *	what the model said, the arguments of its calls, and of what these gave
 *	all but other messages, numbers and ids (record/gap);
 *	notes and plans that were written since; the words of goals;
 *	the texts of approvals, receipts and settlements, and their arguments;
 *	the answers, also those that wait to be delivered;
 *	files, artifacts and pictures that its calls made or imported.
 *
 * Of the source itself its link, author, channel and time stay: a named gap.
 * What stays: what was written before; what people asked and corrected, unless
 * that message is the one that is gone; other messages; that a change was made,
 * and to which ids; what was used and what it cost. An answer that was posted
 * in Discord is a message there, with a life of its own.
 *
 * A file that was attached to the message goes, and a call that could read it
 * is derived with all of its round. Files that a person put there stay.
 *
 * A message that a request replied to is a source from its turn on. If the
 * request itself is gone, all of its turn goes, and the task is stopped.
 *
 * Tasks that are not over are told, so that their runner leaves it out, too.
 *
 * Within the caller's transaction. To repeat it is harmless.
 */

#include <stdint.h>

#include "store/tombstone.h"

struct err;
struct store;

/* Out of all tasks; returns how many had it. */
int retract_grave(struct store *tasks, const struct grave *g, struct err *e);

/*
 * Out of one task, which may not read that message any more; it is not told.
 * *from is the first round that was derived.
 */
int retract_from(struct store *tasks, const char *task, uint64_t message,
    int64_t *from, struct err *e);

#endif
