#ifndef STORE_CARD_H
#define STORE_CARD_H
/*
 * card - the message in Discord that asks for an approval (store/approval).
 *
 * Order    card_add() before it is sent, card_shown() with its id, card_closed()
 *          when it says what became of the approval, or can't be made to.
 * Errors   those of ext/db. What changes something belongs in the caller's
 *          transaction.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/id.h"

struct err;
struct store;

struct card {
	char approval[ID_LEN + 1];
	char channel[24];
	char message[24]; /* its id; "": it may be there or not */
	bool hidden;      /* only the person asked sees it: no channel has it */
	int64_t sent_ms;
};

/*
 * The first approval after that id which is pending in a task of Discord's that
 * runs, and has no card: 1 and its id, or 0. Begin with "".
 */
int card_wanted(struct store *s, const char *after, char id[ID_LEN + 1],
    struct err *e);

/* The first card after that approval which still asks in vain: 1, or 0. */
int card_over(struct store *s, const char *after, struct card *c,
    struct err *e);

/* The card of an approval, as long as it isn't closed: 1, or 0. */
int card_get(struct store *s, const char *approval, struct card *c,
    struct err *e);

/* It is about to be sent; or again, to somewhere else. */
int card_add(struct store *s, const struct card *c, struct err *e);
int card_shown(struct store *s, const char *approval, const char *message,
    struct err *e);
int card_closed(struct store *s, const char *approval, struct err *e);

#endif
