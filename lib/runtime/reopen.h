#ifndef RUNTIME_REOPEN_H
#define RUNTIME_REOPEN_H
/*
 * reopen - what a task that goes on, or works on, may still show.
 *
 * For whom  A task that is private stays so, whatever the turn says.
 * What      Sources that its answers may rest on no more (access/recheck) are
 *           left out for good, and what was made of them (store/retract): they
 *           are named gaps from then on. While it isn't known who may read
 *           what, it waits REOPEN_WAIT_MS for the index to hear of it.
 * Errors    ERR_AGAIN if it still isn't known.
 */

#include <stdint.h>

struct context;
struct err;
struct runner;
struct turn;

enum { REOPEN_WAIT_MS = 3000 };

/*
 * The same while a turn runs, before a model is shown something, and without
 * waiting: 1 if something was left out, and *from is the first round that
 * rested on it; 0; or -1.
 */
int reopen_lost(struct runner *r, const struct context *c, int64_t *from,
    struct err *e);

/* Before anything of the task is shown; t->visibility may change. */
int reopen_task(struct runner *r, struct turn *t, struct err *e);

#endif
