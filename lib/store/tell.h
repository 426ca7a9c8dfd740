#ifndef STORE_TELL_H
#define STORE_TELL_H
/*
 * tell - leave a control row for the runner of a task: it is committed before
 * it is acknowledged, and read before the runner's next step.
 *
 * The caller has begun a transaction, and has looked the task up for `who`.
 */

#include <stdint.h>

#include "store/runner.h"

struct context;
struct err;
struct store;

const char *told_word(enum told_kind kind); /* "steer" */

/*
 * data is JSON or NULL; its "message" is the id of the one that a steer came by.
 * Returns the row's id in *id.
 */
int tell(struct store *s, const char *task, enum told_kind kind,
    const struct context *who, const char *text, const char *data, int64_t *id,
    struct err *e);

/* Has anybody but its owner corrected the task: 1, 0 or -1. */
int told_by_others(struct store *s, const char *task, struct err *e);

#endif
