#ifndef TOOL_MEANT_H
#define TOOL_MEANT_H
/*
 * meant - the task that a model means: see tool/tasktool for whose it may be.
 *
 * ERR_INPUT if there is none; of several, a->candidates has the first ones.
 */

#include <stdbool.h>

#include "core/id.h"
#include "store/task.h"

struct answer_parts;
struct call;
struct err;
struct store;

enum meant_for { MEANT_STEER, MEANT_STOP, MEANT_CONTINUE };

/* The task, out of the store. */
struct meant {
	char id[ID_LEN + 1];
	enum task_state state;
	enum visibility visibility;
	enum approval_mode approval;
};

int meant_by_id(struct meant *m, struct store *s, const struct call *c,
    const char *id, struct err *e);

/* By the argument `words`: the only one that is in a state for that. */
int meant_by_words(struct meant *m, struct store *s, const struct call *c,
    enum meant_for action, struct answer_parts *a, struct err *e);

bool meant_fits(enum meant_for action, enum task_state state);

#endif
