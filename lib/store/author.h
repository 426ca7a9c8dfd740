#ifndef STORE_AUTHOR_H
#define STORE_AUTHOR_H
/*
 * author - who wrote: users, their names, nicknames and roles in a guild.
 *
 * The newest message decides what somebody is called now; every name ever seen
 * is kept in author_name, folded, for look-ups. A message that knows nothing of
 * the member (author.member is false) leaves nickname, color and roles as they
 * were.
 *
 * Memory   {0} is empty. What was seen last is cached, AUTHOR_SLOTS of them in
 *          sets of AUTHOR_WAYS, so that a known author costs no query.
 *          authors_flush() writes up to which message each was seen unchanged:
 *          once, at the end.
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

#include "core/buf.h"
#include "ext/db.h"

struct err;
struct message;
struct text;

enum { AUTHOR_SLOTS = 8192, AUTHOR_WAYS = 4 };

struct author_slot {
	uint64_t id, guild, print;
	uint64_t seen, stored; /* newest message; the same, in the row */
	uint32_t ord;
};

struct authors {
	struct text *text;
	struct stmt find, insert, update, member, roles, role, name, seen, told;
	struct author_slot *slots; /* made when needed */
	struct buf folded;
};

/* Store what is new, as of a guild, and find the author's ordinal. */
int authors_put(struct authors *a, struct db *db, const struct message *m,
    uint64_t guild, uint32_t *ord, struct err *e);
int authors_flush(struct authors *a, struct db *db, struct err *e);

void authors_forget(struct authors *a);
void authors_release(struct authors *a); /* harmless on {0}, or twice */

#endif
