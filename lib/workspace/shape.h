#ifndef WORKSPACE_SHAPE_H
#define WORKSPACE_SHAPE_H
/*
 * shape - what a finished picture is: PNG or JPEG, and how wide and high. Pure.
 *
 * It is for bytes that a container says are a picture, which are to be sent to
 * a model unseen. So it walks all parts of the file from the mark to the end,
 * and takes only what a plain encoder writes: one picture, nothing behind it,
 * no animation. What is packed inside is not unpacked.
 *
 * Errors   ERR_REFUSED, with what was wrong.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

struct shape {
	const char *type; /* "image/png", "image/jpeg" */
	uint32_t width, height;
};

int shape_read(struct shape *s, const char *bytes, size_t len, struct err *e);

#endif
