#ifndef STORE_BASE_H
#define STORE_BASE_H
/*
 * base - one SQLite file of the state folder: opened, upgraded, written in
 * turn.
 *
 * Stores   "tasks", "knowledge" and "products" are durable: a commit is on the
 *          disk when it returns. "messages" can be rebuilt: after a power cut
 *          its last commits may be missing, but it is whole.
 * Order    store_begin(), functions of the store modules, store_commit(); or
 *          store_rollback(), which is harmless outside a transaction. The
 *          modules never begin or commit, unless their header says so. Readers
 *          need no transaction, or take db_begin_read() for one view of several
 *          queries, and keep none open while they write a pipe or wait.
 * Turns    Writers queue on two kernel locks (run/NAME.next, run/NAME.write),
 *          so that none starves; hold the turn for at most 50 ms.
 * Upgrade  share/schema/NAME/NNNN.sql are applied in order by whoever opens an
 *          older store, alone (run/NAME.use); a durable one is first copied
 *          to NAME.sqlite.vN.bak. A file that is no store of ours, or a newer
 *          one, is ERR_CONFIG and left as it is.
 * Errors   ERR_AGAIN if others kept it for 5 s; ERR_CONFIG; ERR_IO.
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/lock.h"
#include "ext/db.h"

struct err;

enum store_mode {
	STORE_READ, /* must exist */
	STORE_WRITE /* made if it isn't there */
};

struct store {
	struct db db; /* for the store modules alone */
	struct lock use, turn;
	const char *name;
};

int store_open(struct store *s, const char *name, enum store_mode,
    struct err *e);
void store_close(struct store *s); /* harmless on {0}, or twice */

/* Open "messages"; if it isn't there, the error says how it is made. */
int store_open_index(struct store *s, enum store_mode, struct err *e);

int store_begin(struct store *s, struct err *e);
int store_commit(struct store *s, struct err *e); /* rolled back if it fails */
void store_rollback(struct store *s);

/* The stores there can be, counted from 0; NULL after the last. */
const char *store_name(size_t i);

/* Where the file of a store is, and whether there is one yet: 1, 0 or -1. */
int store_path(char out[PATH_MAX], const char *name, struct err *e);
int store_exists(const char *name, struct err *e);

enum store_age {
	STORE_NONE, /* not there yet */
	STORE_OLD,  /* whoever opens it will upgrade it */
	STORE_CURRENT,
};

/* How it stands, changing nothing. -1 and why if it can't be used. */
int store_look(const char *name, struct err *e);

#endif
