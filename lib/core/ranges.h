#ifndef CORE_RANGES_H
#define CORE_RANGES_H
/*
 * ranges - many kernel locks in one file, one for each number: open file
 * description locks, fcntl(2). For locks of which there may be thousands, where
 * lock would leave a file behind for each.
 *
 * Released by death, or by ranges_close(). One and the same struct may take a
 * number twice; another one, of this process too, may not.
 *
 * Memory   {0} is a closed one. The file is made if it isn't there (0600).
 */

#include <stdint.h>

#include "core/err.h"

struct ranges {
	int fd; /* 0 when closed */
};

int ranges_open(struct ranges *r, const char *path, struct err *e);
void ranges_close(struct ranges *r); /* harmless on {0}, or twice */

/* 1, or 0 if somebody else has it; never waits. */
int ranges_take(struct ranges *r, uint64_t number, struct err *e);
void ranges_drop(struct ranges *r, uint64_t number);

#endif
