#ifndef GUILD_CHANGES_H
#define GUILD_CHANGES_H
/*
 * changes - the three functions of each change, for the table in changes.c. See
 * change for what they do; share/tools says what each takes.
 */

struct change;
struct err;

int send_check(struct change *c, struct err *e);
int send_act(struct change *c, struct err *e);
int send_verify(struct change *c, struct err *e);

#endif
