#ifndef GUILD_MENTIONS_H
#define GUILD_MENTIONS_H
/*
 * mentions - whom a message of ours may notify: nobody, but those whom the call
 * names, each of whom stands in the text.
 *
 * The argument `mention` is a list of mentions as they stand there: <@id>,
 * <@&id>, @everyone, @here. The proposal says who they are.
 *
 * Memory   Ids are borrowed from the plan.
 */

#include <stdbool.h>
#include <stddef.h>

struct change;
struct compose;
struct err;
struct json;
struct place;

enum { MENTIONS_MOST = 100 }; /* of each sort, as Discord has it */

struct mentions {
	const char *people[MENTIONS_MOST], *roles[MENTIONS_MOST];
	size_t people_count, role_count;
	bool everyone;
};

/* For a message with that text in that place. ERR_INPUT, ERR_REFUSED. */
int mentions_check(struct change *c, const struct place *p, const char *text,
    struct err *e);

/* From the plan, into a message. m must last as long as it. */
void mentions_take(struct mentions *m, const struct json *plan,
    struct compose *message);

#endif
