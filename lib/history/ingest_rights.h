#ifndef HISTORY_INGEST_RIGHTS_H
#define HISTORY_INGEST_RIGHTS_H
/*
 * ingest_rights - has an event changed who may read what? For history/ingest.
 *
 * What is stored of the matter is looked at before the event is taken and after
 * it: only if it differs, tasks are told (store/recheck). A channel that is
 * renamed, or a member with another nickname, is none of their business.
 */

#include <stdint.h>

struct err;
struct ingest;
struct json;

/* A fingerprint of what the event is about; 0 if it is about no rights. */
int ingest_rights(struct ingest *in, const char *name, uint64_t guild,
    const struct json *v, uint64_t *print, struct err *e);

/* Whose they are: a user's id, or 0 for anybody's. */
uint64_t ingest_rights_of(const char *name, const struct json *v);

#endif
