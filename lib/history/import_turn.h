#ifndef HISTORY_IMPORT_TURN_H
#define HISTORY_IMPORT_TURN_H
/*
 * import_turn - the transactions of an import.
 *
 * An import writes for 30 ms at a time, then lets others write. A turn begins
 * with the first message put after the last one ended. Outside a turn,
 * import_end() and import_drop() do nothing.
 *
 * Nothing here is of use but to import.c, which owns the import.
 *
 * Errors   after one, import_drop() takes back what the turn put.
 */

#include <stdbool.h>

#include "core/err.h"

struct import;
struct message;

/* ERR_AGAIN if the index was reset since the file was begun. */
int import_begin(struct import *im, struct err *e);

/* Put it; end the turn if it was long enough. */
int import_put(struct import *im, const struct message *m, struct err *e);

/* Commit what was put, and how far the file was read. */
int import_end(struct import *im, struct err *e);

bool import_over(const struct import *im); /* it is time to end it */
void import_drop(struct import *im);

/* Remember which part of its channel an export holds. */
void import_widen(struct import *im, const struct message *m);

/*
 * Whoever reads next would first go through all of the log again: move it into
 * the database, unless somebody is reading just now.
 */
void import_settle(struct import *im);

#endif
