#ifndef CONVERSE_REGISTRY_H
#define CONVERSE_REGISTRY_H
/*
 * registry - the slash commands that people see, as Discord keeps them.
 *
 * They are the data of share/discord/commands.json. At a start those that
 * Discord has are fetched, and all are replaced if, and only if, they differ:
 * creating commands is limited to so many a day. A failure is complained of;
 * everything else works without them.
 *
 * Memory   {0} is none; registry_release() is harmless on it, or twice.
 * Errors   ERR_CONFIG for a file that can't be read.
 */

#include "core/buf.h"

struct converse;
struct err;
struct json;

struct registry {
	struct buf text; /* private */
	struct json *ours;
};

int registry_start(struct converse *c, struct err *e);
void registry_release(struct registry *r);

#endif
