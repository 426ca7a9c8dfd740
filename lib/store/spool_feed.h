#ifndef STORE_SPOOL_FEED_H
#define STORE_SPOOL_FEED_H
/*
 * spool_feed - event records from a descriptor into the spool of a shard, as a
 * gateway would put them there: recorded ones, or those of one elsewhere.
 *
 * They get new numbers and the time of now. A line that is no event, or that
 * the spool can't hold, ends it with ERR_INPUT; what came before it is in.
 */

#include <stdint.h>

struct err;

/* Until the end of the input: how many, or -1. */
int64_t spool_feed(int fd, int shard, struct err *e);

#endif
