#ifndef STORE_TASKLOCK_H
#define STORE_TASKLOCK_H
/* tasklock - one runner per task: the kernel lock on run/task.ID. */

#include "core/lock.h"

/* 1 if it is ours now, 0 if another process runs the task, or -1. */
int tasklock_try(struct lock *l, const char *task, struct err *e);

/*
 * Drop it and remove its file: only for a task that is gone from the store,
 * since whoever waited for the file then holds a lock on nothing.
 */
void tasklock_end(struct lock *l, const char *task);

#endif
