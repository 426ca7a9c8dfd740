#ifndef TOOL_TOOLSET_H
#define TOOL_TOOLSET_H
/*
 * toolset - all the tools there are: those of share/tools, with those of the
 * state folder's tools/ added, or put in place of one of the same name.
 *
 * Memory   Whoever loads a toolset releases it; what it hands out is borrowed.
 * Order    By name, so that what a model is shown stays the same.
 */

#include <stddef.h>

#include "tool/manifest.h"

enum { TOOLSET_MAX = 512 };

struct toolset {
	struct manifest *tools;
	size_t count;
};

/* ERR_CONFIG at the first file that is no manifest. */
int toolset_load(struct toolset *t, struct err *e);

/* As much as can be loaded; all that is wrong goes to f. */
int toolset_examine(struct toolset *t, struct faults *f, struct err *e);

const struct manifest *toolset_find(const struct toolset *t, const char *name);
void toolset_release(struct toolset *t); /* harmless on {0}, or twice */

#endif
