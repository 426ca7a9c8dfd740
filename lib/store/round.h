#ifndef STORE_ROUND_H
#define STORE_ROUND_H
/*
 * round - what a model said, the calls it asked for, and how they ended. Steps
 * of a runner, within its transaction.
 */

#include <stddef.h>
#include <stdint.h>

struct buf;
struct call;
struct err;
struct outcome;
struct store;

int round_add(struct store *s, const char *task, const char *turn, int64_t n,
    const char *message, struct err *e);

/* Store the calls, numbered from first, as open. */
int round_calls(struct store *s, const char *task, int64_t round, int64_t first,
    const struct call *calls, size_t n, struct err *e);

/* ERR_REFUSED if the call isn't open. */
int round_outcome(struct store *s, const char *task, const struct outcome *o,
    struct err *e);

/* Add what a call gave, if it has ended and that is kept. */
int round_output(struct store *s, const char *task, int64_t n, struct buf *b,
    struct err *e);

/* What is open still becomes skipped. */
int round_skip(struct store *s, const char *task, struct err *e);

#endif
