#ifndef STORE_COVERAGE_H
#define STORE_COVERAGE_H
/*
 * coverage - which ranges of a channel's history the index has whole.
 *
 * Ranges are of message ids, both ends included, and merge where they meet.
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

struct db;
struct err;

/* All messages of the channel (by its id) from low to high are indexed. */
int coverage_add(struct db *db, uint64_t channel, uint64_t low, uint64_t high,
    const char *source, struct err *e);

#endif
