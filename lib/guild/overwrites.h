#ifndef GUILD_OVERWRITES_H
#define GUILD_OVERWRITES_H
/*
 * overwrites - what a channel allows and denies to single roles and members, to
 * be changed: who may do it is in power.
 *
 * Memory   overwrites_release().
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/community.h"

struct buf;
struct change;
struct err;
struct json;
struct realm_channel;

struct overwrites {
	struct overwrite *at;
	size_t count;
};

void overwrites_release(struct overwrites *o); /* harmless on {0}, or twice */

/* The one of that target: an empty one is added if there is none. */
struct overwrite *overwrites_of(struct overwrites *o, uint64_t target,
    bool member);

/* Those of a channel; NULL has none. */
void overwrites_copy(struct overwrites *o, const struct realm_channel *from);

/*
 * Those of a channel to be made in a category, or in none: like it, but visible
 * only to Sophia and to those whom an array names. They are named in text, too.
 */
int overwrites_private(struct overwrites *o, struct change *c,
    const struct json *who, const struct realm_channel *category, int64_t kind,
    struct buf *text, struct err *e);

/* A role, or a member, that a text means: a mention, an id, a name. */
struct whom {
	uint64_t id;
	bool member;
	char name[128];
};
int overwrites_whom(struct change *c, const char *text, bool member,
    struct whom *w, struct err *e);

/* As an array of Discord's. */
void overwrites_write(const struct overwrites *o, struct buf *to);

/* What all targets together gain, and all that differs, if a becomes b. */
uint64_t overwrites_gained(const struct overwrites *a,
    const struct overwrites *b);
uint64_t overwrites_changed(const struct overwrites *a,
    const struct overwrites *b);

#endif
