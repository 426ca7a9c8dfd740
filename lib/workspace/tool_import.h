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
 */

struct answer_parts;
struct err;
struct serve_talk;

/* For tool/serve. */
int tool_import(void *ctx, struct serve_talk *t, struct answer_parts *a,
    struct err *e);

#endif
