#ifndef STORE_RUNNER_INSIDE_H
#define STORE_RUNNER_INSIDE_H
/* runner_inside - what store/runner and store/runner_change share. */

struct err;
struct runner;

/* Is there a control row that wasn't seen: 1, 0 or -1. In a transaction. */
int runner_unseen(struct runner *r, struct err *e);

#endif
