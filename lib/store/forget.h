#ifndef STORE_FORGET_H
#define STORE_FORGET_H
/*
 * forget - delete a task and everything of it, so that the text is gone from
 * the stores' files as well, and what nobody else has is gone from blob/. A marker with its id alone stays, so that a late job
 * can't bring it back.
 *
 * ERR_INPUT there is no such task (for who); ERR_AGAIN it runs; ERR_REFUSED a
 * receipt of it is unknown, to be settled first. It begins and commits itself.
 * If the bytes could not be cleared at once because others read, it is
 * ERR_AGAIN although the task is gone: to repeat it finishes the work.
 */

#include <stdint.h>

struct context;
struct err;
struct store;

int forget_task(struct store *s, const char *id, const struct context *who,
    struct err *e);

/*
 * All tasks of everybody that changed last before that time, but those that run
 * or have something to be settled. Returns how many.
 */
int64_t forget_before(struct store *s, int64_t before_ms, struct err *e);

#endif
