#ifndef STORE_NTH_H
#define STORE_NTH_H
/*
 * nth - the message of a channel at some place in the order of time.
 */

#include <stdint.h>

struct err;
struct store;

/*
 * n is 1 for the first that is known, -1 for the last: 1 and its id, or 0 if
 * there is none. *total is how many are known.
 */
int nth_message(struct store *index, uint64_t channel, int64_t n, uint64_t *id,
    int64_t *total, struct err *e);

#endif
