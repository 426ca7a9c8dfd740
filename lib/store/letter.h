#ifndef STORE_LETTER_H
#define STORE_LETTER_H
/*
 * letter - one message of a parcel (store/parcel), and what became of it.
 *
 * Order    letter_add() for each, before the first is sent; letter_sending() is
 *          committed before each time one is sent, letter_done() after.
 * Memory   Texts of a row are borrowed until the next call on its scan; whoever
 *          starts a scan ends it.
 * Errors   those of ext/db. What changes something belongs in the caller's
 *          transaction.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"

struct err;
struct store;

enum letter_state {
	LETTER_PENDING,
	LETTER_SENT, /* at least once; what came of it isn't known yet */
	LETTER_DELIVERED,
	LETTER_FAILED,
	LETTER_UNKNOWN, /* and can't be found out */
};

struct letter {
	int64_t k; /* from 1 */
	enum letter_state state;
	const char *nonce;
	const char *text;
	bool file;           /* the whole text goes with it as a file */
	const char *message; /* its id, once known; or NULL */
	int64_t first_ms;    /* when its nonce was first used; 0 never */
};

int letter_add(struct store *s, int64_t parcel, const struct letter *c,
    struct err *e);

/* The first one after that: 1 and *c, or 0. Begin with k 0. */
int letter_next(struct stmt *scan, struct store *s, int64_t parcel,
    int64_t after, struct letter *c, struct err *e);

/* It is about to be sent. anew: for all we know, for the first time. */
int letter_sending(struct store *s, int64_t parcel, int64_t k, bool anew,
    struct err *e);

/* What came of it; the message's id or why may be NULL. */
int letter_done(struct store *s, int64_t parcel, int64_t k,
    enum letter_state state, const char *message, const char *why,
    struct err *e);

/* Take them back: none of them was delivered. */
int letters_drop(struct store *s, int64_t parcel, struct err *e);

/* Is it the message of a letter that was delivered: 1, 0 or -1. */
int letter_known(struct store *s, const char *message, struct err *e);

#endif
