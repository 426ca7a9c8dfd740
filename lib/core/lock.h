#ifndef CORE_LOCK_H
#define CORE_LOCK_H
/*
 * lock - kernel locks on files, released by death: flock(2).
 *
 * The file is made if it isn't there (0600), and its folder, too (0700); it
 * stays, empty, when the lock is dropped: to remove it would be a race. A
 * program that is executed doesn't inherit the lock.
 *
 * Waiting is a retry every 1 or 2 ms, different for each process. A
 * program that must serve a poll loop meanwhile waits 0 ms and sets a timer.
 */

#include "core/err.h"

enum lock_mode {
	LOCK_SHARED,
	LOCK_EXCLUSIVE,
};

struct lock {
	int fd; /* 0 when none is held */
};

/*
 * *l must hold none. ERR_AGAIN if another one (this process, too) held the lock
 * for wait_ms; ERR_CONFIG if the file can't be opened.
 */
int lock_take(struct lock *l, const char *path, enum lock_mode mode,
    int wait_ms, struct err *e);
void lock_drop(struct lock *l); /* harmless on {0}, or twice */

#endif
