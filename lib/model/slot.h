#ifndef MODEL_SLOT_H
#define MODEL_SLOT_H
/*
 * slot - how many requests to models run at once, across all programs.
 *
 * There are `count` slots; one person has at most one; and while a person's
 * request waits for a slot, none in the background gets one. All are kernel
 * locks on files in run/, so the kernel frees those of a program that died.
 *
 * Order    slot_try() until it returns 1, at intervals; slot_drop() when done
 *          or when no longer waiting.
 * Memory   {0} is no slot.
 */

#include <stdbool.h>

#include "core/lock.h"

struct slot {
	struct lock actor, place, waiting; /* private */
};

/*
 * Try to take one: 1, 0 if it is not free yet, or -1. actor may be NULL: then
 * the slot is nobody's in particular.
 */
int slot_try(struct slot *s, int count, const char *actor, bool background,
    struct err *e);

void slot_drop(struct slot *s); /* harmless on {0}, or twice */

/* Which purposes of a request no person waits for. */
bool slot_background(const char *purpose);

#endif
