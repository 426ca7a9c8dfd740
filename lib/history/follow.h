#ifndef HISTORY_FOLLOW_H
#define HISTORY_FOLLOW_H
/*
 * follow - keep the message index current with what the gateway spools.
 *
 * It reads the spools of all shards, and takes events in turns of at most 50 ms
 * which commit with the place they reached, so that others write in between and
 * a kill at any moment loses and doubles nothing. While there is nothing to
 * read it tells tasks of sources that changed, empties deleted channels, and
 * carries deletions through all stores (store/purge); then it sleeps until the gateway wakes it.
 *
 * One process at a time follows (the lock run/index.follow).
 *
 * Errors   a bad event is complained of and passed over; any other error ends
 *          it, to be started again. ERR_AGAIN if another one follows.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/lock.h"
#include "core/poll.h"
#include "core/signals.h"
#include "history/ingest.h"
#include "store/base.h"
#include "store/purge.h"

struct event;
struct follow_shard;

struct follow {
	int64_t events, told; /* taken; of these, that told us something */
	int64_t bad;

	struct store base; /* private from here */
	struct ingest in;
	struct purge purge;
	struct lock alone;
	struct poll poll;
	struct signals signals;
	struct poll_timer look;
	struct follow_shard *shards;
	int shard_count;
	int64_t turn_ms, turns; /* when the turn began; 0 outside one */
	int turn_shard;
	bool stop, failed;
	struct err why;
};

int follow_open(struct follow *f, struct err *e);
void follow_close(struct follow *f); /* harmless on {0}, or twice */

/* Until a signal stops it; with once, until all that is there was read. */
int follow_run(struct follow *f, bool once, struct err *e);

/* Take event records from a descriptor instead, until its end. */
int follow_pipe(struct follow *f, int fd, struct err *e);

/* Does somebody follow just now: 1, 0 or -1. */
int follow_runs(struct err *e);

#endif
