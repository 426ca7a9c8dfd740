#ifndef HISTORY_FOLLOW_TURN_H
#define HISTORY_FOLLOW_TURN_H
/*
 * follow_turn - the transactions of a follower. For history/follow alone.
 *
 * A turn begins with the first event after the last one ended, and is over when
 * it was long enough or nothing is left to read.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct event;
struct follow;

/* Within a turn, which it begins if need be. A bad event is passed over. */
int follow_event(struct follow *f, int shard, const struct event *x,
    struct err *e);
int follow_gap(struct follow *f, int shard, int64_t position, struct err *e);

bool follow_turn_over(const struct follow *f);
int follow_commit(struct follow *f, struct err *e); /* harmless outside one */

/* Some of the work that waits for a pause: 1 if there is more, 0, or -1. */
int follow_idle(struct follow *f, struct err *e);

#endif
