#ifndef WORKSPACE_ATTIC_H
#define WORKSPACE_ATTIC_H
/*
 * attic - keeps in memory what code hands over in a run that belongs to no
 * task, for as long as the run lasts. (Else see cabinet.)
 *
 * Limits   as of a call, see tool/mint.
 * Memory   {0} is empty. Everything in it is its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/id.h"
#include "tool/mint.h"

struct artifact;

struct attic_item {
	char id[ID_LEN + 1];
	int version;
	char *filename;
	const char *media, *kind;
	struct buf bytes;
};

struct attic {
	struct attic_item items[MINT_MOST]; /* in order of arrival */
	size_t count, bytes;
};

extern const struct door_keeper attic_keeper; /* its ctx is the attic */

/* Is that the last version of its artifact? */
bool attic_is_last(const struct attic *a, size_t i);

/* What it is; the texts are borrowed from it. */
void attic_artifact(struct artifact *a, const struct attic_item *x);

void attic_release(struct attic *a); /* harmless on {0}, or twice */

#endif
