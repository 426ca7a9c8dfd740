#ifndef DISCORD_BREAKS_H
#define DISCORD_BREAKS_H
/*
 * breaks - where a text for Discord may be broken, and how well.
 *
 * Code     Discord's own reading, which is not CommonMark's: a block of code
 *          begins at three backquotes, in a line or within one, and ends at the
 *          next three. So a longer fence is one of three with backquotes after
 *          it, none can be nested, and tildes are text. Three that nothing ends
 *          are text to Discord; where they begin a line we take the rest for
 *          code whose end was lost.
 * Kept     Links, masked links and mentions (users, roles, channels, emoji,
 *          times, commands) are never to be broken; code within a line, bold
 *          text and spoilers neither, if they end in the same line and take at
 *          most half a message.
 * Memory   {0} is empty. One byte for each of the text, and a struct breaks_code
 *          for each block; the text itself is only looked at.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

/* How good a break in front of a byte is; the greater the better. */
enum breaks_mark {
	BREAK_NEVER, /* within a character */
	BREAK_KEPT,  /* within a link, a mention, a fence */
	BREAK_CHAR,  /* between two letters, if they are two to a reader */
	BREAK_WORD,
	BREAK_CODE_LINE,
	BREAK_SENTENCE,
	BREAK_LINE,
	BREAK_PARAGRAPH,
};

enum { BREAKS_LANGUAGE = 32 }; /* bytes of the longest language of a fence */

struct breaks_code { /* byte offsets */
	size_t open; /* of the fence */
	size_t from; /* of the first byte after it, and after its language */
	size_t to;   /* of the closing fence; the text's length without one */
	size_t end;  /* after it */
	size_t language; /* bytes of it, which begin at open + 3 */
};

struct breaks {
	struct buf marks; /* enum breaks_mark, a byte each */
	struct breaks_code *code;
	size_t count;

	size_t room; /* private */
};

/* most: what one message may hold, in UTF-16 units. */
void breaks_find(struct breaks *b, const char *text, size_t len, size_t most);

/* The block of code that position `at` is inside of, or NULL. */
const struct breaks_code *breaks_code_at(const struct breaks *b, size_t at);

void breaks_release(struct breaks *b); /* harmless on {0}, or twice */

/*
 * White space, which Discord cuts off at both ends of a message. *holds is
 * whether the words at its sides belong together.
 */
bool breaks_blank(uint32_t cp, bool *holds);

#endif
