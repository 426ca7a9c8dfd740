#ifndef TOOL_RUN_H
#define TOOL_RUN_H
/*
 * run - make one call by hand: start the program that serves a tool, hand it
 * the call, wait for its answer.
 *
 * The loop, which keeps its programs open, has a way of its own.
 */

struct buf;
struct err;
struct json;
struct manifest;

/* Take a line that the tool wrote: a progress, or the result, which is last. */
typedef int run_put_fn(void *ctx, const struct json *record, struct err *e);

/*
 * Check the arguments and run. task is the one the call belongs to, or NULL.
 * Returns 1, or 0 for a result that isn't ok. An error of the tool is returned
 * as one; past the time limit it is ERR_AGAIN, or ERR_UNKNOWN for a tool that
 * may have changed something by then.
 */
int run_tool(const struct manifest *m, const struct json *arguments,
    const char *task, run_put_fn *put, void *ctx, struct err *e);

#endif
