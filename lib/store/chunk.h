#ifndef STORE_CHUNK_H
#define STORE_CHUNK_H
/*
 * chunk - how long each message is and in which channel, as arrays by ordinal:
 * what ranking reads instead of a row for each hit.
 *
 * Row `no` holds the CHUNK_SIZE ordinals from no * CHUNK_SIZE: in `lengths` a
 * byte each (tokens, 255 for more; 0 for none, or no message), in `channels` 4
 * bytes each, little-endian (channel.ord; 0 for no message). One chunk is held
 * in memory and written when another is needed, and by chunks_flush().
 *
 * Store functions (store/base): the caller holds the transaction, and calls
 * chunks_begin() in each, since others may have written meanwhile.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"
#include "store/tally.h"

struct err;

enum { CHUNK_SIZE = 1024 };

struct chunks {
	struct db *db;
	struct stmt load, save;
	struct tally tally; /* messages of each channel */
	int64_t no;
	bool loaded, dirty;
	unsigned char lengths[CHUNK_SIZE];
	unsigned char channels[CHUNK_SIZE * 4];
};

void chunks_begin(struct chunks *c, struct db *db);
int chunks_set(struct chunks *c, int64_t ord, int64_t tokens, uint32_t channel,
    struct err *e);
/* What is kept for an ordinal. */
int chunks_get(struct chunks *c, int64_t ord, int *length, uint32_t *channel,
    struct err *e);
int chunks_flush(struct chunks *c, struct err *e);
void chunks_release(struct chunks *c); /* harmless on {0}, or twice */

/* What chunks_set() keeps of a number of tokens. */
int chunk_length(int64_t tokens);

#endif
