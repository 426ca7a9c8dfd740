#ifndef RUNTIME_COUNTER_H
#define RUNTIME_COUNTER_H
/*
 * counter - where requests to models wait in line for their desk.
 *
 * It reads request and cancel records, or takes one request, and answers them
 * one at a time, in their order. A cancel reaches the request that runs and
 * those that wait: each ends with an error record, code `cancelled`, as all do
 * on SIGINT or SIGTERM, after which nothing more is taken.
 *
 * Order    counter_open(), one of the two that answer, counter_close().
 * Memory   {0} with the first members set; it must not move while it is open.
 * Errors   What fails is told in records. Unless it serves, the last verdict is
 *          returned as well; a told() that fails ends everything.
 * Limits   At most COUNTER_MAX requests wait; one more is refused, again.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"
#include "core/poll.h"
#include "core/reader.h"
#include "core/signals.h"
#include "runtime/desk.h"

struct buf;

enum { COUNTER_MAX = 64 };

struct counter {
	const char *profile; /* in place of the requests'; or NULL */
	bool serve;          /* take request after request, not just one */
	int (*told)(void *ctx, struct buf *records, struct err *e);
	void *ctx;

	struct poll poll; /* private from here */
	struct reader reader;
	struct signals signals;
	struct desk desk;
	char *waiting[COUNTER_MAX];
	size_t count;
	bool ended; /* nothing more is taken */
	int answers;
	struct err failed, broken; /* the last verdict; told() */
};

int counter_open(struct counter *c, struct err *e);

/* Answer what comes from the descriptor; returns how many answers there were. */
int counter_answer(struct counter *c, int fd, struct err *e);

/* Answer a person's words, as one request to c->profile; returns 1. */
int counter_ask(struct counter *c, const char *words, struct err *e);

void counter_close(struct counter *c); /* harmless on {0}, or twice */

#endif
