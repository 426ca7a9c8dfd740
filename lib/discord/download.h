#ifndef DISCORD_DOWNLOAD_H
#define DISCORD_DOWNLOAD_H
/*
 * download - the bytes of an attachment, from Discord's media hosts alone.
 *
 * No token is sent, no redirect followed, and nothing asked for but what cdn
 * says is Discord's. What comes is counted as it comes, and ends at the limit,
 * at DOWNLOAD_S seconds in all, or at 20 s without a byte. Nothing is tried
 * again: whoever wants to, gets a new address first.
 *
 * Order    As with a rest_call: download_start(), rest_step() until ended().
 * Memory   A struct download must not move before ended(); what it points at is
 *          borrowed until then. Release it, then or earlier.
 * Errors   In why: ERR_INPUT for an address that isn't Discord's (also from
 *          download_start()), ERR_AGAIN for what the network did, ERR_REFUSED
 *          for too many bytes and for what the host said: see status.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "ext/http.h"

struct rest;

enum { DOWNLOAD_S = 120 };

struct download {
	const char *url;
	size_t limit; /* bytes */
	void (*ended)(void *ctx);
	void *ctx;

	bool over;        /* to be read from here */
	int status;       /* 0: there was no answer */
	struct buf bytes; /* all of it, if why.kind is 0 */
	struct err why;

	struct http_call http; /* private from here */
	struct poll_timer late;
};

int download_start(struct download *d, struct rest *r, struct err *e);

/* Give it up, if it runs; ended() is not called. Harmless on {0}, or twice. */
void download_release(struct download *d);

#endif
