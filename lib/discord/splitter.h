#ifndef DISCORD_SPLITTER_H
#define DISCORD_SPLITTER_H
/*
 * splitter - a long text as messages that Discord takes.
 *
 * Length   Discord counts code points (its staff in discord-api-docs #1315),
 *          some clients UTF-16 units. We count units, which are never fewer.
 * Places   Best between paragraphs, then lines, sentences, words, letters; a
 *          better place wins if it leaves the message at least a third full (a
 *          sentence half). Links and the like (discord/breaks) are broken only
 *          if one alone is too long for a message, a grapheme likewise, a
 *          character never.
 * Code     A block that must be broken is closed at the end of a part and opened
 *          again, with its language, in the next; what that takes is counted.
 *          A block that the text leaves open is closed in its last part.
 * Parts    No part is empty or over the limit. White space at both ends, which
 *          Discord cuts off, is not sent. The ranges [from, to) of the parts
 *          follow each other and are the whole text; what is sent for a range
 *          is, after `opened` bytes and before `closed` bytes that were put in,
 *          the range without that white space. A text of nothing else has no
 *          part.
 * Memory   {0} is empty. The text is borrowed from splitter_start() on; a part's
 *          text until the next call.
 * Errors   ERR_INTERNAL of ICU.
 */

#include <stddef.h>

#include "core/buf.h"
#include "discord/breaks.h"
#include "ext/grapheme.h"

struct err;

enum {
	SPLITTER_MOST = 2000, /* a message of Discord's: "content" */
	SPLITTER_LEAST = 128, /* no limit may be smaller: room for fences */
};

struct splitter_part {
	const char *text; /* to be sent, NUL-terminated */
	size_t len;
	size_t opened, closed; /* bytes of it that are fences put in */
	size_t from, to;       /* what it stands for, in the whole text */
};

struct splitter {
	const char *text; /* private */
	size_t len, at, most;
	struct breaks breaks;
	struct grapheme grapheme;
	struct buf out;
};

/* most: UTF-16 units of a part. */
void splitter_start(struct splitter *s, const char *text, size_t len,
    size_t most);

/* The next part: 1, 0 or -1. */
int splitter_next(struct splitter *s, struct splitter_part *p, struct err *e);

void splitter_release(struct splitter *s); /* harmless on {0}, or twice */

#endif
