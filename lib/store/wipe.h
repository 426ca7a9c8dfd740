#ifndef STORE_WIPE_H
#define STORE_WIPE_H
/*
 * wipe - where in an event of the gateway a deleted message is. Pure.
 *
 * A message is an object with the id, and an author or content: the event's own
 * data, the one that a reply quotes, or one that an interaction is about. Of a
 * deleted channel it is every message in it. Its place is the inside of the
 * object, between its braces: with blanks in it what is left is JSON of the
 * same length, `{   }`, and names no message any more.
 */

#include <stddef.h>

struct graves;

/* Where the bytes lie, within the text. */
struct wipe_span {
	size_t at, len;
};

enum { WIPE_SPANS = 64 }; /* in one event; a container counts as one */

/*
 * Find what belongs to any of the graves, in the JSON text of an event's data;
 * returns how many, in order, none within another. What is no JSON has none. The
 * text is ended by NUL, the graves are sorted.
 */
size_t wipe_find(struct wipe_span spans[WIPE_SPANS], const char *text,
    size_t len, const struct graves *g);

#endif
