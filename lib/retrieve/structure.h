#ifndef RETRIEVE_STRUCTURE_H
#define RETRIEVE_STRUCTURE_H
/*
 * structure - how a community is laid out, as far as the index knows.
 *
 * Guilds by name; in each the categories by name, under them their channels,
 * under these their threads, with how many messages are indexed. A channel's
 * place is its depth: 0 a category or a channel without one.
 *
 * Memory   structure_release().
 */

#include <stddef.h>
#include <stdint.h>

struct corpus;
struct err;

struct place {
	uint64_t id, parent, guild;
	int depth;
	int64_t messages;
	char *name, *type, *topic, *guild_name;
};

struct structure {
	struct place *at; /* in the order in which they are shown */
	size_t count;
};

int structure_read(struct structure *s, struct corpus *c, struct err *e);
void structure_release(struct structure *s); /* harmless on {0}, or twice */

#endif
