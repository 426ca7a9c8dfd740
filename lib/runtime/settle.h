#ifndef RUNTIME_SETTLE_H
#define RUNTIME_SETTLE_H
/*
 * settle - a change of which it isn't known whether it happened: how the
 * operator of this machine finds out, or says what they saw. Neither does
 * anything again, nor goes on with the task.
 *
 * Errors   ERR_INPUT there is no such change; ERR_REFUSED its outcome is known,
 *          or was settled before.
 */

#include <stdbool.h>

#include "tool/run.h"

/* Have the tool look by which a model would; see run_tool(). */
int settle_verify(const char *call, run_put_fn *put, void *ctx, struct err *e);

/* Put on record what a person has seen, in their words. */
int settle_attest(const char *call, bool happened, const char *text,
    struct err *e);

#endif
