#ifndef EXT_JQ_H
#define EXT_JQ_H
/*
 * jq - run a jq filter over JSON texts. The only place that knows libjq.
 *
 * Memory   Whoever opens a jq closes it. Results are added to the caller's
 *          buffer, whose limit bounds the output.
 * Time     libjq can't be interrupted: a filter that runs for ever does. Bound
 *          it from outside (RLIMIT_CPU, or a parent that kills).
 * Errors   ERR_INPUT for a filter that doesn't compile, a text that isn't JSON,
 *          a filter that fails on it; ERR_REFUSED when the output is too big.
 */

#include <stddef.h>

struct buf;
struct err;
struct jq;

int jq_open(struct jq **jq, const char *filter, struct err *e);
void jq_close(struct jq *jq); /* NULL is allowed */

/* Add each result as a line to out. Returns how many there were. */
int jq_run(struct jq *jq, const char *text, size_t len, struct buf *out,
    struct err *e);

#endif
