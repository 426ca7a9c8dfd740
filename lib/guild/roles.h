#ifndef GUILD_ROLES_H
#define GUILD_ROLES_H
/* roles - what the changes of roles have in common. */

#include <stdbool.h>
#include <stdint.h>

struct buf;
struct change;
struct err;
struct json;

/*
 * The role that the argument `role` names, in a guild where Sophia manages
 * roles, and below her own.
 */
int roles_take(struct change *c, const struct json **role, struct err *e);

/* "@name (id)" */
void roles_name(struct buf *b, const struct json *role);

/* The plan begins with the guild, the role and its name. */
void roles_plan(struct change *c, const struct json *role);
void roles_target(struct change *c, const struct json *role);

/* As it is now; NULL if it is gone. */
const struct json *roles_find(const struct change *c, uint64_t id);

/* Act: that role, as it is now; ERR_REFUSED if it is gone. */
int roles_planned(struct change *c, const struct json **role, struct err *e);

/* Act: may it be given or taken, as things are now? */
int roles_hand_again(struct change *c, bool give, struct err *e);

/* What came of it, for act: a summary, and the role as data. */
void roles_told(struct change *c, const char *what, uint64_t id,
    const char *name);

#endif
