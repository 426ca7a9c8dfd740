#ifndef DISCORD_API_H
#define DISCORD_API_H
/*
 * api - where Discord is, and who we are there.
 *
 * $SOPHIA_DISCORD_API is the address, https://discord.com/api/v10 unless set:
 * https, or http to this machine alone, since the token goes there. The token
 * is the secret DISCORD_TOKEN (see core/secret).
 *
 * Memory   {0} is none; api_close() wipes the token.
 * Errors   ERR_CONFIG. No text quotes the token.
 */

#include "core/buf.h"

enum { API_BASE = 256 };

/* What Discord asks every client to call itself. */
#define API_AGENT "DiscordBot (https://example.org/sophia, " SOPHIA_VERSION ")"

struct api {
	char base[API_BASE]; /* without a '/' at its end */
	struct buf token;
};

int api_open(struct api *a, struct err *e);
void api_close(struct api *a); /* harmless on {0}, or twice */

#endif
