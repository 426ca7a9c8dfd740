#ifndef DISCORD_ROUTE_H
#define DISCORD_ROUTE_H
/*
 * route - what a request is, as Discord's rate limits see it. Pure.
 *
 * The name is its method and its path with every id, code, emoji and token
 * replaced by a word: it is short, tells nothing that is secret, and is the
 * same for every request of its kind.
 *
 * The major resource is what a bucket counts apart: the channel, guild or
 * webhook (with its token) at the head of the path, or the interaction
 * (Discord's documentation, "Rate Limits").
 *
 * Errors   ERR_INPUT for a method Discord has not, or for a path that is none:
 *          it begins with '/', and has no "..", space, control or '#'.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;

enum { ROUTE_NAME = 160 };

struct route {
	char name[ROUTE_NAME]; /* "GET /channels/:id/messages" */
	uint64_t key, major;   /* hashes; neither is 0 */
	bool exempt;           /* of the global limit: it answers an interaction
				* by /interactions */
	bool open;             /* its token is in the path: no other is sent */
};

int route_read(struct route *r, const char *method, const char *path,
    struct err *e);

#endif
