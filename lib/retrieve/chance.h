#ifndef RETRIEVE_CHANCE_H
#define RETRIEVE_CHANCE_H
/*
 * chance - one message of a scope, each as likely as any other.
 *
 * Memory   none is kept.
 */

#include <stdint.h>

struct err;
struct scope;

/* The ordinal, 0 if the scope is empty; *of is how many it was picked from. */
int chance_pick(struct scope *s, uint32_t *ord, int64_t *of, struct err *e);

#endif
