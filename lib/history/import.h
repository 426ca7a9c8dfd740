#ifndef HISTORY_IMPORT_H
#define HISTORY_IMPORT_H
/*
 * import - read chat archives into the message index.
 *
 * A file may be read again and again: what is there already changes nothing. It
 * commits in turns of at most 50 ms, with the place it has reached, so that a
 * killed import can be resumed and others can write in between.
 *
 * Errors   a bad object is skipped and counted; a file that breaks off, or is
 *          no archive, is ERR_INPUT with line and byte, and what came before
 *          that place is kept. Any other error ends the import.
 * Memory   bounded by the largest object (SPLIT_LONGEST) and the caches.
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/err.h"
#include "history/archive.h"
#include "history/hold.h"
#include "history/split.h"
#include "record/summary.h"
#include "store/mark.h"
#include "store/message.h"

struct store;

/* Called after each commit. total is 0 where it is not known. */
typedef void import_progress_fn(void *ctx, const struct summary *sum,
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
	struct summary *sum;
	int64_t turn_ms;      /* when the turn began; 0 outside one */
	int64_t total;        /* bytes */
	int64_t turns;        /* since it was opened */
	uint64_t done;        /* byte up to which all is put */
	uint64_t first, last; /* ids of an export */
	int fd;
	char generation[32]; /* of the index when the file was begun */
};

/* Returns 1 if the index must be rebuilt first, see messages_open(). */
int import_open(struct import *im, struct store *base, struct err *e);
void import_close(struct import *im); /* harmless on {0}, or twice */

/* Read a file, or with "-" stdin. *sum is filled in any case. */
int import_file(struct import *im, const char *path, struct summary *sum,
    struct err *e);

#endif
