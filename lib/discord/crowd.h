#ifndef DISCORD_CROWD_H
#define DISCORD_CROWD_H
/*
 * crowd - may all who see one channel of a guild read another one? Pure.
 *
 * Who is in a guild is never known for certain, so the answer is for whoever
 * might be: every set of roles that there are. Two roles at most make the
 * difference: one by which somebody sees the first channel, and one by which
 * the second is closed to them; the others only add to what is allowed. So the
 * sets of at most two are looked at, with roles that these channels tell apart
 * and one of each other sort.
 *
 * Anybody may be timed out, and then connects nowhere: so where CONNECT is
 * needed, only a crowd of administrators reads.
 *
 * A user whom an overwrite names is looked at by itself: with the roles that it
 * has, where those are known, else with any.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "discord/permission.h"

struct crowd_role {
	uint64_t id, permissions;
};

/* The overwrites of a channel, or of a thread's parent. */
struct crowd_rules {
	const struct overwrite *at;
	size_t count;
};

struct crowd {
	uint64_t guild, owner;
	uint64_t everyone;              /* what @everyone may */
	const struct crowd_role *roles; /* all others */
	size_t role_count;
	/* Fill in the user, its roles too: false if they aren't known. */
	bool (*known)(void *ctx, uint64_t user, struct permission *p);
	void *ctx;
};

/* Whether everybody with VIEW in `seen` has all of `need` in `read`. */
bool crowd_covers(const struct crowd *c, const struct crowd_rules *seen,
    const struct crowd_rules *read, uint64_t need);

#endif
