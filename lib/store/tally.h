#ifndef STORE_TALLY_H
#define STORE_TALLY_H
/*
 * tally - how many messages each channel has, kept in channel.messages.
 *
 * Changes are gathered here and written when there are many, or by
 * tally_flush(): an UPDATE for each message would double the cost of an import.
 *
 * Store functions (store/base): the caller holds the transaction, and flushes
 * before it commits.
 */

#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"

struct err;

enum { TALLY_SLOTS = 64 };

struct tally {
	struct stmt add;
	struct {
		uint32_t channel;
		int64_t change;
	} at[TALLY_SLOTS];
	size_t count;
};

/* One message more, or less, in the channel with that ordinal; 0 is none. */
int tally_add(struct tally *t, struct db *db, uint32_t channel, int change,
    struct err *e);
int tally_flush(struct tally *t, struct db *db, struct err *e);
void tally_forget(struct tally *t);  /* what was gathered, after a rollback */
void tally_release(struct tally *t); /* harmless on {0}, or twice */

#endif
