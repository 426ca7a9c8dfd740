#ifndef TOOL_RUN_H
#define TOOL_RUN_H
/*
 * run - make one call by hand: start the program that serves a tool, hand it
 * the call, wait for its answer.
 *
 * The loop, which keeps its programs open, has a way of its own.
 */

#include <stddef.h>

struct buf;
struct err;
struct manifest;

/*
 * Take what the tool wrote: a progress, or the result or proposal, which is last. As a
 * record, which ends its line, and as text for a person, "" for none.
 */
typedef int run_put_fn(void *ctx, struct buf *record, const char *text,
    struct err *e);

/*
 * Check the arguments, a JSON object or nothing, and run. task is the one the
 * call belongs to, or NULL. Returns 1, or 0 for a result that isn't ok. An
 * error of the tool is returned as one; past the time limit it is ERR_AGAIN.
 *
 * By hand nothing is changed: a tool of the tier write or destructive is only
 * asked to check the call, its proposal is put, and then it is ERR_APPROVAL.
 */
int run_tool(const struct manifest *m, const char *arguments, size_t len,
    const char *task, run_put_fn *put, void *ctx, struct err *e);

#endif
