#ifndef EXT_WS_FRAME_H
#define EXT_WS_FRAME_H
/*
 * ws_frame - the frames of a WebSocket, as a client reads and writes them
 * (RFC 6455, 5). Pure: bytes in, pieces of messages out, however they are cut.
 *
 * Memory   {0} is the start of a connection; there is nothing to release. What
 *          is handed out is borrowed for the call.
 * Errors   ERR_INPUT for what no server may send: a masked frame, a reserved bit
 *          or opcode, a long or cut control frame, a message inside another.
 *          Nothing may be fed after it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;

enum {
	WS_CONTINUATION = 0,
	WS_TEXT = 1,
	WS_BINARY = 2,
	WS_CLOSE = 8,
	WS_PING = 9,
	WS_PONG = 10,
};

enum { WS_CONTROL_MAX = 125, WS_HEAD_MAX = 10 };

/* What comes out; each returns whether to go on. */
struct ws_frame_to {
	bool (*data)(void *ctx, const char *bytes, size_t len, bool last);
	/* A control frame, whole: its opcode is one of the last three. */
	bool (*control)(void *ctx, int opcode, const char *bytes, size_t len);
	void *ctx;
};

struct ws_frame {
	unsigned char head[WS_HEAD_MAX]; /* private */
	unsigned have, need;
	uint64_t left; /* bytes of the frame */
	bool inside;   /* a frame; and a message of several */
	bool open, fin;
	int opcode;
	char control[WS_CONTROL_MAX];
	size_t control_len;
};

/* 1, or 0 if it was told not to go on, or -1. */
int ws_frame_feed(struct ws_frame *f, const char *bytes, size_t len,
    const struct ws_frame_to *to, struct err *e);

/* Add a frame that is a message, masked with a random number. */
void ws_frame_write(struct buf *b, int opcode, const char *bytes, size_t len,
    uint32_t mask);

#endif
