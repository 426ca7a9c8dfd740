#ifndef TOOL_SIFT_H
#define TOOL_SIFT_H
/*
 * sift - run a jq filter that a model wrote.
 *
 * libjq can't be interrupted, and can read files (import) and the environment
 * ($ENV). So it runs in a child that has no environment, can open nothing, and
 * has limits of time, memory and output: sophia-tool --sift, which reads
 * {"filter","input"} and writes each result as a line, or fails and writes why
 * as one JSON text.
 */

#include <stddef.h>

struct buf;
struct err;
struct json;

enum { SIFT_OUTPUT_MAX = 256 << 10 }; /* bytes of all results together */

/*
 * Add the results to out, as items of a JSON array; returns how many. ERR_INPUT
 * if the filter is wrong, or fails on this input; ERR_REFUSED past a limit.
 */
int sift(struct buf *out, const char *filter, const struct json *input,
    struct err *e);

/* The child's whole work. It ends the process: 0, or the number of an error. */
_Noreturn void sift_child(void);

#endif
