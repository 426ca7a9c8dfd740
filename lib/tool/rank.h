#ifndef TOOL_RANK_H
#define TOOL_RANK_H
/*
 * rank - which tools fit what somebody is looking for, best first.
 *
 * A tool scores for each different word of the query that is in its name (three
 * times as much) or description; a word counts the more, the fewer tools have
 * it. Words are compared by their stems. Among equals the order is by name.
 */

#include <stddef.h>

struct err;
struct manifest;
struct toolset;

/* Fill in at most limit tools that score; returns how many. */
int rank_tools(const struct manifest **best, size_t limit,
    const struct toolset *tools, const char *query, struct err *e);

#endif
