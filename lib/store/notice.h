#ifndef STORE_NOTICE_H
#define STORE_NOTICE_H
/*
 * notice - messages that were edited or deleted, until the tasks that read them
 * were told.
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
 * Tell the tasks that are not over: a control row each, and a deleted source
 * loses its text. Takes turns of its own in both. Returns how many were told.
 */
int notice_deliver(struct store *messages, struct err *e);

#endif
