#ifndef MODEL_PICTURE_H
#define MODEL_PICTURE_H
/*
 * picture - what a picture's bytes say that it is, before they are sent to a
 * provider: the mark of its format and the size in its header. Pure.
 *
 * Formats  PNG, JPEG, GIF and WebP, which providers take. Only headers are
 *          read; that the rest can be decoded is seen to where the copy is made
 *          that models are shown.
 */

#include <stddef.h>
#include <stdint.h>

struct picture {
	const char *type; /* "image/png" */
	uint32_t width, height;
};

/* 0 and *p, or -1: none of those, or it ends before its size. */
int picture_read(struct picture *p, const char *bytes, size_t len);

#endif
