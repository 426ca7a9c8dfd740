#ifndef STORE_COST_H
#define STORE_COST_H
/*
 * cost - the ledger summed up. What isn't known is counted, and never taken for
 * zero; money is added exactly, as decimals.
 */

#include <stdbool.h>
#include <stdint.h>

#include "store/ledger.h"

struct buf;

struct cost_sum {
	int64_t known;   /* the sum of what is known */
	int64_t unknown; /* of how many attempts it isn't */
};

struct cost {
	const char *key; /* a day, a model, ...; "" for none; NULL: all */
	int64_t attempts, failed;
	struct cost_sum input, output, cached, reasoning;
	const char *money; /* decimal; NULL if none of it is known */
	int64_t money_unknown;
	bool estimated; /* some of it, by the profile's prices */
};

typedef void cost_fn(void *ctx, const struct cost *cost);

/* Hand each group, and then the total, to put(). Returns how many attempts. */
int64_t cost_report(struct store *s, const struct ledger_filter *f,
    cost_fn *put, void *ctx, struct err *e);

/* The name of a grouping, "day", and back: -1 if it is none. */
const char *cost_word(enum ledger_order by);
int cost_by_of(const char *word);

/* The record {"type":"cost",...} of it, as a line. */
void cost_write(struct buf *b, enum ledger_order by, const struct cost *cost);

#endif
