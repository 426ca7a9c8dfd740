#ifndef WORKSPACE_CUTTER_H
#define WORKSPACE_CUTTER_H
/*
 * cutter - a cut (see there) by a program of its own, `sophia-sandbox cut`,
 * which gets no secret of ours: so that a program that has some starts no
 * container.
 *
 * Order    cutter_start(); ended(), once; cutter_cancel() before.
 * Errors   of ended(): as cut has them; ERR_INTERNAL for what is no such sound.
 * Memory   {0} with the members above the line set; they are borrowed until
 *          ended(). It must not move while it runs.
 */

#include <stdint.h>

#include "core/buf.h"
#include "core/child.h"
#include "core/err.h"
#include "tool/environ.h"

struct poll;

struct cutter {
	const char *task, *path;
	int64_t start_ms, length_ms;
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	struct buf wav; /* to be read in ended() */
	int64_t got_ms; /* so long it is */

	struct child child; /* private from here */
	struct environ env;
};

int cutter_start(struct cutter *c, struct poll *p, struct err *e);
void cutter_cancel(struct cutter *c);
void cutter_release(struct cutter *c); /* harmless on {0}, or twice */

#endif
