#ifndef ACCESS_REACH_H
#define ACCESS_REACH_H
/*
 * reach - what somebody may do in a channel, by what the message index knows
 * of its guild: the owner, their roles, the overwrites of the channel or of a
 * thread's parent, and who is in a private thread.
 *
 * What is not known gives nothing: without the roles of the member, or without
 * those of the guild, there is no answer but REACH_UNKNOWN.
 */

#include <stdint.h>

struct db;
struct err;

enum reach {
	REACH_UNKNOWN,
	REACH_NOTHING, /* can't see it */
	REACH_LIVE,    /* sees what comes, but not what was before */
	REACH_ALL,     /* reads its history, too */
};

/* Returns an enum reach, or -1. */
int reach_channel(struct db *db, uint64_t user, uint64_t channel,
    int64_t now_ms, struct err *e);

/* Their permissions there: 1 and *bits, 0 if that isn't known, or -1. */
int reach_bits(struct db *db, uint64_t user, uint64_t channel, int64_t now_ms,
    uint64_t *bits, struct err *e);

#endif
