#ifndef STORE_REACTION_H
#define STORE_REACTION_H
/*
 * reaction - who has marked a message with what: reactions, votes of a poll.
 *
 * An event may be told twice, and a page of messages may have counted it
 * already. So what each user did last is kept, and when a page counted; the
 * counts themselves are in the message.
 *
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdbool.h>
#include <stdint.h>

struct db;
struct err;

struct reaction {
	uint64_t message, user;
	const char *emoji; /* its id or name; "vote:N" for an answer */
	bool on;
	int64_t at_ms; /* when the event came */
};

/* By how much the count changes: -1, 0 or 1. */
int reaction_put(struct db *db, const struct reaction *r, int *change,
    struct err *e);

/*
 * All of a message's marks are gone, or with emoji those of this one: 1, or 0
 * if a page knew that already.
 */
int reaction_clear(struct db *db, uint64_t message, const char *emoji,
    int64_t at_ms, struct err *e);

/* A page asked for at that time tells the counts: forget what was kept. */
int reaction_counted(struct db *db, uint64_t message, int64_t asked_ms,
    struct err *e);

/* Has an event changed more than its words since then: 1, 0 or -1. */
int reaction_since(struct db *db, uint64_t message, int64_t at_ms,
    struct err *e);

/* One did, at that time. */
int reaction_touch(struct db *db, uint64_t message, int64_t at_ms,
    struct err *e);

#endif
