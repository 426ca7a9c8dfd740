#ifndef STORE_ROLL_H
#define STORE_ROLL_H
/*
 * roll - the guilds, channels, roles and members of the message index, as
 * Discord tells of them.
 *
 * What Discord told at one time is never replaced by what it told before that,
 * nor by what an archive or a message says: those only fill in what it never
 * told (store/channel, store/author). at_ms is when it was told.
 *
 * Memory   {0} is empty; its statements stay prepared until roll_release().
 * Store functions (store/base): the caller holds the transaction.
 */

#include <stdbool.h>
#include <stdint.h>

#include "ext/db.h"
#include "record/community.h"

struct authors;
struct err;

struct roll {
	struct db *db;
	struct stmt guild, channel, ord, overwrite, role, member, any;
};

void roll_release(struct roll *r); /* harmless on {0}, or twice */

/* A row that others can refer to, where none is yet. */
int roll_need_guild(struct roll *r, uint64_t id, struct err *e);

int roll_guild(struct roll *r, const struct guild_facts *g, int shard,
    int64_t at_ms, struct err *e);
/* Sophia is in it no more. */
int roll_guild_gone(struct roll *r, uint64_t id, int64_t at_ms, struct err *e);

/* Threads too. Returns 1 if it was not known to Discord's telling, else 0. */
int roll_channel(struct roll *r, const struct channel_facts *c, int64_t at_ms,
    struct err *e);

/* It was deleted, and its threads with it: forget who was let in. */
int roll_channel_gone(struct roll *r, uint64_t id, int64_t at_ms,
    struct err *e);

/*
 * A guild's list was told at that time: a channel that isn't on it is hidden or
 * gone, a thread that isn't is no longer active.
 */
int roll_absent(struct roll *r, uint64_t guild, int64_t at_ms, struct err *e);

int roll_role(struct roll *r, const struct role_facts *x, int64_t at_ms,
    struct err *e);
int roll_role_gone(struct roll *r, uint64_t id, struct err *e);

/* All roles of a guild were told at that time: others are gone. */
int roll_roles_told(struct roll *r, uint64_t guild, int64_t at_ms,
    struct err *e);

/*
 * Events of a shard were missed: what was known of its guilds, and of who but
 * the bot is in a thread, counts for no permission until it is told again.
 */
int roll_missed(struct roll *r, int shard, uint64_t bot, int64_t at_ms,
    struct err *e);

int roll_member(struct roll *r, struct authors *a, const struct member_facts *m,
    int64_t at_ms, struct err *e);
/* The same, unless just that was told less than fresh_ms before. */
int roll_member_lately(struct roll *r, struct authors *a,
    const struct member_facts *m, int64_t at_ms, int64_t fresh_ms,
    struct err *e);
int roll_member_gone(struct roll *r, uint64_t guild, uint64_t user,
    int64_t at_ms, struct err *e);

/* Somebody is in a thread, or no more. */
int roll_thread_member(struct roll *r, uint64_t thread, uint64_t user, bool in,
    struct err *e);

#endif
