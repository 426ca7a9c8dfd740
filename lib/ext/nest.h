#ifndef EXT_NEST_H
#define EXT_NEST_H
/*
 * nest - the descriptors of a poll as one descriptor, for a library that waits
 * by itself: it is readable when one of them is ready.
 *
 * Memory   {0} is none; nest_release() closes it.
 * Errors   ERR_INTERNAL if the kernel has no room for it.
 */

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

struct err;

struct nest {
	int fd;

	struct pollfd *in; /* private: what it holds */
	size_t count;
};

int nest_open(struct nest *n, struct err *e);

/*
 * Hold these from now on. *always is set if one is ready at any time, as a
 * regular file is, which no such descriptor can hold.
 */
int nest_hold(struct nest *n, const struct pollfd *fds, size_t count,
    bool *always, struct err *e);

void nest_release(struct nest *n); /* harmless on {0}, or twice */

#endif
