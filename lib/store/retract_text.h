#ifndef STORE_RETRACT_TEXT_H
#define STORE_RETRACT_TEXT_H
/*
 * retract_text - for store/retract alone: empty what was written in a task from
 * a round and a turn on, and all that shows a source that is gone.
 */

#include <stdint.h>

struct err;
struct store;

int retract_text(struct store *tasks, const char *task, int64_t round,
    int64_t turn, struct err *e);

#endif
