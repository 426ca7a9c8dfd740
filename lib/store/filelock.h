#ifndef STORE_FILELOCK_H
#define STORE_FILELOCK_H
/*
 * filelock - one change at a time to the files of a task, from before they are
 * read for it until it is committed: the kernel lock on run/file.TASK. Whoever
 * only reads them needs none: a commit is seen whole. Drop it with lock_drop().
 */

#include "core/lock.h"

/*
 * 1 if it is ours now, 0 if another one had it for wait_ms, or -1. A program
 * that serves a poll loop waits 0 ms and tries again (see core/lock).
 */
int filelock_try(struct lock *l, const char *task, int wait_ms, struct err *e);

/*
 * Drop it and remove its file: only for a task that is gone from the store,
 * since whoever waited for the file then holds a lock on nothing.
 */
void filelock_end(struct lock *l, const char *task);

#endif
