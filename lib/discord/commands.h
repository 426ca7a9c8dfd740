#ifndef DISCORD_COMMANDS_H
#define DISCORD_COMMANDS_H
/*
 * commands - are the commands that Discord has those that we want? Pure.
 *
 * Discord answers with more than it was given: ids, versions, nulls, defaults.
 * So ours are looked for in theirs: every field of ours must be there and say
 * the same; one that only theirs has must be empty, unless it is one that
 * Discord adds to a command by itself. No command of theirs may be left over.
 */

#include <stdbool.h>

struct json;

bool commands_same(const struct json *ours, const struct json *theirs);

#endif
