#ifndef STORE_MESSAGE_H
#define STORE_MESSAGE_H
/*
 * message - write messages into the index.
 *
 * A message has one row, one full-text row of the tokens of its words (none if
 * it has no token), and its place in a chunk; all three change together. To put
 * one that is there already compares it: the same changes nothing, an older
 * edit never replaces a newer one. One that has a tombstone, or whose channel
 * has, stays away.
 *
 * What is deleted is noted in knowledge.sqlite (store/tombstone) by
 * messages_end(), so before the caller's commit: from there store/purge carries
 * it through the other stores.
 *
 * Its row keeps the language that its tokens were made for. An index made by
 * another analyzer must be rebuilt before any write: messages_open() says so.
 *
 * Order    store_begin(), messages_begin(), messages_put() any number of times,
 *          messages_end(), store_commit(). After a rollback the caches may be
 *          wrong: messages_close().
 * Memory   about 0.5 MB of caches; {0} is a valid closed one.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "ext/db.h"
#include "store/author.h"
#include "store/channel.h"
#include "store/message_row.h"
#include "store/tokens.h"
#include "store/tombstone.h"

struct err;
struct message;
struct store;

enum { MESSAGES_SWEEP = 64 };

enum put {
	PUT_NEW,
	PUT_CHANGED,
	PUT_UNCHANGED,
	PUT_OLDER,
	PUT_DELETED,
	PUT_ABSENT /* there is none to change */
};

struct messages {
	struct db *db;
	struct channels channels;
	struct authors authors;
	struct tokens tokens;
	struct message_rows rows;
	struct stmt dead, mark, some;
	struct graves graves; /* of what was deleted in this turn */
	struct buf was;       /* tokens of the version before */
	int64_t next;         /* ordinal */
	int64_t count;        /* of messages added in this turn */
	bool tombstones;      /* there are any */
	bool deleted;         /* something was, in this turn */
	char generation[32];
};

/*
 * Open for writing. Returns 1 if the tokens were made by another analyzer, and
 * nothing may be written before rebuild_run() (store/rebuild); else 0.
 */
int messages_open(struct messages *s, struct store *base, struct err *e);
void messages_close(struct messages *s); /* harmless on {0}, or twice */

int messages_begin(struct messages *s, struct err *e);
int messages_end(struct messages *s, struct err *e);

/* Returns what became of it. */
int messages_put(struct messages *s, const struct message *m, struct err *e);

/*
 * Put a version of which only a part is told, as enum message_told says: the
 * rest stays as it is, and m is completed by it. Borrows from both afterwards.
 */
int messages_update(struct messages *s, struct message *m, unsigned told,
    struct err *e);

/*
 * Delete a message: its row, its tokens, its place in a chunk. A tombstone
 * stays, whether it was there (1) or not (0).
 */
int messages_delete(struct messages *s, uint64_t id, int64_t at_ms,
    struct err *e);

/*
 * Delete a channel or thread by its id: nothing more is put into it. Its
 * messages go by messages_sweep(), some at a call; it returns how many went, 0
 * when no deleted channel has any left.
 */
int messages_delete_channel(struct messages *s, uint64_t id, int64_t at_ms,
    struct err *e);
int messages_sweep(struct messages *s, struct err *e);

/*
 * Say what language the channel of a message is written in, and make the tokens
 * of what is there anew: call it while that is little.
 */
int messages_set_language(struct messages *s, const struct message *m,
    const char *language, struct err *e);

#endif
