#ifndef GUEST_DOORS_H
#define GUEST_DOORS_H
/*
 * doors - where code connects to ask the host something: bytes go through in
 * both directions, and mean nothing here.
 *
 * At most DOORS_MOST connections are open at once; others wait. What the host
 * answers waits until the code reads it, up to DOORS_QUEUE bytes; then the
 * connection is closed.
 *
 * A connection's number is that of its place, DOORS_MOST times a count of those
 * that had the place before added, in 16 bits: what the host answers to one that is
 * closed doesn't reach the next.
 *
 * Memory   {0} is closed. It must not move while it is open.
 */

#include <stddef.h>

#include "core/buf.h"
#include "core/poll.h"

enum { DOORS_MOST = 16, DOORS_QUEUE = 48 << 20 };

struct door {
	struct doors *owner;
	struct poll_fd watch; /* fd 0 when closed */
	struct buf queue;
	size_t sent;
	unsigned int number; /* of the connection, or the last one there */
};

struct doors {
	struct poll *poll; /* private */
	struct poll_fd listener;
	struct door at[DOORS_MOST];
};

int doors_open(struct doors *d, struct poll *p, const char *path,
    struct err *e);

/* From the host: bytes for that connection; nothing if it is closed. */
void doors_answer(struct doors *d, size_t number, const char *bytes,
    size_t len);

void doors_close(struct doors *d); /* harmless on {0}, or twice */

#endif
