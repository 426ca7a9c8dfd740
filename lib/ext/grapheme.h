#ifndef EXT_GRAPHEME_H
#define EXT_GRAPHEME_H
/*
 * grapheme - what a reader takes for one character (UAX #29, by ICU).
 *
 * Memory   {0} is one without a text. The text given to grapheme_start() is
 *          borrowed until the next, or grapheme_release().
 * Errors   ERR_INTERNAL if ICU has no data or memory.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;

struct grapheme {
	const char *text; /* private */
	size_t len;
	bool ready;
	void *iterator;
};

void grapheme_start(struct grapheme *g, const char *text, size_t len);

/*
 * Does the text before and after byte `at` belong to different ones? 1, 0 or
 * -1. ASCII does not wake ICU.
 */
int grapheme_edge(struct grapheme *g, size_t at, struct err *e);

void grapheme_release(struct grapheme *g); /* harmless on {0}, or twice */

#endif
