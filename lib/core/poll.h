#ifndef CORE_POLL_H
#define CORE_POLL_H
/*
 * poll - the one place where a program waits: descriptors and timers.
 *
 * Memory   {0} is a poll without members. A poll_fd or poll_timer lives in the
 *          struct of whoever watches, which must not move or go while it is a
 *          member; {0} is none, and removing one that is no member is harmless.
 * Order    Each step calls the descriptors that are ready, then the timers that
 *          are due, the earliest first: a result that came in time wins over
 *          its deadline. A callback may add and remove any member, itself too;
 *          one it adds is not called in this step.
 * Units    Deadlines are milliseconds of clock_boot_ms(); POLL_NEVER is none.
 * Errors   ERR_INTERNAL only: too many descriptors, or nothing to wait for.
 *
 * A library with a poll of its own (curl_multi_poll) waits for us, too: give it
 * the descriptors and the wait of poll_want(), then call poll_dispatch(), which
 * asks the kernel again, so the library need not say what became ready.
 */

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

#define POLL_NEVER INT64_MAX

struct poll_fd {
	int fd;
	short events; /* POLLIN, POLLOUT, 0; may be changed while a member */
	void (*ready)(void *ctx, short revents);
	void *ctx;

	struct poll_fd *next, **at; /* private from here */
	short got;
};

struct poll_timer {
	void (*fire)(void *ctx); /* once; set it again for another time */
	void *ctx;

	int64_t at_ms; /* private from here */
	struct poll_timer *next, **at;
	bool due;
};

struct poll {
	struct poll_fd *fds; /* private */
	struct poll_timer *timers;
	struct pollfd *array;
	size_t count;
};

void poll_add(struct poll *p, struct poll_fd *w);
void poll_remove(struct poll_fd *w);
void poll_set_timer(struct poll *p, struct poll_timer *t, int64_t at_ms);
void poll_stop_timer(struct poll_timer *t);

/* Wait until something is ready or due, or until until_ms; serve it. */
int poll_step(struct poll *p, int64_t until_ms, struct err *e);

/* Step until a callback sets *done: 1; or 0 at until_ms. */
int poll_run(struct poll *p, const bool *done, int64_t until_ms, struct err *e);

/* What to wait for, borrowed until the next call; *wait_ms is -1 for ever. */
const struct pollfd *poll_want(struct poll *p, size_t *count, int *wait_ms);
int poll_dispatch(struct poll *p, struct err *e);

void poll_release(struct poll *p); /* members are let go, not closed */

#endif
