#ifndef DISCORD_PERMISSION_H
#define DISCORD_PERMISSION_H
/*
 * permission - what somebody may do in a guild and in a channel, computed from
 * roles and overwrites alone ("Permissions" in Discord's documentation).
 *
 * The caller brings together what the algorithm needs; nothing is looked up. A
 * thread is asked with the overwrites of its parent; whether somebody is in a
 * private one is the caller's to know.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/community.h"

#define PERMIT_ADMINISTRATOR (UINT64_C(1) << 3)
#define PERMIT_MANAGE_CHANNELS (UINT64_C(1) << 4)
#define PERMIT_VIEW (UINT64_C(1) << 10)
#define PERMIT_SEND (UINT64_C(1) << 11)
#define PERMIT_TTS (UINT64_C(1) << 12)
#define PERMIT_MANAGE_MESSAGES (UINT64_C(1) << 13)
#define PERMIT_EMBED (UINT64_C(1) << 14)
#define PERMIT_ATTACH (UINT64_C(1) << 15)
#define PERMIT_HISTORY (UINT64_C(1) << 16)
#define PERMIT_EVERYONE (UINT64_C(1) << 17)
#define PERMIT_CONNECT (UINT64_C(1) << 20)
#define PERMIT_MANAGE_ROLES (UINT64_C(1) << 28)
#define PERMIT_MANAGE_THREADS (UINT64_C(1) << 34)
#define PERMIT_PUBLIC_THREADS (UINT64_C(1) << 35)
#define PERMIT_PRIVATE_THREADS (UINT64_C(1) << 36)
#define PERMIT_SEND_IN_THREADS (UINT64_C(1) << 38)
#define PERMIT_POLLS (UINT64_C(1) << 49)

struct permission {
	uint64_t guild, user;
	bool owner;        /* of the guild */
	bool timed_out;    /* may not speak just now */
	uint64_t everyone; /* permissions of the role @everyone */
	uint64_t granted;  /* those of all their other roles together */
	const uint64_t *roles;
	size_t role_count;
};

/* In the guild as such. */
uint64_t permission_base(const struct permission *p);

/* In a channel with these overwrites. */
uint64_t permission_in(const struct permission *p,
    const struct overwrite *overwrites, size_t count);

/*
 * All rules: in a channel or thread of that kind (enum channel_kind), with what
 * the lack of one permission takes with it. joined: they are in that thread,
 * which counts in a private one.
 */
uint64_t permission_at(const struct permission *p, int64_t kind, bool joined,
    const struct overwrite *overwrites, size_t count);

#endif
