#ifndef CONVERSE_CARD_SHOW_H
#define CONVERSE_CARD_SHOW_H
/*
 * card_show - what a card says: the body of the message that asks for an
 * approval, and, when it is decided, tells how.
 *
 * It names each item that is on its page. What doesn't fit is shortened, and
 * all of it goes along in a file, so that nothing is approved unseen. Nobody is
 * mentioned, and no word of a stranger's works as markup or steers the text
 * around it.
 *
 * Memory   The row is borrowed for the call.
 */

#include <stdbool.h>
#include <stddef.h>

struct approval_row;
struct buf;

enum { CARD_FILE_MAX = 1 << 20 };

struct card_view {
	const struct approval_row *row;
	size_t page;               /* of its items, from 0 */
	bool sure;                 /* ask whether they are sure */
	bool ephemeral;            /* only one person sees it */
	const char *nonce, *reply; /* of a new message, or NULL */
};

/* The name of the file; what is in it, if there must be one: true. */
#define CARD_FILE "changes.txt"
bool card_file(struct buf *b, const struct card_view *v);

/* The body; with file: of a message that it goes with. */
void card_write(struct buf *b, const struct card_view *v, bool file);

#endif
