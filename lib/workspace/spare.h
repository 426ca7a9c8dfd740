#ifndef WORKSPACE_SPARE_H
#define WORKSPACE_SPARE_H
/*
 * spare - a container that was started beforehand, so that a run need not wait
 * for it: one, never used before, and after its use the next one is started.
 *
 * Its keeper is a program (`sophia-sandbox spare`, which `sophia up` starts if
 * sandbox.spare is on). It listens on a socket run/spare/KIND, where KIND stands
 * for engine, image and limits, so that whoever connects there gets one just
 * like the one it would have started. The keeper hands over the pipes of its
 * engine's client (core/passing), goes on waiting for that client, and sees to
 * the container's removal: also if the other program dies, since then the
 * connection is closed, and the container is ended.
 *
 * Without a keeper, or if its spare isn't ready, a run starts its own.
 *
 * Memory   {0} with poll, said and ctx set is a keeper; it must not move.
 * Errors   said() gets what kept a spare from starting; that is tried again,
 *          later each time. ERR_AGAIN of spare_keep() if another one keeps it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"
#include "core/lock.h"
#include "core/poll.h"
#include "workspace/container.h"

enum {
	SPARE_FIRST_MS = 1000, /* until a failed start is tried again */
	SPARE_LONGEST_MS = 60 * 1000,
	SPARE_START_MS = 60 * 1000, /* until it must be ready */
	SPARE_WAIT_MS = 200,        /* for the keeper's answer */
};

struct spare {
	struct poll *poll;
	void (*said)(void *ctx, const struct err *why);
	void (*idle)(void *ctx); /* after spare_stop(): nothing is left */
	void *ctx;

	char engine[16], image[128]; /* private from here */
	struct container_limits limits;
	struct lock alone;
	struct poll_fd listener;
	struct poll_timer timer; /* to start the next, or it starts too long */
	int64_t wait_ms;
	struct spare_one *next, *lent;
	bool stopping;
};

/* Keep one of those. May be called again for another kind. */
int spare_keep(struct spare *s, const char *engine, const char *image,
    const struct container_limits *limits, struct err *e);

/* End what is not in use, and call idle() when the rest has ended, too. */
void spare_stop(struct spare *s);

void spare_release(struct spare *s); /* kills all; harmless on {0}, or twice */

/*
 * In place of container_start(): 0 if there was a spare one and c is it, else
 * -1. Then it is ready, and began() isn't called.
 */
int spare_take(struct container *c, const char *engine, const char *image,
    const struct container_limits *limits);

#endif
