#ifndef ACCESS_REALM_H
#define ACCESS_REALM_H
/*
 * realm - who may do what in a guild: brought together once, to be asked for
 * many channels and people.
 *
 * It is filled from the message index (realm_load) or from what Discord just
 * answered (guild/live). What is not known gives nothing: somebody whose roles
 * aren't known may do nothing, and nobody anything in a thread whose parent
 * isn't known.
 *
 * Age      In the index the structure of a guild, its roles and overwrites are
 *          as the gateway last told them: in one session it tells each change.
 *          Somebody's roles count while it tells of members too (the Server
 *          Members intent); without that for REALM_ROLES_MS after Discord last
 *          told them, which it does with each message and command of theirs;
 *          that they are in a private thread then never counts. Once events
 *          were missed nothing counts until it is told again. What Discord
 *          just answered is as old as the call.
 * Order    realm_start(), realm_add_...(), realm_ready(), then questions. It
 *          must not move from realm_ready() on.
 * Memory   realm_release() frees it; what is handed out is borrowed from it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "discord/crowd.h"
#include "discord/permission.h"
#include "record/community.h"

struct db;

enum { REALM_ROLES_MS = 3600000 };

struct realm_channel {
	uint64_t id, parent;
	int64_t ord, kind;
	struct crowd_rules rules; /* of a thread those of its parent */
	bool ruled;               /* they are known */
	size_t from;              /* private: where its own begin */
};

struct realm_member {
	struct realm_member *next; /* private */
	uint64_t user;
	bool known, timed_out; /* its roles are, and then */
	bool left;             /* the guild: that is known, too */
	uint64_t roles[ROLES_MOST];
	size_t role_count;
	uint64_t granted; /* private: what they permit */
};

/* Who is asked for people, once for each. -1 and *e if it can't be told. */
struct realm_source {
	int (*member)(void *ctx, struct realm_member *m, struct err *e);
	/* 1 if the user is in that private thread, else 0. */
	int (*joined)(void *ctx, uint64_t user, const struct realm_channel *c,
	    struct err *e);
	void *ctx;
	struct db *db; /* of realm_load() */
};

struct realm {
	struct crowd crowd; /* its known() asks for members of this realm */
	struct realm_channel *channels; /* by id */
	size_t channel_count;
	struct err failed; /* while crowd asked */

	struct realm_source source; /* private from here */
	struct overwrite *overwrites;
	struct crowd_role *roles;
	size_t overwrite_count, overwrite_room, role_room, channel_room;
	struct realm_member *members; /* those asked for so far */
};

void realm_start(struct realm *r, uint64_t guild, uint64_t owner,
    const struct realm_source *from);
void realm_add_role(struct realm *r, uint64_t id, uint64_t permissions);

/* ord is whatever the caller wants to find there again. */
void realm_add_channel(struct realm *r, const struct channel_facts *c,
    int64_t ord);
void realm_ready(struct realm *r);
void realm_release(struct realm *r); /* harmless on {0}, or twice */

/* From the index: 1, 0 if nothing is known of that guild, or -1. */
int realm_load(struct realm *r, struct db *db, uint64_t guild, struct err *e);

const struct realm_channel *realm_channel(const struct realm *r, uint64_t id);

/* What a user may do in one: 1 and *bits, 0 if that isn't known, or -1. */
int realm_bits(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t *bits, struct err *e);

/* The same in the guild as such. */
int realm_guild_bits(struct realm *r, uint64_t user, uint64_t *bits,
    struct err *e);

/* Is it known what that user may do, or that they left: 1, 0 or -1. */
int realm_knows(struct realm *r, uint64_t user, struct err *e);

#endif
