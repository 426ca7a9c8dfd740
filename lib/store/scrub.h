#ifndef STORE_SCRUB_H
#define STORE_SCRUB_H
/*
 * scrub - make the words of deleted messages vanish from the disk.
 *
 * A full-text table only notes that a row is deleted: its words stay in an
 * older segment until that is merged with the note (SQLite's documentation,
 * "FTS5: The 'merge' Command"). And the log keeps pages until it is cut. So
 * after deletions all segments are merged into one, in turns of at most 30 ms,
 * and the log is cut. That writes the whole table anew, so it is done at most
 * once in SCRUB_EVERY_MS, unless it is to be done now.
 */

#include <stdbool.h>
#include <stdint.h>

struct db;
struct err;
struct store;

enum { SCRUB_EVERY_MS = 600000 };

/* Something was deleted. Store function (store/base). */
int scrub_want(struct db *db, struct err *e);

/* One turn, if one is due: 1 if there is more to do at once, 0, or -1. */
int scrub_step(struct store *base, bool now, struct err *e);

#endif
