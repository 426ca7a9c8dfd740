#ifndef STORE_RETRACT_FILES_H
#define STORE_RETRACT_FILES_H
/*
 * retract_files - for store/retract alone: remove the files of a task that were
 * attached to what is gone, and the files, artifacts and pictures of calls from
 * a round on.
 */

#include <stdint.h>

#include "store/tombstone.h"

struct err;
struct store;

int retract_files(struct store *tasks, const char *task, int64_t round,
    enum grave_kind kind, const char *id, struct err *e);

#endif
