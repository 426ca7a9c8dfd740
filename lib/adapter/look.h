#ifndef ADAPTER_LOOK_H
#define ADAPTER_LOOK_H
/*
 * look - have the tool verify_action see whether a change has happened, for the
 * owner of its task, without waiting for it. What it finds it settles itself;
 * nothing is done again.
 *
 * Order    look_start(), then poll until over() is called, once. Then text says
 *          what was found, in a line; or error is set, and says why not.
 * Memory   {0} with over and ctx set. It must not move while it runs.
 *          look_release() ends one that still does; over() may call it.
 * Errors   of the tool, as it says them; ERR_AGAIN past its time limit.
 */

#include "core/buf.h"
#include "core/child.h"
#include "core/err.h"
#include "core/poll.h"

struct context;

struct look {
	void (*over)(void *ctx);
	void *ctx;

	struct buf text; /* to be read */
	struct err error;

	struct child child; /* private from here */
	struct poll_timer late;
};

/* call is TASK.N; who asks, and where. */
int look_start(struct look *l, struct poll *p, const char *call,
    const struct context *who, struct err *e);

void look_release(struct look *l); /* harmless on {0}, or twice */

#endif
