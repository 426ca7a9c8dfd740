#ifndef CORE_FRAME_H
#define CORE_FRAME_H
/*
 * frame - messages of any bytes through a pipe or socket. Pure.
 *
 * On the wire each is the length of the rest in four bytes, the highest first,
 * then its kind in one byte, then at most FRAME_MOST bytes. What they mean is
 * said by who speaks: lib/guest/guest.h for the container.
 *
 * Memory   {0} has no input yet. A frame is borrowed until the next call; what
 *          waits is never more than one frame and what was fed at once.
 * Errors   ERR_INPUT for a length that can't be: nothing after it can be
 *          believed, and each later call fails as well.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"

enum { FRAME_MOST = 64 << 10, FRAME_HEAD = 5 };

struct frame {
	unsigned char kind;
	const char *data; /* not NUL-terminated */
	size_t len;
};

struct frames {
	struct buf waiting; /* private */
	size_t taken;
	bool broken;
};

void frames_feed(struct frames *f, const char *bytes, size_t len);

/* The next whole one: 1, 0 if more must be fed first, or -1. */
int frames_next(struct frames *f, struct frame *x, struct err *e);

bool frames_partial(const struct frames *f); /* one has begun */
void frames_release(struct frames *f);       /* harmless on {0}, or twice */

/* Add one to b; len is at most FRAME_MOST. */
void frame_add(struct buf *b, unsigned char kind, const void *data, size_t len);

/* Numbers in a frame: the highest byte first. */
void frame_add_number(struct buf *b, uint64_t n, int bytes);

/* Take one from the beginning of x: 0, or -1 if it is too short. */
int frame_take_number(struct frame *x, int bytes, uint64_t *n);

#endif
