#ifndef DISCORD_PAYLOAD_H
#define DISCORD_PAYLOAD_H
/*
 * payload - the head of what the gateway sends: op, s and t; d as it came.
 *
 * A payload (Discord's documentation, "Gateway Event Payload Structure") is an
 * object with these four members in any order; others are passed over. Nothing
 * is parsed but that: of d only strings and brackets are matched, up to 64
 * levels, since a GUILD_CREATE of megabytes is to be copied, not understood.
 *
 * Memory   name and data are borrowed from the text.
 * Errors   ERR_INPUT with the byte where it stops being one.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { /* opcodes, of those that a bot's session meets */
	OP_DISPATCH = 0,
	OP_HEARTBEAT = 1,
	OP_IDENTIFY = 2,
	OP_RESUME = 6,
	OP_RECONNECT = 7,
	OP_INVALID_SESSION = 9,
	OP_HELLO = 10,
	OP_HEARTBEAT_ACK = 11,
};

enum { PAYLOAD_NAME = 64 };

struct payload {
	int op;
	bool numbered; /* s was no null */
	int64_t sequence;
	char name[PAYLOAD_NAME]; /* t: capitals, digits and _; "" for null */
	const char *data;        /* d, "null" if there is none */
	size_t len;
};

/*
 * Take out the line breaks, which JSON allows only between its words. Done
 * once, it lets a payload be a line of its own. Returns the new length.
 */
size_t payload_flatten(char *text, size_t len);

int payload_read(struct payload *p, const char *text, size_t len,
    struct err *e);

#endif
