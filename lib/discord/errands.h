#ifndef DISCORD_ERRANDS_H
#define DISCORD_ERRANDS_H
/*
 * errands - requests to Discord that come as records, and their answers.
 *
 * A discord_request record is read from each line, and one discord_answer is
 * told for it, with its id, as soon as there is one: not in the order of the
 * requests. A line that is none is answered by an error record. On SIGINT or
 * SIGTERM nothing more is taken or sent; what is under way is told of as it
 * ends, or as not known after ERRANDS_GRACE_MS.
 *
 * Order    errands_open(), one of the two that answer, errands_close().
 * Memory   {0} with the first members set; it must not move while it is open.
 *          At most ERRANDS_MAX wait here: the rest stays in the pipe.
 * Errors   What fails is told in records. The last verdict that is bad is
 *          returned as well; a told() that fails ends everything.
 */

#include <stdbool.h>
#include <stddef.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/poll.h"
#include "core/reader.h"
#include "core/signals.h"

struct discord_request;
struct errand;
struct rest;

enum { ERRANDS_MAX = 256, ERRANDS_GRACE_MS = 5000 };

struct errands {
	int (*told)(void *ctx, struct buf *records, struct err *e);
	void *ctx;

	struct poll poll; /* private from here */
	struct reader reader;
	struct signals signals;
	struct poll_timer grace;
	struct rest *rest;
	struct errand *list;
	size_t count;
	bool held, ended;
	int answers;
	struct err failed, broken; /* the last verdict; told() */
};

int errands_open(struct errands *x, struct err *e);

/* Answer what comes from the descriptor; returns how many were 2xx. */
int errands_answer(struct errands *x, int fd, struct err *e);

/* The same of one request. */
int errands_ask(struct errands *x, const struct discord_request *r,
    struct err *e);

void errands_close(struct errands *x); /* harmless on {0}, or twice */

#endif
