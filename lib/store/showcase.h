#ifndef STORE_SHOWCASE_H
#define STORE_SHOWCASE_H
/*
 * showcase - the message that shows how a turn goes, from before it is sent
 * until it is taken away again.
 *
 * Memory   Texts of a row are borrowed until stmt_end().
 * Errors   those of ext/db. What changes something belongs in the caller's
 *          transaction.
 */

#include <stdint.h>

#include "ext/db.h"

struct err;
struct store;

struct showcase {
	const char *turn, *task, *channel, *nonce;
	const char *message; /* its id, or NULL: it may be there or not */
	int64_t first_ms;    /* when it was first sent */
};

/* It is about to be sent. */
int showcase_add(struct store *s, const char *turn, const char *channel,
    const char *nonce, struct err *e);
int showcase_sent(struct store *s, const char *turn, const char *message,
    struct err *e);
int showcase_gone(struct store *s, const char *turn, struct err *e);

/*
 * The first after that turn whose turn has ended, with its outcome no longer
 * under way: 1 and *c, or 0. Begin with "". The reply to an interaction may
 * have become the outcome; where that is not known it is none of these.
 */
int showcase_stale(struct stmt *scan, struct store *s, const char *after,
    struct showcase *c, struct err *e);

#endif
