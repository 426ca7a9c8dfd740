#ifndef STORE_VERIFY_H
#define STORE_VERIFY_H
/*
 * verify - whether the parts of the message index agree.
 *
 * Every row is analysed again and compared with its chunk and, by fingerprints
 * of each CHUNK_SIZE ordinals, with what the full-text table holds; then the
 * counts in meta. It reads one view of the database and writes nothing.
 *
 * Memory   8 bytes for each CHUNK_SIZE messages.
 */

#include <stdint.h>

#include "store/health.h"

struct db;
struct err;

struct verify_count {
	int64_t messages, tokens, problems;
};

/*
 * Hand a finding to put() for each thing that is wrong, and one for all of it
 * at the end. ERR_CONFIG if it was made by another analyzer: rebuild it first.
 */
int verify_run(struct db *db, struct verify_count *count, health_fn *put,
    void *ctx, struct err *e);

#endif
