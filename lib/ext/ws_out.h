#ifndef EXT_WS_OUT_H
#define EXT_WS_OUT_H
/*
 * ws_out - what a WebSocket is still to say: texts, then perhaps a close. For
 * ext/ws.
 *
 * Memory   {0} has nothing to say. At most WS_SEND_MAX bytes wait.
 */

#include <stddef.h>

#include "core/buf.h"

struct err;
struct lws;

enum { WS_REASON_MAX = 120 }; /* of a close frame: 125 with its code */

struct ws_out {
	struct buf queue; /* private: room for lws, the text, and again */
	size_t sent;
	int closing; /* with this code, as soon as all is sent; 0 for not */
	char why[WS_REASON_MAX + 1];
};

/* Queue a message of text. ERR_AGAIN if too much waits. */
int ws_out_add(struct ws_out *o, const char *text, size_t len, struct err *e);

/* Close with that code once what waits is sent. */
void ws_out_close(struct ws_out *o, int code, const char *why);

/* Send the first of it; -1 if the connection is to be closed, else 0. */
int ws_out_send(struct ws_out *o, struct lws *to);

void ws_out_release(struct ws_out *o); /* harmless on {0}, or twice */

#endif
