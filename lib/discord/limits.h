#ifndef DISCORD_LIMITS_H
#define DISCORD_LIMITS_H
/*
 * limits - one rate limiter for all programs of an installation: Discord counts
 * by token, so they share what it allows. See limit.
 *
 * It is kept in run/limits of the state folder, under a kernel lock that is
 * held for well under a millisecond. The file has two copies of about 50 KB;
 * the older one is written, so a program that is killed inside leaves the
 * other. One that is damaged, or of another version, counts as empty. After a
 * boot its times are carried over by the wall clock.
 *
 * Order    limits_take(), any number of calls to limit_* on l->state,
 *          limits_give(). Hold it across nothing that waits.
 * Memory   {0} is none. The state is 50 KB: not for the stack.
 * Errors   ERR_CONFIG or ERR_IO if the file can't be used.
 */

#include <limits.h>
#include <stdint.h>

#include "core/err.h"
#include "core/lock.h"
#include "discord/limit.h"

struct limits {
	struct limit state;

	struct lock lock; /* private from here */
	uint64_t version;
	char path[PATH_MAX];
};

int limits_open(struct limits *l, struct err *e);

/* 1 and the state is ours, as all left it; 0 if another one has it now. */
int limits_take(struct limits *l, struct err *e);
int limits_give(struct limits *l, struct err *e); /* keep it for the others */

#endif
