#ifndef RECORD_SUMMARY_H
#define RECORD_SUMMARY_H
/*
 * summary - what became of one file that was imported; sophia-records(5).
 *
 * Memory   the file's name is borrowed.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/err.h"

struct buf;

enum summary_skip {
	SKIP_MALFORMED, /* not JSON, or no message */
	SKIP_OTHER,     /* a record of another kind */
	SKIP_LONG,
	SKIP_OLDER,   /* than the revision that is there */
	SKIP_DELETED, /* it has a tombstone */
	SKIP_KINDS
};

struct summary {
	const char *file;
	int64_t added, changed, unchanged, skipped[SKIP_KINDS];
	int64_t bytes, elapsed_ms;
	int64_t longest_ms; /* that others waited for a turn to write */
	bool before;        /* it was read to its end before: not read again */
	struct err first;   /* why the first one was skipped */
};

/* "malformed", "older revision", ... */
const char *summary_skip_word(enum summary_skip skip);

/* How many messages it held, whatever became of them. */
int64_t summary_messages(const struct summary *s);

/* Append it as one line. */
void summary_write(struct buf *to, const struct summary *s);

#endif
