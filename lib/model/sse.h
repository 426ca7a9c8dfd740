#ifndef MODEL_SSE_H
#define MODEL_SSE_H
/*
 * sse - decode a stream of server-sent events. Pure: bytes in, events out.
 *
 * The format is WHATWG HTML, "Server-sent events", 9.2.5 and 9.2.6, with what
 * providers do besides: a comment that a gateway wrapped in `data:` is dropped,
 * and the last event counts without the empty line that should follow it.
 *
 * Cuts     However the bytes are cut, the events are the same: CR, LF and CRLF
 *          end a line, a byte order mark at the start is skipped.
 * Memory   {0} is a decoder at the start of a stream; sse_release() ends it.
 *          An event's texts are borrowed for the call of each().
 * Errors   An event over SSE_EVENT_MAX bytes is ERR_INPUT; an error that each()
 *          returns ends the feeding, too. Nothing may be fed after either.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"

enum { SSE_EVENT_MAX = 1 << 20 };

/* name is "" where none was given; data is NUL-terminated. 0 or -1. */
typedef int sse_fn(void *ctx, const char *name, const char *data, size_t len,
    struct err *e);

struct sse {
	struct buf line, name, data; /* private */
	bool has_data, after_cr, started;
};

int sse_feed(struct sse *s, const char *bytes, size_t len, sse_fn *each,
    void *ctx, struct err *e);

/* The stream is over. */
int sse_end(struct sse *s, sse_fn *each, void *ctx, struct err *e);

void sse_release(struct sse *s); /* harmless on {0}, or twice */

#endif
