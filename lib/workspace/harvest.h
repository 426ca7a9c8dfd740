#ifndef WORKSPACE_HARVEST_H
#define WORKSPACE_HARVEST_H
/*
 * harvest - what a container gives back of its files, frame by frame. Pure:
 * whoever speaks there may be anybody, so nothing is believed.
 *
 * The first thing that won't do spoils all of it: a path that is no path (see
 * bundle), one given twice, one said to be as it was that was never put in, a
 * link, a device, a folder that can't be read, bytes that are too many or too
 * few, more files or bytes than go at once. After that each call fails.
 *
 * Memory   {0} with `before` set; that is borrowed until the release.
 * Errors   ERR_REFUSED, with what was wrong.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workspace/bundle.h"

struct frame;

struct harvest {
	const struct bundle *before; /* what was put in */

	struct bundle
	    changed; /* to be read after harvest_end(): new or other */
	bool kept[BUNDLE_FILES_MOST]; /* of `before`: is as it was */

	uint64_t left; /* private: bytes that its last file still lacks */
	struct err spoilt;
};

/* One frame of the kinds KEPT, FILE, DATA and OVER. */
int harvest_take(struct harvest *h, const struct frame *x, struct err *e);

/* There are no more: 0 if it is whole and good. */
int harvest_end(struct harvest *h, struct err *e);

/* Is that file of `before` gone: neither as it was nor changed? */
bool harvest_gone(const struct harvest *h, size_t i);

void harvest_release(struct harvest *h); /* harmless on {0}, or twice */

#endif
