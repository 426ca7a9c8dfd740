#ifndef WORKSPACE_CUT_H
#define WORKSPACE_CUT_H
/*
 * cut - a stretch of a recording, sound or video, as sound that a model can be
 * given: decoded and cut by ffmpeg in a fresh container.
 *
 * It begins and ends at those samples exactly, by the recording's own clock:
 * consecutive stretches join without gap or overlap, and where a recording has
 * a hole there is silence. At the end of the recording it is shorter.
 *
 * What comes out of the container are plain samples, no more of them than were
 * asked for; the head of the file is written here. So there is nothing to
 * believe.
 *
 * Order    cut_start(); ended(), once, when the container is gone.
 *          cut_cancel() may be called before.
 * Limits   CUT_MOST_MS; CUT_TIME_S seconds of work; bytes as bundle says.
 * Errors   ERR_INPUT for what is asked, and of ended() if there is no sound in
 *          it, or it is over before; the others as run has them.
 * Memory   {0} with the members above the line set. It must not move while it
 *          runs. The bytes are copied.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "workspace/bundle.h"
#include "workspace/run.h"

enum { CUT_MOST_MS = 180 * 1000, CUT_TIME_S = 120 };

struct cut {
	const char *engine, *image;
	int64_t start_ms, length_ms;
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	struct buf wav; /* to be read in ended(): see wav */

	struct bundle files; /* private from here */
	struct buf code;
	struct run run;
};

int cut_start(struct cut *c, struct poll *p, const char *bytes, size_t len,
    struct err *e);
void cut_cancel(struct cut *c);
void cut_release(struct cut *c); /* harmless on {0}, or twice */

#endif
