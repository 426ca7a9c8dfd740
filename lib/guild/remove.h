#ifndef GUILD_REMOVE_H
#define GUILD_REMOVE_H
/*
 * remove - messages that are to be deleted: what delete_messages and
 * clear_messages have in common.
 *
 * Each message is an item, in the category of its author, and is in the plan;
 * so just those that were listed are deleted, and of them those that were
 * approved.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct change;
struct err;
struct json;
struct place;

enum { REMOVE_MOST = 100 };

struct removal {
	uint64_t ids[REMOVE_MOST];
	size_t count;
	const struct place *first; /* where the first one is */
	bool several;              /* they are not all there */
};

/* Can a message of this kind be deleted at all? */
bool remove_possible(const struct json *message);

/*
 * Add one, once: 0, or ERR_INPUT if it is there already, ERR_REFUSED if Sophia
 * can't delete it. p lasts until remove_propose().
 */
int remove_add(struct change *c, struct removal *r, const struct place *p,
    const struct json *message, struct err *e);

/* After the last one: what is proposed. */
void remove_propose(struct change *c, const struct removal *r);

#endif
