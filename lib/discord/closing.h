#ifndef DISCORD_CLOSING_H
#define DISCORD_CLOSING_H
/*
 * closing - what the close code of a gateway connection means for the session
 * (Discord's documentation, "Gateway Close Event Codes").
 *
 * Any code that is not named there, and none at all (1006), leaves the session
 * as it was: it is resumed. 4006 is no code of API version 10, but servers that
 * send it mean an invalid session.
 */

#include <stdint.h>

struct err;

enum closing {
	CLOSING_RESUME,   /* connect and resume */
	CLOSING_IDENTIFY, /* the session is gone: connect and begin another */
	CLOSING_FATAL,    /* the same would happen again: a person must act */
};

enum closing closing_of(int code);

/* What a person must do after a fatal one: ERR_CONFIG, and -1. */
int closing_explain(int code, uint64_t intents, struct err *e);

#endif
