#ifndef CORE_WRITER_H
#define CORE_WRITER_H
/*
 * writer - lines that wait until a pipe takes them, in a poll loop.
 *
 * Memory   {0} is a writer to nothing. At most limit bytes wait; it owns the
 *          descriptor, which must be nonblocking (a socket needn't), and
 *          closes it.
 * Errors   A reader that went away is noticed at once, what waits is dropped,
 *          and no SIGPIPE comes of it, whatever the program does with that
 *          signal: it is held back around each write and taken away after it.
 *          So stdout keeps the default, and a child inherits it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"

enum { WRITER_CEILING = 4 << 20 };

struct writer {
	size_t limit; /* bytes that may wait; 0 for WRITER_CEILING */

	struct poll_fd watch; /* private from here; fd 0 when closed */
	struct buf queue;     /* the first sent bytes of it are written */
	size_t sent;
	bool ending, socket;
};

void writer_start(struct writer *w, struct poll *p, int fd);

/*
 * Queue the text and a newline. ERR_AGAIN if what waits leaves no room for it,
 * ERR_INPUT if it would never fit, ERR_REFUSED if nobody reads any more.
 */
int writer_line(struct writer *w, const char *text, size_t len, struct err *e);

size_t writer_waiting(const struct writer *w); /* bytes */
bool writer_gone(const struct writer *w);      /* nobody reads any more */

void writer_end(struct writer *w);  /* close when all is written */
void writer_stop(struct writer *w); /* close now; harmless on {0} */

#endif
