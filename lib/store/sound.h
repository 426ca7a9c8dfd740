#ifndef STORE_SOUND_H
#define STORE_SOUND_H
/*
 * sound - a stretch of a recording while a model listens to it: kept under the
 * call that gives it, so that it goes with the task and its sources whatever
 * happens, and is removed when the model has answered.
 *
 * Order    Within the caller's transaction; large ones were staged (content).
 * Errors   ERR_INPUT no such call; ERR_REFUSED what it rests on is gone.
 */

#include <stddef.h>
#include <stdint.h>

#include "store/content.h"

struct err;
struct store;

/* Keep one for a call; name is that of the file it was cut from. */
int sound_add(struct store *s, const char *task, int64_t call, const char *name,
    int64_t offset_ms, const void *bytes, size_t len,
    char hash[CONTENT_HASH + 1], struct err *e);

/* Remove those of the task, also what a call left that was killed. */
int sound_remove(struct store *s, const char *task, struct err *e);

#endif
