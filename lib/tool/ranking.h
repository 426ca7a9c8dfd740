#ifndef TOOL_RANKING_H
#define TOOL_RANKING_H
/*
 * ranking - which tools fit what somebody is looking for, best first.
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
int ranking_tools(const struct manifest **best, size_t limit,
    const struct toolset *tools, const char *query, struct err *e);

#endif
