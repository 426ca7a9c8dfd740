#include "converse/hold.h"

#include <limits.h>

#include "core/err.h"
#include "core/home.h"
#include "core/lock.h"

/* A child that a killed one was just starting holds the lock until it execs. */
enum { MOMENT_MS = 1000 };

int
hold_take(struct lock *l, struct err *e)
{
	char path[PATH_MAX];

	if (home_path(path, "run/converse", e) < 0)
		return -1;
	if (lock_take(l, path, LOCK_EXCLUSIVE, MOMENT_MS, e) == 0)
		return 0;
	return e->kind == ERR_AGAIN
		   ? err_set(e, ERR_AGAIN,
			 "another sophia-converse is at work for this state "
			 "folder")
		   : -1;
}
