#ifndef STORE_ADDRESS_H
#define STORE_ADDRESS_H
/*
 * address - where the outcome of a turn goes. Within the caller's transaction,
 * together with the request: it may be there before the turn is.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct store;

struct address {
	const char *channel;
	const char *request;     /* the message that is replied to, or NULL */
	const char *application; /* it came by an interaction of this one */
	const char *token;       /* of the interaction; a secret */
	int64_t until_ms;        /* the token is of use */
	bool ephemeral;          /* only the requester sees the outcome */
};

int address_add(struct store *s, const char *turn, const struct address *a,
    struct err *e);

#endif
