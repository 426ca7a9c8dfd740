#ifndef DISCORD_ESCAPE_H
#define DISCORD_ESCAPE_H
/*
 * escape - somebody else's words inside a message of ours, shown as they were
 * written: their markup makes nothing bold, no code, no link and no mention.
 */

#include <stddef.h>

struct buf;

/*
 * Add the text, in one line, at most so many bytes of it (0 for all); what is
 * cut off ends in "...". White space at its ends goes, each run becomes one
 * space.
 */
void escape_line(struct buf *b, const char *text, size_t most);

#endif
