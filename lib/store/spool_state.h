#ifndef STORE_SPOOL_STATE_H
#define STORE_SPOOL_STATE_H
/*
 * spool_state - how a shard's spool is, seen from outside, at a glance: nothing
 * is locked or changed, so the parts may be some ms apart.
 *
 * Memory   {0} is none; release what was filled.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/spool_files.h"

struct buf;
struct err;

struct spool_state {
	int shard;
	bool writing; /* a gateway has it open */
	int segments;
	int64_t first; /* the oldest event there is, or would be */
	int64_t last;  /* the newest that is synced */
	int64_t bytes;
	int readers;
	struct spool_position *reader;
};

/* The shards that have a spool, sorted: how many, or -1. free() the list. */
int spool_shards(int **shards, struct err *e);

int spool_state_read(struct spool_state *s, int shard, struct err *e);
void spool_state_release(struct spool_state *s);

/* The record {"type":"spool",...} of it, as a line. */
void spool_state_write(struct buf *b, const struct spool_state *s);

#endif
