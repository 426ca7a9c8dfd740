#ifndef RETRIEVE_CHAIN_H
#define RETRIEVE_CHAIN_H
/*
 * chain - the replies that hang together.
 *
 * From a message up to the one that began it, at most CHAIN_MAX steps, then
 * everything that answers any of these, nearest first, up to CHAIN_MAX
 * messages in all. Messages that are not indexed end a line.
 */

#include <stdint.h>

struct corpus;
struct err;
struct ords;

enum { CHAIN_MAX = 500 };

/* Fill with the ordinals, sorted. */
int chain_find(struct corpus *c, uint64_t id, struct ords *found,
    struct err *e);

#endif
