#ifndef CLI_SHOW_H
#define CLI_SHOW_H
/*
 * show - an answer as it comes, for a person at a terminal.
 *
 * What is being done stands in one line of stderr, replaced each time and gone
 * before the answer. Pieces of the answer go to stdout as they come, but only
 * to a terminal: a pipe gets the whole answer, once.
 *
 * Memory   {0} with its first two members set; release it.
 */

#include <stdbool.h>

#include "core/buf.h"

struct show {
	bool quiet; /* no status */
	bool tty;   /* stdout is a terminal */

	struct buf said; /* private: the pieces on the terminal */
	bool status;
};

void show_status(struct show *s, const char *text);
void show_piece(struct show *s, const char *text);
void show_restart(struct show *s); /* what came so far was no answer */

/* The whole answer: what of it is not on the terminal yet. */
void show_answer(struct show *s, const char *text);

/* Take the status away; nothing more comes. */
void show_end(struct show *s);

#endif
