#ifndef TOOL_HEARING_H
#define TOOL_HEARING_H
/*
 * hearing - the lines that a parent writes to a program that serves it, in the
 * order they came, also while it is busy: a call that waits in the poll loop
 * hears what is said meanwhile.
 *
 * Memory   {0} hears nothing. It must not move while it is open. A line is the
 *          caller's, to be freed.
 * Limits   a line of FILTER_LINE_MAX bytes; HEARING_MOST lines wait, and the
 *          rest stays in the pipe.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/poll.h"
#include "core/reader.h"

enum { HEARING_MOST = 64 };

struct hearing_line;

struct hearing {
	struct poll poll; /* to wait in; others may join */
	/* A line came while another one is being answered: true if that was
	 * all it had to say; else it waits. Or NULL. */
	bool (*told)(void *ctx, const char *text, size_t len);
	void *ctx;

	struct reader reader; /* private from here */
	struct hearing_line *first, **end;
	size_t count;
	bool over, held;
	struct err failed;
};

void hearing_open(struct hearing *h, int fd);
void hearing_close(struct hearing *h); /* harmless on {0}, or twice */

/*
 * Wait for the next line: 1 and *text, which is the caller's; 0 at the end of
 * the input; -1 for a bad line (ERR_INPUT), after which the next may be good,
 * or if nothing can be read any more.
 */
int hearing_next(struct hearing *h, char **text, size_t *len, struct err *e);

/* Offer what waits to told(), as if it came now. */
void hearing_offer(struct hearing *h);

#endif
