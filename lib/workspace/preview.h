#ifndef WORKSPACE_PREVIEW_H
#define WORKSPACE_PREVIEW_H
/*
 * preview - copies of pictures that a model may be shown, or of frames of a
 * video: decoded and scaled in a fresh container, by a script of ours
 * (share/sandbox/preview.py), whatever the bytes are.
 *
 * A copy is PNG or JPEG, no side of it longer than PREVIEW_SIDE pixels, and has
 * PREVIEW_BYTES bytes at most; upright, in eight bits, what was transparent is
 * filled; of an animated picture the first one. Of a video, the frame that is
 * shown at that time: the last one that begins before it.
 *
 * Nothing that comes out of the container is believed: what isn't such a copy
 * is an error in its place. A picture that can't be had is an error for that
 * one alone.
 *
 * Order    preview_picture() for each, or preview_frame() for each time of the
 *          same video; preview_start(); ended(), once, when the container is
 *          gone: copies[i] is the i-th that was asked for. preview_cancel()
 *          may be called before. To be used again after preview_release().
 * Limits   PREVIEW_MOST copies; PREVIEW_TIME_S seconds together, PREVIEW_ONE_S
 *          each; bytes as bundle says. 40 million pixels as decoded (a JPEG is
 *          decoded smaller).
 * Errors   ERR_INPUT, ERR_REFUSED for what is asked. Of ended() as run has them,
 *          and then there are no copies. Of a copy: ERR_INPUT with the reason.
 * Memory   {0} with engine, image, ended and ctx set. It must not move while it
 *          runs. Bytes that are given are copied; copies are the preview's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "workspace/bundle.h"
#include "workspace/run.h"
#include "workspace/shape.h"

enum {
	PREVIEW_MOST = 8,
	PREVIEW_SIDE = 1568,
	PREVIEW_BYTES = 3500000,
	PREVIEW_TIME_S = 90,
	PREVIEW_ONE_S = 20,
};

struct content_stage;

struct preview_copy {
	struct shape shape;
	struct buf bytes;
	struct err why; /* there is none: why */
};

struct preview {
	const char *engine, *image;
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	struct preview_copy copies[PREVIEW_MOST]; /* to be read in ended() */
	size_t count;

	bool of_video; /* private from here */
	int64_t at_ms[PREVIEW_MOST];
	struct bundle files;
	struct buf code;
	struct run run;
};

/* One more picture. */
int preview_picture(struct preview *p, const char *bytes, size_t len,
    struct err *e);

/* A frame at that time. The video is taken at the first call alone. */
int preview_frame(struct preview *p, const char *bytes, size_t len,
    int64_t at_ms, struct err *e);

int preview_start(struct preview *p, struct poll *poll, struct err *e);
/* Bring the copies there are to the disk, before they are put into the store. */
int preview_stage(const struct preview *p, struct content_stage *staged,
    struct err *e);

void preview_cancel(struct preview *p);
void preview_release(struct preview *p); /* harmless on {0}, or twice */

#endif
