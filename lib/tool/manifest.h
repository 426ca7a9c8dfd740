#ifndef TOOL_MANIFEST_H
#define TOOL_MANIFEST_H
/*
 * manifest - what a tool is: one JSON file, see sophia-tool(5).
 *
 * Memory   A manifest owns its texts until manifest_release().
 * Errors   A fault names the file and the field that is wrong.
 */

#include <limits.h>
#include <stdbool.h>

#include "record/tier.h"

struct err;
struct faults;
struct json;

enum { MANIFEST_COMMAND_MAX = 16 }; /* words of a command */

enum need { /* bits of manifest.needs; only the first ones mean secrets */
	NEED_DISCORD = 1, /* Discord's token */
	NEED_MODEL = 2,   /* the providers' keys */
	NEED_SEARCH = 4,  /* the web search key */
	NEED_NETWORK = 8,
	NEED_CONTAINER = 16,
	NEED_INDEX = 32,
	NEED_TASK = 64,
};

struct manifest {
	const char *name, *description;
	const struct json *parameters; /* schema of the arguments' object */
	enum tier tier;
	const char *const *command; /* as written; ended by NULL */
	bool serve;                 /* it takes call after call */
	unsigned needs;
	int time_limit_s;
	bool attach;         /* it hands over artifacts, see record/attach */
	bool visible;        /* from the start; else tool_search reveals it */
	const char *publish; /* where it publishes to, or NULL */
	const char *path;    /* of its file */

	struct json *root; /* private from here */
	const char **argv;
	char *file;
};

/*
 * Read and check one file: 0, or -1 with every fault in f. Release it in either
 * case.
 */
int manifest_examine(struct manifest *m, const char *path, struct faults *f);
void manifest_release(struct manifest *m); /* harmless on {0}, or twice */

/*
 * The program to run: command[0] beside our own binary, else in $PATH; with
 * "./" relative to the manifest's folder; or absolute. ERR_CONFIG if there is
 * none that can be executed.
 */
int manifest_program(const struct manifest *m, char out[PATH_MAX],
    struct err *e);

/* The loop itself serves this tool: there is no program to start. */
bool manifest_is_loop(const struct manifest *m);

/* "discord", ...; NULL past the last one. */
const char *manifest_need_word(int index, enum need *need);

#endif
