#ifndef CORE_SIGNALS_H
#define CORE_SIGNALS_H
/*
 * signals - being asked to stop, as one more thing that a poll loop waits for:
 * SIGINT, SIGTERM and SIGHUP, unless they are ignored (nohup, `&`).
 *
 * They interrupt nothing and no handler runs; got() is called from poll_step()
 * like any callback. Children start with the defaults all the same.
 *
 * Memory   {0} listens to nothing. It must not move while it listens.
 */

#include <signal.h>

#include "core/err.h"
#include "core/poll.h"

struct signals {
	void (*got)(void *ctx, int sig); /* may call signals_stop() */
	void *ctx;

	struct poll_fd watch; /* private from here */
	sigset_t before;
};

int signals_start(struct signals *s, struct poll *p, struct err *e);

/* From now on such a signal ends the program. Harmless on {0}, or twice. */
void signals_stop(struct signals *s);

#endif
