#ifndef STORE_LATE_H
#define STORE_LATE_H
/*
 * late - a result that comes when what it shows, or what it was asked for
 * after, is gone already: only what may stay of it is stored (record/gap).
 *
 * Order    Within the transaction that stores the result: a deletion notes its
 *          tombstone first and looks for results afterwards (store/tombstone),
 *          so one of the two finds it.
 * Memory   {0}; what it made is borrowed until late_release().
 */

#include <stdbool.h>

#include "core/buf.h"
#include "store/runner.h"

struct err;
struct json;
struct store;
struct tombstones;
struct turn;

struct late {
	struct outcome outcome; /* to be stored */

	struct buf text; /* private */
	struct json *tree;
};

/* What is to be stored of an outcome: 1 if that is less than it, 0, or -1. */
int late_take(struct late *l, struct store *s, struct tombstones *t,
    const char *task, const struct outcome *o, struct err *e);

/*
 * The same for a request that is taken in: if the message that it came by, or
 * that it replies to, is gone, its words go, and its runner is told to stop.
 * With the turn stored; t is the record that it was made from.
 */
int late_turn(struct store *s, struct tombstones *stones, const struct turn *t,
    struct err *e);

void late_release(struct late *l); /* harmless on {0}, or twice */

#endif
