#ifndef MODEL_GALLERY_H
#define MODEL_GALLERY_H
/*
 * gallery - which pictures and sounds of a request a model really gets, and
 * their bytes. What it doesn't get is said in words, so nothing that is wrong
 * with one of them breaks a request.
 *
 * - What the profile's inputs don't name is refused first: nothing of it is
 *   fetched.
 * - The newest ones count: GALLERY_MOST pictures and as many sounds, of
 *   GALLERY_BYTES together, so a body stays below what providers and we take.
 * - Bytes are what their type says: a picture of at most GALLERY_PICTURE bytes
 *   and GALLERY_PIXELS across, a sound of GALLERY_SOUND bytes in WAV or MP3.
 * - An address goes as it is, and only of a picture: no provider fetches sound.
 *
 * Memory   {0} is empty. Items are in the request's order, one for each of its
 *          media; they borrow from the request.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

struct err;
struct exhibit;
struct profile;
struct request;

enum {
	GALLERY_MOST = 5,
	GALLERY_PICTURE = 3584 << 10, /* 4.67 MB as base64 */
	GALLERY_PIXELS = 1568,
	GALLERY_SOUND = 8 << 20, /* 180 s of 16 bits at 16 kHz are 5.8 MB */
	GALLERY_BYTES = GALLERY_MOST * GALLERY_PICTURE,
	GALLERY_PICTURE_TOKENS = 1600, /* a guess: W*H/750 of 1568 by 765 */
	GALLERY_SOUND_TOKENS = 4500,   /* 180 s of 25 a second */
};

/* Where bytes are kept. No function: there are none. */
struct gallery_source {
	/* Add those of that SHA-256. ERR_INPUT: there are none; ERR_REFUSED:
	 * there are more than to->limit. */
	int (
	    *fetch)(void *ctx, const char *blob, struct buf *to, struct err *e);
	void *ctx;
};

struct gallery_item {
	const struct exhibit *exhibit;
	bool shown;
	struct buf bytes;   /* if it is shown, and not by its address */
	const char *format; /* of a sound: "wav" or "mp3" */
	char why[160];      /* if it is not shown */
};

struct gallery {
	struct gallery_item *items; /* to be read */
	size_t count, shown;
};

/*
 * Plan it. without: nothing is shown, for that reason (NULL: what can be is).
 */
void gallery_plan(struct gallery *g, const struct request *r,
    const struct profile *p, const struct gallery_source *from,
    const char *without);

/* The item of that exhibit of the request. */
struct gallery_item *gallery_find(struct gallery *g, const struct exhibit *x);

/* About how many tokens the media of a request are, that inputs let pass. */
int64_t gallery_tokens(size_t pictures, size_t sounds, unsigned inputs);

void gallery_release(struct gallery *g); /* harmless on {0}, or twice */

#endif
