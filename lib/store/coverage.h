#ifndef STORE_COVERAGE_H
#define STORE_COVERAGE_H
/*
 * coverage - which ranges of a channel's history the index has whole, which it
 * doesn't know, and which it may not read.
 *
 * Ranges are of message ids, both ends included, and merge where they meet; 0
 * as the low end means from the beginning. A channel whose events come live
 * has one more, which grows by itself (the view `covered`).
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdint.h>

struct db;
struct err;

#define COVERAGE_TOP ((uint64_t)INT64_MAX) /* higher than every id */

/* All messages of the channel (by its id) from low to high are indexed. */
int coverage_add(struct db *db, uint64_t channel, uint64_t low, uint64_t high,
    const char *source, struct err *e);

struct coverage_gap {
	uint64_t low, high; /* both included; high may be COVERAGE_TOP */
};

/*
 * The newest stretch from low to high of which nothing is known: 1 and the gap,
 * 0 if there is none, or -1.
 */
int coverage_gap(struct db *db, uint64_t channel, uint64_t low, uint64_t high,
    struct coverage_gap *gap, struct err *e);

/* The history can't be read, and why; NULL that it can again. */
int coverage_forbid(struct db *db, uint64_t channel, const char *why,
    int64_t at_ms, struct err *e);

#endif
