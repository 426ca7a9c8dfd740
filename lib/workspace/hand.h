#ifndef WORKSPACE_HAND_H
#define WORKSPACE_HAND_H
/*
 * hand - what the operator of this machine does by hand to the files of a task,
 * each in one call.
 *
 * Store    Each call opens the tasks and closes them again. Where there are
 *          none yet, nothing is made. A task that there isn't is ERR_INPUT.
 * Order    A change waits up to HAND_WAIT_MS while a call is at work on the
 *          same files; then it is ERR_AGAIN.
 * Memory   What is added to a buf is the caller's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct bundle;
struct err;

enum { HAND_WAIT_MS = 5000 };

/* Add its files and artifacts, a line each, in words or as records; how many. */
int hand_list(struct buf *b, const char *task, bool json, struct err *e);

/* Add the bytes of a file or artifact, see store/holding; *text says whether
 * people can read them. */
int hand_get(struct buf *b, const char *task, const char *which,
    int64_t version, bool *text, struct err *e);

/* Add all its files, as they are now. ERR_REFUSED if they are too many. */
int hand_take(struct bundle *b, const char *task, struct err *e);

/* Put a file there, and add its record. */
int hand_put(struct buf *b, const char *task, const char *path,
    const char *bytes, size_t len, struct err *e);

/* Remove those: how many were there. Of the others it complains. */
int hand_remove(const char *task, char *const *paths, int count, struct err *e);

#endif
