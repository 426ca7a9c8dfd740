#ifndef RETRIEVE_TOP_H
#define RETRIEVE_TOP_H
/*
 * top - the best of many: a heap of bounded size with the worst on top.
 *
 * Order    Higher score first; among equals the higher ordinal, so that the
 *          order is total and a page can go on where the last one ended.
 * Memory   top_open() takes room for all it will ever hold; top_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scored {
	double score;
	uint32_t ord;
};

struct top {
	struct scored *at;
	size_t count, room;
};

void top_open(struct top *t, size_t room); /* room > 0 */
void top_release(struct top *t);           /* harmless on {0}, or twice */

/* a comes before b: -1, after it: 1, is it: 0. For qsort(3), too. */
int top_order(const void *a, const void *b);

bool top_wants(const struct top *t, struct scored s); /* add would keep it */
void top_add(struct top *t, struct scored s);
void top_sort(struct top *t); /* best first; nothing is added after this */

#endif
