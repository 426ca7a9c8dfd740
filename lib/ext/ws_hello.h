#ifndef EXT_WS_HELLO_H
#define EXT_WS_HELLO_H
/*
 * ws_hello - how a WebSocket begins, for the client (RFC 6455, 4). Pure.
 *
 * Memory   {0} is none; release it.
 * Errors   ERR_REFUSED: the server says something else, or the answer is no
 *          proof that it understood.
 */

#include <stddef.h>

#include "core/buf.h"

enum { WS_KEY = 24, WS_PROOF = 28, WS_ANSWER_MAX = 16 << 10 };

struct ws_hello {
	char key[WS_KEY + 1]; /* private */
	struct buf answer;
};

/* Add the request to b; host as in a URL, with its port if it has one. */
void ws_hello_ask(struct ws_hello *h, struct buf *b, const char *host,
    size_t host_len, const char *path);

/*
 * Read the answer: 1 and how many of the bytes were its last ones, 0 if more
 * must come, or -1.
 */
int ws_hello_read(struct ws_hello *h, const char *bytes, size_t len,
    size_t *used, struct err *e);

void ws_hello_release(struct ws_hello *h); /* harmless on {0}, or twice */

#endif
