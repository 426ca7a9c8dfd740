#include "store/tasklock.h"

#include <limits.h>
#include <stdio.h>

#include "core/err.h"
#include "core/home.h"

enum { LOOK_MS = 20 }; /* someone who only looks holds it for a moment */

int
tasklock_try(struct lock *l, const char *task, struct err *e)
{
	char name[64], path[PATH_MAX];

	snprintf(name, sizeof(name), "run/task.%s", task);
	if (home_path(path, name, e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, LOOK_MS, e) == 0)
		return 1;
	if (e->kind != ERR_AGAIN)
		return -1;
	*e = (struct err){0};
	return 0;
}
