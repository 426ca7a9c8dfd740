#ifndef STORE_TASKLOCK_H
#define STORE_TASKLOCK_H
/* tasklock - one runner per task: the kernel lock on run/task.ID. */

#include "core/lock.h"

/* 1 if it is ours now, 0 if another process runs the task, or -1. */
int tasklock_try(struct lock *l, const char *task, struct err *e);

#endif
