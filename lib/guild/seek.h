#ifndef GUILD_SEEK_H
#define GUILD_SEEK_H
/*
 * seek - is a message there that a change sent? Discord can't be asked for a
 * nonce, so its channel is read from when it was sent on (see deliver/trace).
 */

#include <stdbool.h>
#include <stdint.h>

struct change;
struct err;
struct json;

struct seek {
	uint64_t guild, channel; /* guild 0 for direct messages */
	const char *text;        /* what it says */
	const char *reply;       /* what it answers, or NULL */
	/* instead of its text; c is the change */
	bool (*is)(void *c, const struct json *message);
};

/* For verify: what that says. */
int seek_message(struct change *c, const struct seek *s, struct err *e);

/* Does another receipt name that id as what it made: 1, 0 or -1. */
int seek_known(void *c, const char *id, struct err *e);

/* Has it been so long that what was sent can't arrive any more? Else seen says
 * that it may. */
bool seek_late(struct change *c);

#endif
