#ifndef GUILD_ACCOUNT_H
#define GUILD_ACCOUNT_H
/*
 * account - answer a question of access/explain with what there is to be known:
 * the tool's tier from its manifest, the places of targets from the index, and
 * somebody's roles from Discord.
 *
 * Errors   ERR_INPUT for what the question says.
 */

#include <stdbool.h>

#include "access/decide.h"

struct buf;
struct err;
struct explain;

/* Ask Discord for the actor's roles; where that failed they aren't known. */
int account_roles(struct explain *x, struct err *e);

/*
 * Add the explanation, by the settings as they are now: 1 and *v, or -1. The
 * tier is that of the tool, unless a word is given.
 */
int account_give(struct buf *b, struct explain *x, const char *tier, bool json,
    enum access_verdict *v, struct err *e);

#endif
