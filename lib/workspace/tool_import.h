#ifndef WORKSPACE_TOOL_IMPORT_H
#define WORKSPACE_TOOL_IMPORT_H
/*
 * tool_import - sandbox_import: an attachment in Discord becomes a file of the
 * task. See attached for which ones may be read, original for how it is fetched.
 *
 * The file keeps from which message, in which revision, it came; the message
 * itself goes into the sources of the result, so it becomes evidence of the
 * task: what is published is held against its channel, and its deletion takes
 * the file away. What came with a command has no message of its own: it was
 * given to this task by whoever asks.
 *
 * Memory   {0} is closed; tool_import_close().
 */

#include <stdbool.h>

#include "core/poll.h"

struct answer_parts;
struct call;
struct err;
struct rest;

struct tool_import {
	struct poll poll;  /* what is watched here goes on meanwhile, */
	bool stop;         /* and may set this: the call is given up */
	struct rest *rest; /* private */
};

/* ctx is a struct tool_import; for tool/serve. */
int tool_import(void *ctx, const struct call *call, struct answer_parts *a,
    struct err *e);
void tool_import_close(struct tool_import *t);

#endif
