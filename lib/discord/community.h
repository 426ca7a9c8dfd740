#ifndef DISCORD_COMMUNITY_H
#define DISCORD_COMMUNITY_H
/*
 * community - read guilds, channels, roles and members as Discord's API and
 * gateway give them ("Guild", "Channel", "Role", "Guild Member" in Discord's
 * documentation).
 *
 * Memory   facts borrow from their JSON and from the lists, which last until
 *          the next call with them; community_release() frees those.
 * Errors   0 for an object that is none (no id), else 1: what is missing is
 *          not told. Permissions that can't be read give nothing: 0 of what
 *          is allowed, all of what is denied.
 */

#include <stddef.h>
#include <stdint.h>

#include "record/community.h"

struct json;

struct community_lists {
	struct overwrite *overwrites; /* OVERWRITES_MOST */
	uint64_t *roles;              /* ROLES_MOST */
};

void community_release(struct community_lists *l); /* harmless twice */

/* guild: the one it is in, where the object doesn't say. */
int community_guild(struct guild_facts *g, const struct json *v);
int community_channel(struct channel_facts *c, struct community_lists *l,
    uint64_t guild, const struct json *v);
int community_role(struct role_facts *r, uint64_t guild, const struct json *v);

/* user: of whom the member tells, where it doesn't say itself. */
int community_member(struct member_facts *m, struct community_lists *l,
    uint64_t guild, const struct json *v, const struct json *user);

#endif
