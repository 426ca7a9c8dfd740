#ifndef STORE_NOTICE_H
#define STORE_NOTICE_H
/*
 * notice - messages that were edited, until the tasks that read them were told.
 * What was deleted is told by store/purge.
 *
 * The notice commits with the change, in the index; the telling is in another
 * store, so it comes after, and is repeated if it broke off.
 */

#include <stdint.h>

struct db;
struct err;
struct store;

/* Store function (store/base): the caller holds the transaction. */
int notice_add(struct db *db, uint64_t message, struct err *e);

/*
 * Tell the tasks that are not over, by a control row each: {"url","revision"}.
 * Takes turns of its own in both. Returns how many were told.
 */
int notice_deliver(struct store *messages, struct err *e);

#endif
