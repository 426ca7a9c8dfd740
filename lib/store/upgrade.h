#ifndef STORE_UPGRADE_H
#define STORE_UPGRADE_H
/*
 * upgrade - bring a store to the newest schema. For store/base alone.
 *
 * The version of a store is its user_version; its application_id says that it
 * is ours. The newest version is the number of files in share/schema/NAME.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"

struct err;

/* 1 if it is up to date, 0 if it is older or empty, -1 if it isn't ours. */
int upgrade_check(struct db *db, const char *name, int64_t *version,
    struct err *e);

/* Make or upgrade the store; its `use` lock is held exclusively. */
int upgrade_run(const char *name, enum db_sync sync, bool backup,
    struct err *e);

#endif
