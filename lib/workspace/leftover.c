#define _GNU_SOURCE /* realpath */
#include "workspace/leftover.h"

#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/buf.h"
#include "core/crash.h"
#include "core/hash.h"
#include "core/home.h"
#include "core/lock.h"
#include "workspace/engine.h"

#define FOLDER "run/sandbox"

/* Another one's sweep may try the lock of a file that was just made. */
enum { SWEEP_MS = 2000 };

static const char prefix[] = "sophia-";

static int
path_of(char out[PATH_MAX], const char *name, struct err *e)
{
	char part[NAME_MAX + sizeof(FOLDER) + 1];
	const int n = snprintf(part, sizeof(part), FOLDER "/%s", name);

	if (n < 0 || (size_t)n >= sizeof(part))
		return err_set(e, ERR_INPUT, "the name is too long");
	return home_path(out, part, e);
}

int
leftover_label(char out[64], struct err *e)
{
	const char *home = home_state(e);
	char real[PATH_MAX];

	if (!home)
		return -1;
	snprintf(out, 64, "org.sophia.home=%016" PRIx64,
	    hash_text(HASH_START, realpath(home, real) ? real : home));
	return 0;
}

static int
hold(struct lock *l, const char *name, int wait_ms, struct err *e)
{
	char path[PATH_MAX];

	if (path_of(path, name, e) < 0)
		return -1;
	return lock_take(l, path, LOCK_EXCLUSIVE, wait_ms, e);
}

int
leftover_hold(struct lock *l, const char *name, struct err *e)
{
	int rc;

	CRASH_POINT("leftover.hold");
	rc = hold(l, name, SWEEP_MS, e);
	CRASH_POINT("leftover.hold.done");
	return rc;
}

void
leftover_drop(struct lock *l, const char *name)
{
	char path[PATH_MAX];
	struct err none = {0};

	if (l->fd && path_of(path, name, &none) == 0) {
		CRASH_POINT("leftover.drop");
		unlink(path);
		CRASH_POINT("leftover.drop.done");
	}
	lock_drop(l);
}

/* Remove one, unless its program lives: 1, 0 or -1. */
static int
take_away(const char *engine, const char *name, struct err *e)
{
	struct lock l = {0};
	struct err why = {0};
	int result = hold(&l, name, 0, &why);

	if (result < 0 && why.kind == ERR_AGAIN)
		return 0;
	if (result == 0)
		result = engine_erase(engine, name, &why);
	if (result == 0)
		leftover_drop(&l, name);
	lock_drop(&l);
	if (result < 0)
		*e = why;
	return result < 0 ? -1 : 1;
}

int
leftover_sweep(const char *engine, struct err *e)
{
	char path[PATH_MAX];
	struct dirent *d;
	int count = 0, row = 0;
	DIR *dir;

	if (home_path(path, FOLDER, e) < 0)
		return -1;
	dir = opendir(path);
	while (dir && row >= 0 && (d = readdir(dir)))
		if (strncmp(d->d_name, prefix, sizeof(prefix) - 1) == 0) {
			row = take_away(engine, d->d_name, e);
			count += row > 0;
		}
	if (dir)
		closedir(dir);
	return row < 0 ? -1 : count;
}

int
leftover_search(const char *engine, struct err *e)
{
	struct buf names = {0};
	char label[64], *at, *name, *rest;
	int count = 0, row = 0;

	if (leftover_label(label, e) < 0 ||
	    engine_list(engine, label, &names, e) < 0) {
		buf_release(&names);
		return -1;
	}
	at = buf_take(&names);
	for (name = at ? strtok_r(at, "\n", &rest) : NULL; name && row >= 0;
	     name = strtok_r(NULL, "\n", &rest)) {
		row = take_away(engine, name, e);
		count += row > 0;
	}
	free(at);
	return row < 0 ? -1 : count;
}
