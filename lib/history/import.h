#ifndef HISTORY_IMPORT_H
#define HISTORY_IMPORT_H
/*
 * import - read chat archives into the message index.
 *
 * A file may be read again and again: what is there already changes nothing. It
 * commits in turns of at most 50 ms, with the place it has reached, so that a
 * killed import can be resumed and others can write in between.
 *
 * Errors   a bad object is skipped and counted; a file that breaks off, or is no
 *          archive, is ERR_INPUT with line and byte, and what came before that
 *          place is kept. Any other error ends the import.
 * Memory   bounded by the largest object (SPLIT_LONGEST) and the caches.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "history/archive.h"
#include "history/hold.h"
#include "history/split.h"
#include "store/mark.h"
#include "store/message.h"

struct store;

enum import_skip {
	SKIP_MALFORMED, /* not JSON, or no message */
	SKIP_OTHER,     /* a record of another kind */
	SKIP_LONG,
	SKIP_OLDER,   /* than the revision that is there */
	SKIP_DELETED, /* it has a tombstone */
	SKIP_KINDS
};

/* What became of one file. */
struct import_sum {
	const char *file;
	int64_t added, changed, unchanged, skipped[SKIP_KINDS];
	int64_t bytes, elapsed_ms;
	int64_t longest_ms; /* that others waited for a turn */
	bool before;        /* it was read to its end before: not read again */
	struct err first;   /* why the first one was skipped */
};

const char *import_skip_word(enum import_skip skip);
int64_t import_sum_messages(const struct import_sum *sum);

/* Called after each commit. total is 0 where it is not known. */
typedef void import_progress_fn(void *ctx, const struct import_sum *sum,
    int64_t total);

struct import {
	struct archive archive; /* set format and guild */
	bool resume;            /* begin where it stopped, skip what is done */
	import_progress_fn *progress; /* or NULL */
	void *ctx;

	/* private */
	struct store *base;
	struct messages messages;
	struct split split;
	struct hold hold;
	struct message message;
	struct mark mark;
	struct import_sum *sum;
	int64_t turn_ms;      /* when the turn began; 0 outside one */
	int64_t total;        /* bytes */
	uint64_t done;        /* byte up to which all is put */
	uint64_t first, last; /* ids of an export */
	int fd;
};

/* Returns 1 if the index must be rebuilt first, see messages_open(). */
int import_open(struct import *im, struct store *base, struct err *e);
void import_close(struct import *im); /* harmless on {0}, or twice */

/* Read a file, or with "-" stdin. *sum is filled in any case. */
int import_file(struct import *im, const char *path, struct import_sum *sum,
    struct err *e);

#endif
