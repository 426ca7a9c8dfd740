#ifndef ACCESS_AUDIENCE_H
#define ACCESS_AUDIENCE_H
/*
 * audience - from which channels an answer may take its sources.
 *
 * Private  every channel whose history the requester can read: of the guild
 *          where it was asked, or in direct messages of all guilds that are
 *          enabled.
 * Public   the channel where it is said, and those of its guild that everyone
 *          who can see it can read (see crowd): whoever reads the answer could
 *          have read its source.
 * Always   the requester and Sophia herself can read it.
 *
 * What is not known is not allowed. It is computed from the message index, as
 * current as that is, in one view of it.
 *
 * Memory   audience_release().
 * Errors   ERR_DENIED where nothing is known of who may read what.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct context;
struct db;
struct err;

struct audience {
	bool everything;   /* of the person at the machine: no lists are made */
	int64_t *channels; /* channel.ord, of those allowed */
	size_t channel_count;
	uint64_t *guilds; /* those they are of */
	size_t guild_count;
	size_t hidden; /* channels of these guilds that are left out */
};

int audience_find(struct audience *a, struct db *db, const struct context *c,
    struct err *e);
void audience_release(struct audience *a); /* harmless on {0}, or twice */

#endif
