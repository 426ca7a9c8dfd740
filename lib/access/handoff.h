#ifndef ACCESS_HANDOFF_H
#define ACCESS_HANDOFF_H
/*
 * handoff - move a task that isn't at work to another location, for its owner
 * alone: it is private from then on, nobody else may correct it, and what
 * waited to go on with it is called off.
 *
 * Checked   that the owner is let in at the new place as the settings are now,
 *           that no change is in doubt, and that they may still read all that
 *           the task rests on. The lock of the task is held meanwhile; that it
 *           is theirs and inactive is checked once more as it is moved, in one
 *           commit.
 * Errors    ERR_INPUT there is no such task of this owner; ERR_AGAIN it is at
 *           work, or it isn't known just now who may read what; ERR_REFUSED a
 *           change must be settled first; ERR_DENIED the place is closed to
 *           them, or they may no longer read a source.
 */

#include <stdbool.h>

struct context;
struct err;
struct store;

/*
 * to: the owner, and the new location. With !there it isn't they who ask, from
 * there: then direct messages must be known to be theirs.
 */
int handoff_task(struct store *tasks, const char *task,
    const struct context *to, bool there, struct err *e);

#endif
