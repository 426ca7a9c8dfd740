#ifndef STORE_SPOOL_H
#define STORE_SPOOL_H
/*
 * spool - the durable log of what Discord told us: its writer, which is the
 * gateway. For its readers see store/spool_reader.
 *
 * A shard's events are lines in $SOPHIA_HOME/spool/SHARD, in segments of at
 * most 64 MiB. Numbers begin with 1 and rise by one from event to event; one
 * that a reader may have seen is never used again.
 *
 * Order    spool_append() hands a line to the kernel; spool_sync() puts it onto
 *          the disk, and only then may a reader see it. So no reader is ever
 *          ahead of what a loss of power leaves behind. Set a timer to
 *          spool_due_ms() after each append.
 * Opening  cuts off what never was synced and isn't whole. A damaged line that
 *          was synced, with others after it, is ERR_CONFIG: events would be
 *          lost without a word. Moving the file away makes it a gap.
 * Session  session.json says whose events these are and where to resume. The
 *          sequence to resume from is that of the last event in the spool, and
 *          so can't be ahead of it.
 * Trimming Segments that every reader has passed go when a new one begins, and
 *          in spool_trim(). Beyond max_bytes the oldest goes all the same; the
 *          reader that wanted it is told of the gap. The segment that is
 *          written to stays always, and so do the numbers.
 * Errors   ERR_IO for a full or failing disk: after it the spool is as it was
 *          before a failed append, or, after a failed sync, as of the last good
 *          one (number and sequence say so, and the kernel can't be trusted
 *          with the rest). No half line stays. Close the connection, and resume
 *          from sequence when there is room.
 * Memory   {0} is a closed spool. Folders are 0700, files 0600.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/buf.h"
#include "core/lock.h"
#include "store/spool_files.h"

struct err;

enum {
	SPOOL_PAUSE_MS = 50, /* at least, between two syncs of a busy spool */
	SPOOL_LATE_MS = 200, /* at most, from an event to its sync */
};

struct spool {
	int64_t segment_bytes; /* set before opening; 0 for 64 MiB */
	int64_t max_bytes;     /* of all segments; 0 for no limit */

	int shard;        /* to be read, from here */
	int64_t number;   /* of the last event, 0 for none */
	int64_t sequence; /* of Discord's, of the last event; or 0 */
	char *session;    /* the session these belong to, or NULL: identify */
	char *url;        /* where to resume it; NULL together with it */
	int64_t cut;      /* bytes that opening cut off */

	char dir[PATH_MAX]; /* private from here */
	struct lock lock;
	int fd, notes; /* the last segment; the note of what is synced */
	int64_t first, bytes;
	int64_t first_at_ms; /* of the segment's first event, wall time */
	struct spool_note synced;
	int64_t synced_sequence;
	int64_t session_from; /* the number of its first event */
	bool session_new;     /* and not yet in the file */
	bool untold;          /* something was synced that nobody was told of */
	bool broken;          /* what is behind synced could not be cut off */
	int64_t since_ms;     /* the first unsynced event is from then */
	int64_t rest_until_ms;
	struct buf head;
};

/*
 * Open the spool of a shard, and make it if there is none. ERR_AGAIN if another
 * process writes to it.
 */
int spool_open(struct spool *s, int shard, struct err *e);
void spool_close(struct spool *s); /* without a sync; harmless on {0} */

/*
 * Add an event: its number, or -1. ERR_INPUT if its name or data can't be part
 * of a line: a NUL byte, or more than 32 MiB.
 */
int64_t spool_append(struct spool *s, const char *name, int64_t sequence,
    const char *data, size_t len, struct err *e);

/* When the next sync is due, in boot time; INT64_MAX if there is nothing. */
int64_t spool_due_ms(const struct spool *s);

/* Sync what was appended, save the session if it is new, wake the readers. */
int spool_sync(struct spool *s, struct err *e);

/*
 * A new session began with the event that was appended last (READY); or, with
 * NULL twice, the one there was can't be resumed. Saved by the next sync.
 */
void spool_session(struct spool *s, const char *session, const char *url);

/*
 * Let go what all readers have passed, if only an hour after the first event of
 * its segment. To be called every few minutes.
 */
int spool_trim(struct spool *s, struct err *e);

#endif
