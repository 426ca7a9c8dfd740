#ifndef GUILD_FRESH_H
#define GUILD_FRESH_H
/* fresh - somebody's roles as Discord says they are now. */

struct err;
struct explain;

/* Those of the actor, where the question is about; -1: they aren't known. */
int fresh_roles(struct explain *x, struct err *e);

#endif
