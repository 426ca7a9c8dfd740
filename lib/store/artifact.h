#ifndef STORE_ARTIFACT_H
#define STORE_ARTIFACT_H
/*
 * artifact - what calls handed over, for good: versions of a thing by its
 * filename in its task.
 *
 * The id is minted with the first version; the same filename again is the next
 * version under the same id. A pair of them never means other bytes later, even
 * if versions go with a deleted source.
 *
 * Order    artifact_add() and artifact_wire_set() within the caller's
 *          transaction; large contents were staged (store/content).
 * Memory   Texts are borrowed: those of a scan until its next call, those that
 *          artifact_add() gives from its arguments.
 * Errors   ERR_INPUT a filename that won't do, no such call; ERR_REFUSED what
 *          the call rests on is gone.
 */

#include <stdint.h>

#include "core/id.h"
#include "ext/db.h"
#include "store/content.h"

struct store;

enum { ARTIFACT_BYTES_MOST = 20 << 20 };

struct artifact {
	const char *task;
	char id[ID_LEN + 1];
	int64_t version; /* from 1 */
	int64_t call;    /* that handed it over: TASK.call */
	const char *filename, *media, *kind;
	int64_t size, at_ms;
	char hash[CONTENT_HASH + 1];
	char wire[CONTENT_HASH + 1]; /* the copy that models are shown, or "" */
	const char *wire_media;      /* NULL without one */
};

struct artifact_scan { /* {0} is none */
	struct stmt rows;
};

/* A filename: one part of a path, without a folder. */
int artifact_name(const char *filename, struct err *e);

/*
 * Keep one: task, call, filename, media and kind of *a are given, the rest is
 * filled in.
 */
int artifact_add(struct store *s, struct artifact *a, const void *bytes,
    size_t len, struct err *e);

/*
 * One of the task, by filename or, if none has that, by id: version 0 is the
 * latest, negative ones count from the end (-1 the latest). 1 and *a until
 * artifact_end(), 0 if there is none, or -1.
 */
int artifact_find(struct artifact_scan *scan, struct store *s, const char *task,
    const char *which, int64_t version, struct artifact *a, struct err *e);

/* Begin a list of the last ones, in order: of a call (or 0), so many at most. */
void artifact_list(struct artifact_scan *scan, struct store *s,
    const char *task, int64_t call, int64_t limit);
int artifact_next(struct artifact_scan *scan, struct artifact *a,
    struct err *e);
void artifact_end(struct artifact_scan *scan);

/* Its wire copy is that content, which content_put() gave. */
int artifact_wire_set(struct store *s, const char *id, int64_t version,
    const char *hash, const char *media, struct err *e);

/* The record {"type":"artifact",...} of it, as a line. */
void artifact_write(struct buf *b, const struct artifact *a);

/* The descriptor, as code and models get it; without a task, without a call. */
void artifact_describe(struct buf *b, const char *key,
    const struct artifact *a);

#endif
