#ifndef TOOL_SAVED_H
#define TOOL_SAVED_H
/*
 * saved - what an earlier call of the same task gave.
 *
 * The id of another task's call is like one that doesn't exist: the context,
 * which comes from the parent and not from a model, says which task it is.
 *
 * A source that may not be shown any more (access/recheck) is a named gap, and
 * so is what was made of it (record/gap).
 */

struct context;
struct err;
struct json;

/* The whole result or error record; free it. ERR_AGAIN as recheck has it. */
int saved_result(struct json **root, const char *call,
    const struct context *who, struct err *e);

#endif
