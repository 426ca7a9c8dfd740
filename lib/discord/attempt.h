#ifndef DISCORD_ATTEMPT_H
#define DISCORD_ATTEMPT_H
/*
 * attempt - a call put into words of HTTP, and what came back of it once.
 * For rest alone.
 *
 * Memory   {0} is none. It must not move between attempt_start() and ended().
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "discord/quota.h"
#include "ext/http.h"

enum { REST_FILES = 10, REST_REPLY_MAX = 32 << 20 };

struct rest_file {
	const char *name;  /* as people see it */
	const char *type;  /* "image/png"; NULL for a guess */
	const char *bytes; /* or NULL and path */
	size_t len;
	const char *path;
};

struct rest_call;

struct attempt {
	struct http_call http;
	struct quota quota;

	struct buf url, reason; /* private from here */
	const char *headers[6];
	struct http_part parts[REST_FILES + 1];
	char names[REST_FILES][32];
	struct rest_call *call;
	void (*ended)(struct rest_call *c);
};

/*
 * Send the call; ended() follows. base is the address of the interface, auth a
 * whole header, or NULL. once: not to be done twice.
 */
int attempt_start(struct rest_call *c, struct http *h, const char *base,
    const char *auth, bool once, void (*ended)(struct rest_call *c),
    struct err *e);
void attempt_release(struct attempt *a); /* harmless on {0}, or twice */

#endif
