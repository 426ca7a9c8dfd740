#ifndef WORKSPACE_OUTCOME_H
#define WORKSPACE_OUTCOME_H
/*
 * outcome - what comes of something that says its end by a callback, for who
 * waits for it: run, preview, cut and their kin take outcome_take() as their
 * ended(), and the outcome as its ctx.
 */

#include <stdbool.h>

#include "core/err.h"

struct poll;

struct outcome { /* {0} */
	bool over;
	struct err why; /* without a kind: it went well */
};

void outcome_take(void *ctx, const struct err *why);

/* Serve the poll until it is over: 0 if it went well, else its error. */
int outcome_wait(struct outcome *o, struct poll *p, struct err *e);

#endif
