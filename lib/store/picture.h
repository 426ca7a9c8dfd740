#ifndef STORE_PICTURE_H
#define STORE_PICTURE_H
/*
 * picture - the pictures that a call gave to the model, as they were made for
 * it: previews of images, and frames of a video at their times.
 *
 * Order    picture_add() within the caller's transaction.
 * Errors   ERR_INPUT no such call; ERR_REFUSED what it rests on is gone.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/content.h"

struct err;
struct store;

struct picture {
	int64_t n;         /* from 1 in its call */
	bool frame;        /* of a video, at offset_ms; else an image */
	const char *name;  /* of the file that it shows */
	const char *media; /* "image/jpeg" */
	int64_t offset_ms, size;
	char hash[CONTENT_HASH + 1];
};

/* Keep one more: n, size and hash of *p are filled in. */
int picture_add(struct store *s, const char *task, int64_t call,
    struct picture *p, const void *bytes, size_t len, struct err *e);

/*
 * May this task be shown the content: 1, 0 if only other tasks have it, or -1.
 * The name of a content is no right to it.
 */
int picture_is_own(struct store *s, const char *task, const char *hash,
    struct err *e);

#endif
