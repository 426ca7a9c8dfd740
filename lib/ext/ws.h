#ifndef EXT_WS_H
#define EXT_WS_H
/*
 * ws - one WebSocket to a server, in a poll loop. The only place that knows
 * libwebsockets.
 *
 * wss verifies certificate and host name against the system's store
 * ($SSL_CERT_FILE and $SSL_CERT_DIR are honoured, as by all of OpenSSL); TLS 1.2
 * at least. No proxy is used, no extension offered, no ping sent. A name is
 * looked up by the C library, which waits for it: while there is no connection.
 *
 * Order    ws_step() waits for the connection and for the members of a poll,
 *          then serves both. Each connection has a number, which every callback
 *          repeats; of one that ws_close() or another ws_connect() ended,
 *          nothing is told any more, whatever it still does.
 * Memory   A struct ws_handlers is borrowed until ws_release().
 * Signals  SIGPIPE is ignored from the first connection on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "core/poll.h"

struct ws;

enum { WS_SEND_MAX = 64 << 10 }; /* bytes that may wait to be sent */

struct ws_handlers {
	void (*opened)(void *ctx, unsigned number);
	/* Bytes of a message, as they come; last ends one. */
	void (*received)(void *ctx, unsigned number, const char *bytes,
	    size_t len, bool last);
	/* It is over: with the code of the other side, or 0 and why not. */
	void (*closed)(void *ctx, unsigned number, int code, const char *why);
	void *ctx;
};

struct ws *ws_open(struct poll *p, const struct ws_handlers *h);
void ws_release(struct ws *w); /* NULL is allowed; cuts the connection */

/*
 * Connect to a ws or wss address. What can't be done is told by closed(), but
 * ERR_CONFIG for an address that is none, or a store that can't be read.
 */
int ws_connect(struct ws *w, const char *url, unsigned number, struct err *e);

/* Queue a message of text. ERR_AGAIN if too much waits; none without a peer. */
int ws_send(struct ws *w, const char *text, size_t len, struct err *e);

/* Close it with that code, once what waits is sent. */
void ws_close(struct ws *w, int code, const char *why);

bool ws_closing(const struct ws *w); /* a close is on its way out */

/* Wait for something, at most until until_ms; serve it. */
int ws_step(struct ws *w, int64_t until_ms, struct err *e);

#endif
