#ifndef DISCORD_SPAN_H
#define DISCORD_SPAN_H
/*
 * span - the pieces of a line of Discord's markup that belong together.
 */

#include <stddef.h>

/*
 * Bytes of the link, masked link or mention that begins at text; 0 if none
 * does.
 */
size_t span_link(const char *text, size_t len);

/*
 * The same for code in a line (`x`, ``x``), bold text and spoilers, which end
 * in the line they begin in.
 */
size_t span_styled(const char *text, size_t len);

#endif
