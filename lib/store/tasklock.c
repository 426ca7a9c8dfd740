#include "store/tasklock.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/err.h"
#include "core/home.h"

enum { LOOK_MS = 20 }; /* someone who only looks holds it for a moment */

static int
path_of(char out[PATH_MAX], const char *task, struct err *e)
{
	char name[64];

	snprintf(name, sizeof(name), "run/task.%s", task);
	return home_path(out, name, e);
}

int
tasklock_try(struct lock *l, const char *task, struct err *e)
{
	char path[PATH_MAX];

	if (path_of(path, task, e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, LOOK_MS, e) == 0)
		return 1;
	if (e->kind != ERR_AGAIN)
		return -1;
	*e = (struct err){0};
	return 0;
}

void
tasklock_end(struct lock *l, const char *task)
{
	char path[PATH_MAX];
	struct err e = {0};

	if (path_of(path, task, &e) == 0)
		unlink(path);
	lock_drop(l);
}
