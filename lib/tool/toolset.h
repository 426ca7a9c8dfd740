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

/*
 * Add all that is wrong to f: with the files, or if there are none with every
 * tool, and with the programs that serve them. Returns how many can be used.
 */
int toolset_check(struct faults *f, const char *const *files, int count,
    struct err *e);

const struct manifest *toolset_find(const struct toolset *t, const char *name);
void toolset_release(struct toolset *t); /* harmless on {0}, or twice */

#endif
