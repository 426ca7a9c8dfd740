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

#endif
