#ifndef STORE_RECHECK_H
#define STORE_RECHECK_H
/*
 * recheck - guilds in which somebody may read more or less than before, until
 * the tasks that read there were told to look again: each of their sources is
 * fetched once more, as whoever owns the task may read it now (runtime/mend).
 *
 * Like store/notice: it commits with the change, the telling comes after and is
 * repeated if it broke off.
 */

#include <stdint.h>

struct db;
struct err;
struct store;

/* user 0: it may be anybody. Store function: the caller has a transaction. */
int recheck_add(struct db *db, uint64_t guild, uint64_t user, struct err *e);

/* Tell the tasks that are not over. Takes turns of its own in both. */
int recheck_deliver(struct store *messages, struct err *e);

#endif
