#ifndef RUNTIME_HANDING_H
#define RUNTIME_HANDING_H
/*
 * handing - a tool's program hands an artifact over, while its call runs: it is
 * minted (tool/mint) and answered at once, and stays, whatever becomes of the
 * call. Its manifest must say that it attaches.
 */

#include "core/buf.h"
#include "tool/mint.h"

struct batch_call;
struct json;

struct handing {
	struct mint mint;
	struct buf artifacts; /* an open array of descriptors; "" if none */
};

/* Take an `attach` of the call, and answer it. */
void handing_take(struct batch_call *c, const struct json *record);

void handing_release(struct handing *h); /* harmless on {0}, or twice */

#endif
