#ifndef ADAPTER_ACCOUNT_H
#define ADAPTER_ACCOUNT_H
/*
 * account - answer a question of access/explain with what the installation
 * knows: the tool's tier from its manifest, the places of targets from the
 * index.
 *
 * Errors   ERR_INPUT for what the question says.
 */

#include <stdbool.h>

#include "access/decide.h"

struct buf;
struct err;
struct explain;

/*
 * Add the explanation, by the settings as they are now: 1 and *v, or -1. The
 * tier is that of the tool, unless a word is given.
 */
int account_give(struct buf *b, struct explain *x, const char *tier, bool json,
    enum access_verdict *v, struct err *e);

/* Is there such a tool: 1, 0 or -1. A rule may be there before it, or a slip. */
int account_has(const char *capability, struct err *e);

#endif
