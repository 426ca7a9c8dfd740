#ifndef STORE_TOMBSTONE_H
#define STORE_TOMBSTONE_H
/*
 * tombstone - which messages and channels were deleted, for good.
 *
 * They are in knowledge.sqlite, which is durable; the index has a copy, which
 * it gets back after a reset, or when its file was lost. A deletion is noted
 * here, together with the wish to carry it through all stores (store/purge),
 * before anything else is done about it. So whoever keeps something derived
 * from a source looks here within its own transaction: then either it sees the
 * tombstone, or the purge, which comes later, finds what was kept.
 *
 * Errors   those of store/base.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"
#include "store/base.h"

struct err;

enum grave_kind { GRAVE_MESSAGE, GRAVE_CHANNEL, GRAVE_KINDS };

const char *grave_word(enum grave_kind kind); /* "message" */
enum grave_kind grave_kind_of(const char *word);

struct grave {
	enum grave_kind kind;
	uint64_t id;
	int64_t at_ms; /* when it was deleted */
};

struct graves { /* {0} is none; release it */
	struct grave *at;
	size_t count, room;
};

void graves_add(struct graves *g, const struct grave *one);
void graves_sort(struct graves *g); /* before graves_hold() */
bool graves_hold(const struct graves *g, enum grave_kind kind, uint64_t id);
void graves_clear(struct graves *g); /* keeps its room */
void graves_release(struct graves *g);

/*
 * Note them, and that they are to be carried through: a commit of its own. What
 * was noted before is not carried through again, unless `again`.
 */
int tombstones_note(const struct graves *g, bool again, struct err *e);

/* Copy them into an index, within the caller's transaction. */
int tombstones_seed(struct db *messages, struct err *e);

/* The same, and note those that only the index knows, of an older release. */
int tombstones_exchange(struct db *messages, struct err *e);

/* To look up what was deleted; {0} is closed, and opens itself. */
struct tombstones {
	struct store store; /* private */
	struct stmt find;
};

void tombstones_close(struct tombstones *t); /* harmless on {0}, or twice */

/*
 * Is the message that the link leads to deleted, or its channel: 1, 0 or -1.
 * What is no link to a message never is.
 */
int tombstones_link(struct tombstones *t, const char *url, struct err *e);

/* The ids in a link to a message; false if it is none. */
bool tombstone_ids(const char *url, uint64_t *channel, uint64_t *message);

#endif
