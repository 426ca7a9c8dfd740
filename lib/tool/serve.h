#ifndef TOOL_SERVE_H
#define TOOL_SERVE_H
/*
 * serve - the side of a tool's program that answers: calls in, a line each;
 * for each of them one result or error out, with the call's id.
 *
 * It does one call at a time, so a cancel comes too late to mean anything and
 * is passed over: who wants to give up a call kills the program. A line that is
 * no call is answered by an error without an id.
 */

#include <stdio.h>

#include "core/buf.h"

struct call;
struct err;

/* What a result carries, each empty for none; all but two are JSON text. */
struct answer_parts {
	struct buf summary, cursor;
	struct buf data, sources, coverage, reveal;
};

/* Fill in the parts and return 0, or return -1. */
typedef int serve_fn(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);

struct serve {
	const char *capability; /* NULL ends the table */
	serve_fn *answer;
};

/* Answer until the end of in. Returns 1, or -1 if it can't go on. */
int serve_run(FILE *in, const struct serve *table, void *ctx, struct err *e);

#endif
