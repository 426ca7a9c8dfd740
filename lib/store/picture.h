#ifndef STORE_PICTURE_H
#define STORE_PICTURE_H
/*
 * picture - the pictures that a call gave to the model, as they were made for
 * it: previews of images, and frames of a video at their times.
 *
 * Order    picture_add() within the caller's transaction.
 * Memory   Texts are borrowed until the next call on the scan.
 * Errors   ERR_INPUT no such call; ERR_REFUSED what it rests on is gone.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"
#include "store/content.h"

struct store;

struct picture {
	int64_t n;         /* from 1 in its call */
	bool frame;        /* of a video, at offset_ms; else an image */
	const char *name;  /* of the file that it shows */
	const char *media; /* "image/jpeg" */
	int64_t offset_ms, size;
	char hash[CONTENT_HASH + 1];
};

struct picture_scan { /* {0} is none */
	struct stmt rows;
};

/* Keep one more: n, size and hash of *p are filled in. */
int picture_add(struct store *s, const char *task, int64_t call,
    struct picture *p, const void *bytes, size_t len, struct err *e);

/* Begin the list of a call; then one at a time: 1, 0 at the end, or -1. */
void picture_list(struct picture_scan *scan, struct store *s, const char *task,
    int64_t call);
int picture_next(struct picture_scan *scan, struct picture *p, struct err *e);
void picture_end(struct picture_scan *scan);

#endif
