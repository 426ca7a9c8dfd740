#ifndef STORE_SURVEY_H
#define STORE_SURVEY_H
/*
 * survey - count what the message index holds.
 *
 * Memory   texts of a channel are borrowed until the next one. {0} is empty.
 */

#include <limits.h>

#include "ext/db.h"

struct err;
struct index_channel;
struct index_status;
struct store;

/* All of it; its path is put in `path`. */
int survey_all(struct store *base, struct index_status *s, char path[PATH_MAX],
    struct err *e);

/*
 * Channels of which something is known, or that can't be read, by guild and
 * name: 1, 0 no more, -1.
 */
struct survey {
	struct stmt rows;
};

int survey_channel(struct survey *s, struct db *db, struct index_channel *c,
    struct err *e);
void survey_release(struct survey *s);

#endif
