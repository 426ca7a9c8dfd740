#ifndef ACCESS_REALM_H
#define ACCESS_REALM_H
/*
 * realm - who may do what in a guild, as the message index knows it: brought
 * together once, to be asked for many channels and people.
 *
 * What is not known gives nothing: a guild whose structure Discord never told,
 * or that Sophia has left, is no realm, and whose roles aren't known may do
 * nothing.
 *
 * Memory   realm_release() frees it; what is handed out is borrowed from it.
 * Order    All of it in one view of the database.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"
#include "discord/crowd.h"
#include "discord/permission.h"

struct db;
struct realm_member;

struct realm_channel {
	uint64_t id, parent;
	int64_t ord, kind;
	struct crowd_rules rules; /* of a thread those of its parent */
	bool ruled;               /* they are known */
	size_t from;              /* private: where its own begin */
};

struct realm {
	struct crowd crowd; /* its known() asks for members of this realm */
	struct realm_channel *channels; /* by id */
	size_t channel_count;

	struct db *db; /* private from here */
	int64_t now_ms;
	struct overwrite *overwrites;
	size_t overwrite_count;
	struct crowd_role *roles;
	struct realm_member *members; /* those asked for so far */
	struct err failed;            /* while asking */
};

/* 1, 0 if nothing is known of that guild, or -1. It must not move then. */
int realm_open(struct realm *r, struct db *db, uint64_t guild, int64_t now_ms,
    struct err *e);
void realm_release(struct realm *r); /* harmless on {0}, or twice */

const struct realm_channel *realm_channel(const struct realm *r, uint64_t id);

/* What a user may do in one: 1 and *bits, 0 if that isn't known, or -1. */
int realm_bits(struct realm *r, uint64_t user, const struct realm_channel *c,
    uint64_t *bits, struct err *e);

#endif
