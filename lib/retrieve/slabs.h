#ifndef RETRIEVE_SLABS_H
#define RETRIEVE_SLABS_H
/*
 * slabs - length and channel of any message, from arrays.
 *
 * The index keeps them in its table `chunk`, SLAB_SIZE messages a row: a byte
 * for the length in tokens, four for the channel's ordinal. A row is read when
 * a message of it is asked for; the last SLABS_KEPT or so are kept, since fresh
 * memory costs more than reading again. Asking by rising ordinal is fastest:
 * the next row is then only a step away.
 *
 * Memory   SLABS_KEPT slabs of 5 KiB. A slab given out lives until the next
 *          call.
 * Errors   those of ext/db; ERR_CONFIG if a row has another size.
 */

#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"

struct err;

enum { SLAB_SIZE = 1024, SLABS_KEPT = 64 };

struct slab {
	uint8_t lengths[SLAB_SIZE];
	uint32_t channels[SLAB_SIZE]; /* 0 for a message that is not there */
};

struct slabs {
	struct db *db;
	struct stmt find;
	size_t next;     /* the row that a step of find gives, or a later one */
	struct slab *at; /* row no is at no % SLABS_KEPT */
	size_t no[SLABS_KEPT]; /* which row that is, plus 1; 0 for none */
};

/* The slab that message ord is in, at ord % SLAB_SIZE; or NULL and *e. */
const struct slab *slabs_get(struct slabs *c, uint32_t ord, struct err *e);

void slabs_pause(struct slabs *c); /* let go of the database */
void slabs_forget(struct slabs *c);
void slabs_release(struct slabs *c); /* harmless on {0}, or twice */

#endif
