#ifndef EXT_HTTP_H
#define EXT_HTTP_H
/*
 * http - HTTP requests in a poll loop. The only place that knows libcurl.
 *
 * Certificates and host names are verified, no redirect is followed, HTTP/2 is
 * used where TLS offers it, and an open connection is used again. The proxy of
 * the environment (https_proxy, no_proxy, ...: see curl(1)) is used only where
 * a request allows it. $SSL_CERT_FILE, if set, holds the certificates to trust.
 *
 * Order    http_step() waits for the requests and for the members of a poll,
 *          then serves both: body() for bytes as they come, ended() once. No
 *          request may be started or stopped inside body(); inside ended(), and
 *          anywhere else, it may.
 * Memory   A struct http_call lives with whoever made it, and must not move or
 *          go before ended() or http_stop(). What it points at is borrowed
 *          until then, the headers only by http_start().
 * Errors   In call->why after ended(): ERR_CONFIG (address, certificate),
 *          ERR_AGAIN, ERR_REFUSED (too long), or body()'s own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/poll.h"

struct http;

/* A field of multipart/form-data (RFC 7578), or a file if it has a filename. */
struct http_part {
	const char *name, *filename, *type; /* type: NULL for curl's guess */
	const char *bytes;                  /* copied; NULL: see path */
	size_t len;
	const char *path; /* a file, read while it is sent */
};

enum http_end {
	HTTP_RUNS = 0,
	HTTP_DONE,   /* answered: the reply is whole */
	HTTP_UNSENT, /* not sent: no connection was ready for it */
	HTTP_BROKEN, /* not known: it was sent, at least in part, and
		      * something failed; the reply may have begun */
};

struct http_call {
	const char *method; /* NULL: POST with a body or parts, else GET */
	const char *url;
	const char *const *headers; /* "Name: value", ended by NULL */
	const char *body;           /* NULL for none */
	size_t body_len;
	const struct http_part *parts; /* in place of a body */
	size_t part_count;
	size_t limit;          /* bytes of the reply's body */
	int connect_s, idle_s; /* to connect; without a byte, either way */
	bool proxy;
	bool compressed; /* the reply may be; limit counts what comes of it */
	bool once; /* never sent twice: an old connection, on which curl would
		    * begin anew if it broke, is not used again */
	/* A header of the reply, its name in lower case; NULL for no care. */
	void (*header)(void *ctx, const char *name, const char *value);
	/* Take bytes of the body; -1 and *e to give up. */
	int (*take)(void *ctx, const char *bytes, size_t len, struct err *e);
	void (*ended)(void *ctx);
	void *ctx;

	enum http_end end; /* to be read from here: */
	int status;        /* 0 before there is one */
	char retry_after[64], retry_after_ms[24], should_retry[8];
	size_t received; /* bytes of the body */
	struct err why;

	struct http *owner; /* private from here */
	void *easy, *header_list, *form;
	struct poll *poll;
	struct poll_timer idle;
	int64_t moved; /* bytes, both ways */
	char reason[256];
};

int http_open(struct http **h, struct poll *p, struct err *e);
void http_close(struct http *h); /* NULL is allowed; no call may run */

int http_start(struct http *h, struct http_call *c, struct err *e);

/* Close its connection, or its stream, now; ended() is not called. */
void http_stop(struct http_call *c); /* harmless on one that doesn't run */

/* Wait for something, at most until until_ms; serve it. */
int http_step(struct http *h, int64_t until_ms, struct err *e);

#endif
