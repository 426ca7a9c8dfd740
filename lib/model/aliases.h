#ifndef MODEL_ALIASES_H
#define MODEL_ALIASES_H
/*
 * aliases - tool names as a provider accepts them, and back.
 *
 * On the wire a name is 1 to 64 of A-Z a-z 0-9 _ - (OpenAI's specification of
 * FunctionObject; one bad name refuses the whole request). A name that is none
 * gets '_' for each other byte, is cut, and numbered if another one has it. The
 * same list of names always gives the same names on the wire.
 *
 * Memory   {0} is an empty list; aliases_release() frees it. The names given
 *          are copied, those handed out live until the release.
 */

#include <stddef.h>

enum { ALIASES_WIRE_MAX = 64 };

struct alias;

struct aliases {
	struct alias *pairs; /* private */
	size_t count, room;
};

/* The name on the wire; added to the list if it is new. */
const char *aliases_wire(struct aliases *n, const char *name);

/* Our name for one from the wire; itself if it is none of the list. */
const char *aliases_own(const struct aliases *n, const char *wire);

void aliases_release(struct aliases *n); /* harmless on {0}, or twice */

#endif
