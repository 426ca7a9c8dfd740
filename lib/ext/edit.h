#ifndef EXT_EDIT_H
#define EXT_EDIT_H
/*
 * edit - a line typed at a terminal, with editing and history: libedit.
 *
 * Memory   A line is borrowed until the next call on the same edit.
 * Keys     Those of emacs, and what ~/.editrc says. ^C takes back the line.
 * History  Kept in a file of mode 0600, its last EDIT_HISTORY lines.
 */

struct edit;
struct err;

enum { EDIT_HISTORY = 500 };

/* The history file may be missing; NULL keeps none. */
int edit_open(struct edit **ed, const char *program, const char *prompt,
    const char *history, struct err *e);
void edit_close(struct edit *ed); /* saves the history; NULL is allowed */

/* 1 and a line without its newline; 0 at the end of input (^D). */
int edit_line(struct edit *ed, const char **line);

#endif
