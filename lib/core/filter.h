#ifndef CORE_FILTER_H
#define CORE_FILTER_H
/* filter - the loop of a command that reads records, one a line. */

#include <stdio.h>

struct err;

enum { FILTER_LINE_MAX = 1 << 20 }; /* bytes of a record; see sophia-records */

/*
 * Handle one line (no newline, NUL at line[len]). Returns answers given or -1.
 */
typedef int filter_fn(void *ctx, const char *line, size_t len, struct err *e);

/*
 * Call each() on every line of in; returns the sum of its answers, or -1.
 *
 * A line refused with ERR_INPUT is complained of and skipped, because one bad
 * record must not stop a pipeline; the run still ends in that error. So is one
 * longer than line_max bytes, of which no more than that is ever held. Any
 * other error ends the run at once. stdout is flushed after each line, because
 * the next command in the pipe may be waiting for it.
 */
int filter_run(FILE *in, size_t line_max, filter_fn *each, void *ctx,
    struct err *e);

#endif
