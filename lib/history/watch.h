#ifndef HISTORY_WATCH_H
#define HISTORY_WATCH_H
/*
 * watch - tell which channels' messages are delivered to Sophia, whenever what
 * decides it has changed, and keep store/live in step; and whose history she
 * may not read, which is then forbidden (store/coverage).
 *
 * Within the turn of an ingest, in->at_ms being when it was told.
 */

#include <stdint.h>

struct err;
struct ingest;

/* Why a history can't be read. */
#define WATCH_BLIND "Sophia may not see it"
#define WATCH_NO_HISTORY "Sophia may not read its history"

/* One channel or thread. low: from which message on; 0 if that isn't known. */
int watch_channel(struct ingest *in, uint64_t channel, uint64_t low,
    struct err *e);

/* All of a guild, but for archived threads; or those of one parent. */
int watch_guild(struct ingest *in, uint64_t guild, struct err *e);
int watch_threads(struct ingest *in, uint64_t parent, struct err *e);

#endif
