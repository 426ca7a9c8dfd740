#ifndef STORE_SPOOL_FILES_H
#define STORE_SPOOL_FILES_H
/*
 * spool_files - what the writer and the readers of a spool agree upon: the
 * names of its files, and the notes by which they tell each other how far they
 * are.
 *
 *	spool/0/000000000001.ndjson   a segment: events from number 1 on
 *	spool/0/synced                note of the writer: readable up to there
 *	spool/0/reader.NAME           note of a reader: done with, up to there
 *	spool/0/session.json          see store/spool
 *	spool/0/lock                  held by the writer
 *
 * Notes    A note is one line of SPOOL_NOTE bytes, written in place by one
 *          call and never synced: it may be old after a loss of power, and its
 *          sum tells when it is half of one.
 * Memory   The lists are yours to free().
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { SPOOL_NOTE = 80, SPOOL_READER_MAX = 32 };

struct spool_note {
	int64_t number;  /* of the last event; 0 is none */
	int64_t segment; /* it is in; by that one's first number */
	int64_t bytes;   /* of the segment, its end included */
};

/*
 * Where a shard's spool is, made if it isn't there, and so that it still is
 * after a loss of power; and a file of it. ERR_CONFIG if the path is too long.
 */
int spool_folder(char out[PATH_MAX], int shard, struct err *e);
int spool_make_folder(char out[PATH_MAX], int shard, struct err *e);
int spool_file(char out[PATH_MAX], const char *dir, const char *name,
    struct err *e);
int spool_segment_file(char out[PATH_MAX], const char *dir, int64_t first,
    struct err *e);

/* The first numbers of the segments, the oldest first; or how many, or -1. */
int spool_segments(int64_t **firsts, const char *dir, struct err *e);

struct spool_position {
	char name[SPOOL_READER_MAX + 1];
	int64_t passed; /* 0 if its note can't be read */
};

/* The readers, by name. */
int spool_readers(struct spool_position **list, const char *dir, struct err *e);
bool spool_reader_name(const char *name); /* of a-z 0-9 - */

/* The note; false, and all zero, if there is none or it is damaged. */
bool spool_note_read(int fd, struct spool_note *n);
int spool_note_write(int fd, const struct spool_note *n, const char *path,
    struct err *e);

int spool_sync_folder(const char *dir, struct err *e);

#endif
