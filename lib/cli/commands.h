#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H
/*
 * commands - which sophia-* programs there are: beside our own binary, then
 * those in $PATH, each name once.
 *
 * Order    Those we know by topic, as in the table; then the others by name.
 * Memory   Whoever finds commands releases them.
 */

#include <stddef.h>

struct command {
	const char *topic;   /* NULL for one that isn't ours */
	const char *purpose; /* as its own --help says; "" if it isn't ours */
	char *name;          /* "task" */
	char *path;
};

struct commands {
	struct command *list;
	size_t count;
};

void commands_find(struct commands *c);
void commands_release(struct commands *c); /* harmless on {0}, or twice */

/* The one called so, or NULL. */
const struct command *commands_get(const struct commands *c, const char *name);

/*
 * The ones whose names are so near to a wrong one that it may be mistyped: fill
 * in at most max of them, nearest first; returns how many.
 */
size_t commands_like(const struct commands *c, const char *wrong,
    const char **names, size_t max);

#endif
