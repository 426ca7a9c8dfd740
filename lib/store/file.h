#ifndef STORE_FILE_H
#define STORE_FILE_H
/*
 * file - the files in the workspace of a task, and where each came from.
 *
 * Paths    as core/path says. None leads through another file.
 * Limits   of one file, FILE_BYTES_MOST; of all of them, none.
 * Order    Within the caller's transaction; the caller holds the filelock from
 *          before it reads what it changes, and has staged what is large
 *          (store/content). Media types are the caller's to tell.
 * Sources  What was attached to a message goes when the message does, and so
 *          does what a call made that could have read it (store/retract). A
 *          message that is deleted already brings nothing: ERR_REFUSED; nor
 *          does a call that was asked for after a source that is gone.
 *          So whoever lets a call read files says so beforehand, in a commit
 *          of its own: file_read_by().
 * Memory   The texts of a file are borrowed until the next call on its scan.
 * Errors   ERR_INPUT a path that won't do, or isn't there; no such task.
 */

#include <stdint.h>

#include "ext/db.h"
#include "store/content.h"

struct store;

enum { FILE_BYTES_MOST = 20 << 20 };

enum file_kind {
	FILE_PUT,    /* by hand: actor */
	FILE_IMPORT, /* an attachment: url, revision, channel, attachment */
	FILE_CALL,   /* a call made it: call */
};

struct file_origin {
	enum file_kind kind;
	int64_t call;      /* that made or imported it; 0 none */
	const char *actor; /* "local" or a Discord id; NULL */
	const char *url, *revision, *channel, *attachment; /* NULL */
};

struct file {
	const char *path, *media;
	char hash[CONTENT_HASH + 1];
	int64_t size, at_ms;
	struct file_origin origin;
};

struct file_scan { /* {0} is none */
	struct stmt rows;
};

/* Keep it, in place of one of that path. */
int file_put(struct store *s, const char *task, const char *path,
    const char *media, const void *bytes, size_t len,
    const struct file_origin *origin, struct err *e);

/* 1 if it was there, 0 if not, or -1. */
int file_remove(struct store *s, const char *task, const char *path,
    struct err *e);

/* One: 1 and *f until file_end(), 0 if it isn't there, or -1. */
int file_find(struct file_scan *scan, struct store *s, const char *task,
    const char *path, struct file *f, struct err *e);

/* Begin a list, by path; then one at a time: 1, 0 at the end, or -1. */
void file_list(struct file_scan *scan, struct store *s, const char *task);
int file_next(struct file_scan *scan, struct file *f, struct err *e);
void file_end(struct file_scan *scan);

/* The record {"type":"file",...} of it, as a line. */
void file_write(struct buf *b, const char *task, const struct file *f);

/* A call is about to read that file, as it is now. 0, or ERR_INPUT. */
int file_read_by(struct store *s, const char *task, int64_t call,
    const char *path, struct err *e);

/*
 * May a call of a task still keep what it made: 0, ERR_INPUT if there is no
 * such call, or ERR_REFUSED if what it rests on is gone.
 */
int file_may_keep(struct store *s, const char *task, int64_t call,
    struct err *e);

#endif
