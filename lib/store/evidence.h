#ifndef STORE_EVIDENCE_H
#define STORE_EVIDENCE_H
/*
 * evidence - the sources that a call brought, kept with the task. Within the
 * caller's transaction.
 */

#include <stdint.h>

struct err;
struct json;
struct store;

/*
 * Keep each source of the array (as in a result record; what has no url is
 * passed over). One that the task has in that revision is only linked.
 */
int evidence_add(struct store *s, const char *task, int64_t call,
    const struct json *sources, struct err *e);

/*
 * A source is read again: its revision takes the place of an older one that the
 * task has, also in what its calls gave. 1 if it did, 0 if there is none older.
 */
int evidence_renew(struct store *s, const char *task, const struct json *source,
    struct err *e);

/* Hand out the links of the task's sources that are gone. */
int evidence_gone(struct store *s, const char *task,
    void (*put)(void *ctx, const char *url), void *ctx, struct err *e);

#endif
