#ifndef CORE_LINE_H
#define CORE_LINE_H
/*
 * line - bytes in, whole lines out. No descriptor inside, so tests replay
 * recordings through it.
 *
 *	read(fd, line_room(&l, n), n), line_wrote(&l, got);
 *	while ((row = line_next(&l, &text, &len, &e)) != 0)
 *		... row > 0: one line; row < 0: e says which line is bad ...
 *
 * Errors   A line that is too long, holds a NUL byte or lacks its newline at
 *          the end of the input is ERR_INPUT, named by its number and reported
 *          once; what follows the next newline is good again.
 * Memory   {0} is an empty splitter. At most limit bytes and what was last
 *          written are kept; a line handed out is borrowed until line_room().
 * Order    Call line_next() until 0 after each line_wrote(). No byte is looked
 *          at twice, however the input is cut.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"

enum {
	LINE_CEILING = 1 << 20, /* a record; the default */
	LINE_CEILING_EVENT = 32
			     << 20, /* an event of Discord, a model request */
};

struct line {
	size_t limit;   /* bytes of one line; 0 for LINE_CEILING */
	int64_t number; /* of the line last handed out or refused; from 1 */

	struct buf bytes;  /* private from here: the line begins at from, */
	size_t from, seen; /* and there is no newline before seen */
	bool skipping;     /* this line was refused; drop the rest of it */
};

/* Where to write up to len bytes, and how many were written. */
char *line_room(struct line *l, size_t len);
void line_wrote(struct line *l, size_t len);

/* 1 and a line without its newline, NUL-terminated; 0: more bytes needed; -1 */
int line_next(struct line *l, const char **text, size_t *len, struct err *e);

/* The input has ended: 0, or -1 if its last line is cut off. */
int line_end(struct line *l, struct err *e);

void line_release(struct line *l); /* keeps limit */

#endif
