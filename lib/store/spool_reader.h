#ifndef STORE_SPOOL_READER_H
#define STORE_SPOOL_READER_H
/*
 * spool_reader - the events of a shard, one after the other, as they come.
 *
 *	spool_reader_open(&r, shard, "index", position in our database, &e);
 *	poll_add() r.wake; when it is ready, and once at the start:
 *	while ((got = spool_reader_next(&r, &e)) > 0)
 *		begin; handle r.event, or r.gap if got == SPOOL_GAP;
 *		set our position to r.position; commit;
 *		spool_reader_passed(&r, r.position, &e);
 *
 * Position The database of whoever reads is the truth, in one transaction with
 *          the effects of the event; passed() only tells the writer what it may
 *          let go. Several events may share a transaction.
 * Synced   Only what the writer has synced is seen, so no power loss takes back
 *          an event whose effects are committed.
 * Gap      SPOOL_GAP: the events from gap_from to gap_to are gone (spool.max,
 *          or a lost file). If the spool is another one than the position is of
 *          (somebody removed it), its numbers begin anew: gap_to is below
 *          gap_from, nobody knows what was lost, and the position goes back.
 *          Either way, commit r.position.
 * Twice    An event comes again if its effects were not committed, and Discord
 *          itself may send one twice: effects must bear it.
 * Memory   At most one event of 32 MiB and a piece of the file. r.event is
 *          borrowed until the next call. {0} is a closed reader; it must not
 *          move while it is open.
 * Errors   ERR_CONFIG for a damaged event; the text says how to go on without.
 *          ERR_AGAIN if another process reads by that name, or the folder was
 *          taken away.
 */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/line.h"
#include "core/lock.h"
#include "record/event.h"
#include "store/spool_files.h"

struct err;

enum { SPOOL_NOTED = -1 };

enum spool_item { SPOOL_NONE = 0, SPOOL_EVENT, SPOOL_GAP };

struct spool_reader {
	struct event event; /* to be read, after SPOOL_EVENT */
	int64_t gap_from;   /* after SPOOL_GAP */
	int64_t gap_to;
	int64_t position; /* after either: where to go on after it */
	int wake;         /* readable when there may be more: for core/poll */

	char dir[PATH_MAX];   /* private from here */
	struct lock own;      /* of the file with our note */
	int note, synced, fd; /* that file, the writer's note, the segment */
	struct spool_note seen, told; /* what the writer said, and we did */
	int64_t segment;              /* the one that fd is of, or was of */
	int64_t at;                   /* bytes of it that were read */
	struct line lines;
	bool gap; /* is to be handed out next */
};

/*
 * Read what comes after an event; 0 begins with the oldest there is, and
 * SPOOL_NOTED after what was last passed, for a reader without a database. By a
 * name (a-z 0-9 -) the writer keeps what we have not passed; with NULL it
 * doesn't know of us. The folder is made if it isn't there.
 */
int spool_reader_open(struct spool_reader *r, int shard, const char *name,
    int64_t after, struct err *e);
void spool_reader_close(struct spool_reader *r); /* harmless on {0} */

/* SPOOL_EVENT, SPOOL_GAP, SPOOL_NONE until wake says so, or -1. */
int spool_reader_next(struct spool_reader *r, struct err *e);

/* Everything up to this event is committed, in our own database. */
int spool_reader_passed(struct spool_reader *r, int64_t number, struct err *e);

#endif
