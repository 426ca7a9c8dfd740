#ifndef EXT_WS_TALK_H
#define EXT_WS_TALK_H
/*
 * ws_talk - one side of a WebSocket, the client's, without its socket: TLS if
 * there is any, how it begins, frames, and how it ends. Bytes in, bytes out.
 *
 * Memory   {0} with the first members set is one that has not begun; it must not
 *          move until ws_talk_end().
 * Errors   Those of tls, ws_hello and ws_frame. After one it is over.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "ext/tls.h"
#include "ext/ws_frame.h"
#include "ext/ws_hello.h"

struct ws_address;

struct ws_talk {
	void (*opened)(void *ctx); /* the server has agreed */
	void (*data)(void *ctx, const char *bytes, size_t len, bool last);
	void *ctx;

	bool open; /* to be read, from here */
	bool over; /* nothing more comes: close it once all is written */
	int code;  /* of the other side's close; 0 for none */

	bool bye; /* private: our close is said */
	struct tls_link tls;
	struct buf out, wire; /* to be said; the same as it is sent */
	char *plain;          /* room for what TLS gives */
	struct ws_hello hello;
	struct ws_frame frame;
};

/* Begin, with TLS if the address wants it; tls is used only then. */
int ws_talk_start(struct ws_talk *t, const struct ws_address *to,
    struct ssl_ctx_st *tls, struct err *e);
void ws_talk_end(struct ws_talk *t); /* harmless on {0}, or twice */

/* Take what the other side sent: 0, or -1. */
int ws_talk_read(struct ws_talk *t, const char *bytes, size_t len,
    struct err *e);

/* What is to be sent now; empty it when it is. NULL and *e on failure. */
struct buf *ws_talk_write(struct ws_talk *t, struct err *e);

void ws_talk_say(struct ws_talk *t, const char *text, size_t len);
size_t ws_talk_waiting(const struct ws_talk *t); /* bytes to be said */
void ws_talk_bye(struct ws_talk *t, int code, const char *why);

#endif
