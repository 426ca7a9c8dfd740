#ifndef CORE_READER_H
#define CORE_READER_H
/*
 * reader - the lines that come through a descriptor, in a poll loop.
 *
 * The descriptor may be blocking, as our own stdin is: it is read only when
 * there is something. It stays the caller's to close.
 *
 * Memory   {0} is a reader of nothing. The text is borrowed for the call of
 *          line(), inside which neither poll_step() nor reader_stop() belongs.
 * Errors   line() is given each bad line as well (text NULL, bad says why), and
 *          goes on with the next. ended() is told once of the end of the input
 *          or, with why set (ERR_IO), of a failing descriptor; it may be NULL.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/line.h"
#include "core/poll.h"

struct reader {
	size_t limit; /* bytes of a line; 0 for LINE_CEILING */
	void (*line)(void *ctx, const char *text, size_t len,
	    const struct err *bad);
	void (*ended)(void *ctx, const struct err *why);
	void *ctx;

	struct line lines; /* private from here */
	struct poll *poll;
	struct poll_fd watch;
	bool speaking; /* inside line() */
};

void reader_start(struct reader *r, struct poll *p, int fd);

/* Leave what comes in the pipe, or go on; not after the end. */
void reader_hold(struct reader *r, bool hold);

/* Read what is in the pipe now, and count it as all: its writer is dead. */
void reader_drain(struct reader *r);

void reader_stop(struct reader *r); /* harmless on {0}, or twice */

#endif
