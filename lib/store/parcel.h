#ifndef STORE_PARCEL_H
#define STORE_PARCEL_H
/*
 * parcel - an outcome on its way to the people who asked: a row of the outbox
 * that is pending, with its address, which letters (store/letter)
 * bring.
 *
 * Order    parcel_next() gives the oldest first; parcel_settle() ends it.
 * Memory   Texts of a row are borrowed until the next call on its scan; whoever
 *          starts a scan ends it.
 * Errors   those of ext/db. What changes something belongs in the caller's
 *          transaction.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"

struct err;
struct store;

struct parcel {
	int64_t id; /* of the outbox row */
	const char *task, *turn;
	const char *kind, *record; /* see store/outbox */
	const char *channel;
	const char *request;     /* the message that asked, or NULL */
	const char *application; /* it came by an interaction of this one */
	const char *token;       /* of the interaction, while it is of use */
	int64_t until_ms;        /* it is */
	bool direct; /* in the direct messages of one person and Sophia */
	const char *withheld; /* why its text may not be said, or NULL */
	bool hidden; /* for the requester alone: never into a channel that
	              * others read */
};

/*
 * The first one after that id that is the oldest for its channel: 1 and *p, or
 * 0. Begin with 0.
 */
int parcel_next(struct stmt *scan, struct store *s, int64_t after,
    struct parcel *p, struct err *e);

/*
 * Where the outcome of a turn will go: 1 and *p with no id, kind and record, or
 * 0 if there is no such turn.
 */
int parcel_address(struct stmt *scan, struct store *s, const char *turn,
    struct parcel *p, struct err *e);

enum parcel_state { PARCEL_DELIVERED, PARCEL_FAILED, PARCEL_UNKNOWN };

/* It is over: why is NULL or what went wrong. The token is forgotten. */
int parcel_settle(struct store *s, int64_t id, enum parcel_state state,
    const char *why, struct err *e);

/* Its text may not be said: that is so for good, and why. */
int parcel_withhold(struct store *s, int64_t id, const char *why,
    struct err *e);

/*
 * Has what last came of a task not arrived, for all we know? 1 and *why until
 * stmt_end(), 0, or -1.
 */
int parcel_lost(struct stmt *scan, struct store *s, const char *task,
    const char **why, struct err *e);

/* Forget the token of a turn; or, of all turns, those of no use any more. */
int parcel_drop_token(struct store *s, const char *turn, struct err *e);
int parcel_expire(struct store *s, struct err *e);

#endif
