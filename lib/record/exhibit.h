#ifndef RECORD_EXHIBIT_H
#define RECORD_EXHIBIT_H
/*
 * exhibit - a picture or a sound that a model is shown: an item of `media`, in
 * a message of a request and in a result.
 *
 * It goes by reference, never as bytes: by the SHA-256 of a content that we
 * keep, or as an address that the provider fetches itself.
 *
 * Memory   All is borrowed from the tree; exhibits_read() allocates the list.
 * Errors   ERR_INPUT, as in any.
 * Limits   EXHIBITS_MAX in a list. How many of them a model gets is for
 *          model/chat_request.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct err;
struct json;

enum { EXHIBITS_MAX = 100, EXHIBIT_BLOB_LEN = 64 };

enum exhibit_kind {
	EXHIBIT_IMAGE,
	EXHIBIT_FRAME, /* of a video, at at_ms */
	EXHIBIT_AUDIO,
};

struct exhibit {
	enum exhibit_kind kind;
	const char *type; /* "image/png" */
	const char *name; /* of the file */
	const char *blob; /* 64 hex digits; or NULL and then */
	const char *url;  /* https */
	int64_t at_ms;    /* of a frame; else 0 */
};

int exhibit_read(struct exhibit *x, const struct json *v, struct err *e);
void exhibit_write(struct buf *b, const struct exhibit *x);

/* A list of them: free(*list). NULL as `array` is an empty one. */
int exhibits_read(struct exhibit **list, size_t *count,
    const struct json *array, struct err *e);

/* As the member "media", if there are any. */
void exhibits_write(struct buf *b, const struct exhibit *list, size_t count);

#endif
