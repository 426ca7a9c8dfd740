#ifndef WORKSPACE_ATTIC_H
#define WORKSPACE_ATTIC_H
/*
 * attic - artifacts in memory, for a run that belongs to no task: what code
 * hands over is kept, and found again, for as long as the run lasts.
 *
 * The same filename again is the next version of the same artifact.
 *
 * Limits   ATTIC_MOST versions of ATTIC_BYTES bytes together.
 * Memory   {0} is empty. Everything in it is its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/id.h"

struct artifact;
struct handover_question;

enum { ATTIC_MOST = 100, ATTIC_BYTES = 64 << 20 };

struct attic_item {
	char id[ID_LEN + 1];
	int version;
	char *filename;
	const char *type, *kind;
	struct buf bytes;
};

struct attic {
	struct attic_item items[ATTIC_MOST]; /* in order of arrival */
	size_t count, bytes;
};

/* Answer a question as struct handover wants it; ctx is the attic. */
void attic_answer(void *ctx, const struct handover_question *q, struct buf *b);

/* Is that the last version of its artifact? */
bool attic_is_last(const struct attic *a, size_t i);

/* What it is; the texts are borrowed from it. */
void attic_artifact(struct artifact *a, const struct attic_item *x);

void attic_release(struct attic *a); /* harmless on {0}, or twice */

#endif
