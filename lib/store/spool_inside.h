#ifndef STORE_SPOOL_INSIDE_H
#define STORE_SPOOL_INSIDE_H
/*
 * spool_inside - what the files of store/spool share. Nobody else needs it.
 */

#include "store/spool.h"

enum { SPOOL_SEGMENT_BYTES = 64 << 20, SPOOL_QUIET_MS = 3600 * 1000 };

/* Begin the segment whose first number is the next one's. */
int spool_begin_segment(struct spool *s, int64_t first, struct err *e);

/* Sync, begin the next segment, and drop what is old. */
int spool_next_segment(struct spool *s, struct err *e);

/* Tell the readers what is synced. */
int spool_publish(struct spool *s, struct err *e);

/* The session as a file, and back: see store/spool. */
int spool_session_save(struct spool *s, struct err *e);

/*
 * Read session.json into session, url, sequence and synced_sequence; *number is
 * that of the last event when it was written. Nothing if there is none, or it
 * can't be used.
 */
int spool_session_load(struct spool *s, int64_t *number, struct err *e);

void spool_session_forget(struct spool *s);

/* Remove the oldest segments: all that were passed, and more for `room`. */
int spool_drop_old(struct spool *s, int64_t room, struct err *e);

#endif
