#ifndef STORE_LIVE_H
#define STORE_LIVE_H
/*
 * live - which channels' messages come by themselves, and since when without a
 * break: the part of coverage that grows while a shard's spool is read.
 *
 * A channel is watched from the time at which it was known that its events are
 * delivered. From which message on nothing is missing is known later: by the
 * first one that comes, by a page of the newest ones asked for since, or at
 * once if the channel is new. A break turns what was watched into a range of
 * coverage: a new session, an event that is missing, no more access.
 *
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

struct db;
struct err;

struct live {
	int shard;
	int64_t number, sequence; /* of the last event; 0 before any */
	int64_t at_ms;
	uint64_t high; /* the newest message told of */
};

/* Where the shard stands; {0} of it if it was never read. */
int live_load(struct db *db, int shard, struct live *l, struct err *e);
int live_save(struct db *db, const struct live *l, struct err *e);

/* low: the message from which on all come; 0 while it is not known. */
int live_watch(struct db *db, uint64_t channel, int64_t at_ms, uint64_t low,
    struct err *e);

/* A message came, or a page of the newest was asked for at that time. */
int live_reaches(struct db *db, uint64_t channel, int64_t at_ms, uint64_t low,
    struct err *e);

/* A break in one channel, in a guild, in a shard. */
int live_end(struct db *db, uint64_t channel, uint64_t high, struct err *e);
int live_end_guild(struct db *db, uint64_t guild, uint64_t high, struct err *e);
int live_end_shard(struct db *db, const struct live *l, struct err *e);

/* Threads of a parent, or with parent 0 all of the guild. */
int live_end_threads(struct db *db, uint64_t guild, uint64_t parent,
    uint64_t high, struct err *e);

/* The shard that tells of a guild, by how many there are. */
int live_shard_of(struct db *db, uint64_t guild, int *shard, struct err *e);

#endif
