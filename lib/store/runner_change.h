#ifndef STORE_RUNNER_CHANGE_H
#define STORE_RUNNER_CHANGE_H
/*
 * runner_change - the durable steps of one change, each a commit of the runner
 * of its task. No transaction may be open.
 *
 *	runner_intend()  nobody has said anything new + the intent
 *	runner_stale()   once more, now that it is on the disk
 *	runner_part()    the next request of several is about to be sent; or
 *	                 how the last one ended
 *	runner_settle()  its outcome, and that of its call
 *	runner_withdraw()  it was not sent, and won't be
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/receipt.h"

struct err;
struct outcome;
struct part;
struct runner;

/*
 * 1: the intent is stored. 0: a control row is unseen, so the model's wish is
 * stale; the receipt is stored as skipped, and must not be sent.
 */
int runner_intend(struct runner *r, struct receipt *x, struct err *e);

/* Is there a control row that wasn't seen yet: 1, 0 or -1. */
int runner_stale(struct runner *r, struct err *e);

/* 1: stored. 0: it would begin, but a control row is unseen: don't send it. */
int runner_part(struct runner *r, int64_t call, const struct part *part,
    struct err *e);

/* The outcome of the call o->n, whose output goes into the receipt as well. */
int runner_settle(struct runner *r, const struct outcome *o,
    enum receipt_state state, struct err *e);

/* Why it won't be sent, as JSON; the call itself is still open. */
int runner_withdraw(struct runner *r, int64_t call, const char *why,
    struct err *e);

#endif
