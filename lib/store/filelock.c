#include "store/filelock.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/err.h"
#include "core/home.h"

static int
path_of(char out[PATH_MAX], const char *task, struct err *e)
{
	char name[64];

	snprintf(name, sizeof(name), "run/file.%.20s", task);
	return home_path(out, name, e);
}

int
filelock_try(struct lock *l, const char *task, int wait_ms, struct err *e)
{
	char path[PATH_MAX];

	if (path_of(path, task, e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, wait_ms, e) == 0)
		return 1;
	if (e->kind != ERR_AGAIN)
		return -1;
	*e = (struct err){0};
	return 0;
}

void
filelock_end(struct lock *l, const char *task)
{
	char path[PATH_MAX];
	struct err e = {0};

	if (path_of(path, task, &e) == 0)
		unlink(path);
	lock_drop(l);
}
