#ifndef STORE_HEARD_H
#define STORE_HEARD_H
/*
 * heard - how far the events of Discord are taken in, and where some are
 * missing.
 *
 * Both commit together with what came of the events, so whatever happens, an
 * event is taken in again or was taken in whole. Errors are those of ext/db;
 * what changes something belongs in the caller's transaction.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"

struct err;
struct store;

/* Both 0 if none was taken in yet. */
int heard_get(struct store *s, int64_t shard, int64_t *number, int64_t *at_ms,
    struct err *e);
int heard_set(struct store *s, int64_t shard, int64_t number, int64_t at_ms,
    struct err *e);

/* What may hold messages that nobody heard. */
struct catchup {
	bool whole;        /* all channels of a guild, else one channel */
	const char *id;    /* of either */
	const char *guild; /* of a channel; NULL for direct messages */
	const char *after; /* the message up to which they are known */
};

/* Note one; if it is noted already, the earlier `after` stays. */
int catchup_add(struct store *s, const struct catchup *c, struct err *e);

/* The same for the channels of direct messages that tasks are in. */
int catchup_direct(struct store *s, const char *after, struct err *e);

/* The one noted first: 1 and *c until stmt_end(), or 0. */
int catchup_first(struct stmt *scan, struct store *s, struct catchup *c,
    struct err *e);

/* It is known up to that message; with NULL it is done. */
int catchup_move(struct store *s, const struct catchup *c, const char *after,
    struct err *e);

#endif
