#ifndef WORKSPACE_LEFTOVER_H
#define WORKSPACE_LEFTOVER_H
/*
 * leftover - containers whose program died before them: find and remove them.
 *
 * A program holds the lock of run/sandbox/NAME while its container NAME lives,
 * and removes the file when that is gone. A file whose lock can be had belongs
 * to the dead, so no engine has to be asked while there is none. Names are
 * never used again, so that the file may be removed.
 */

#include "core/err.h"

struct lock;

/* KEY=VALUE of all containers of this state folder; see engine_run(). */
int leftover_label(char out[64], struct err *e);

int leftover_hold(struct lock *l, const char *name, struct err *e);

/* Its container is gone. Harmless on {0}, or twice. */
void leftover_drop(struct lock *l, const char *name);

/* Remove those of dead programs; how many, or -1. */
int leftover_sweep(const char *engine, struct err *e);

/* The same by what the engine knows, if the files should be lost. */
int leftover_search(const char *engine, struct err *e);

#endif
