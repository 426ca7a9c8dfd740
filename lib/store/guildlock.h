#ifndef STORE_GUILDLOCK_H
#define STORE_GUILDLOCK_H
/*
 * guildlock - one change at a time in a server, across all tasks and
 * programs: the kernel lock on run/guild.ID. Drop it with lock_drop().
 */

#include "core/lock.h"

/* 1 if it is ours now, 0 if another one makes a change there, or -1. */
int guildlock_try(struct lock *l, const char *guild, struct err *e);

#endif
