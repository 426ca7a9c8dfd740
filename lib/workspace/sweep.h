#ifndef WORKSPACE_SWEEP_H
#define WORKSPACE_SWEEP_H
/*
 * sweep - remove what programs left that died: containers, and contents that
 * nothing refers to (store/content).
 *
 * No container is looked for where running code is switched off, and no content
 * where there is no task.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;

struct sweep {
	int containers;
	int64_t contents; /* files of blob/ */
	bool off;         /* running code is switched off */
};

/* ERR_AGAIN if a content is being written: to repeat it finishes the work. */
int sweep_all(struct sweep *found, struct err *e);

#endif
