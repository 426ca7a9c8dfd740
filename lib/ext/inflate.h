#ifndef EXT_INFLATE_H
#define EXT_INFLATE_H
/*
 * inflate - zlib-stream, the transport compression of Discord's gateway. The
 * only place that knows zlib.
 *
 * All messages of a connection are one zlib stream (RFC 1950), flushed after
 * each: a message is whole when its bytes end with 00 00 ff ff. So there is one
 * inflate for a connection, and what one message said explains the next.
 *
 * Memory   {0} is an inflate at the start of a stream; about 40 KiB are kept
 *          for it, until inflate_release().
 * Errors   ERR_INPUT for bytes that are no such stream; ERR_REFUSED where the
 *          text grows past out->limit. After one only release it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

struct inflate {
	void *stream; /* private from here */
	unsigned char tail[4];
};

/* Add the text that these bytes stand for to out; they may be cut anywhere. */
int inflate_feed(struct inflate *z, struct buf *out, const void *bytes,
    size_t len, struct err *e);

/* Do the bytes fed so far end a message? */
bool inflate_whole(const struct inflate *z);

void inflate_release(struct inflate *z); /* harmless on {0}, or twice */

#endif
