#ifndef RETRIEVE_POOL_H
#define RETRIEVE_POOL_H
/*
 * pool - the best matches and the messages next to them, ranked together.
 * What the weights are, and why: retrieve/relevance.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "retrieve/relevance.h"

struct err;
struct scope;
struct score;
struct score_filter;
struct top;
struct query;

struct pool_row {
	struct ranked row;
	double own;    /* its words' score, with what it is worth */
	double given;  /* what its neighbours gave */
	uint32_t next; /* in the same slot of the table; 0 for none */
};

struct pool {
	const struct query *words;
	bool narrow; /* neighbours get a share */
	struct pool_row *at;
	size_t count;

	uint32_t *table; /* private: slots by ordinal, of index + 1 */
};

/* Rank what top holds. Afterwards `at` is sorted, best first. */
int pool_rank(struct pool *p, struct scope *s, const struct score *score,
    const struct score_filter *f, struct top *top, struct err *e);
bool pool_has(const struct pool *p, uint32_t ord);
void pool_release(struct pool *p); /* harmless on {0}, or twice */

#endif
