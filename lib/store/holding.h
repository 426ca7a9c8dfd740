#ifndef STORE_HOLDING_H
#define STORE_HOLDING_H
/*
 * holding - one thing of a task, as a person names it: the file of that path,
 * else the artifact of that filename or id.
 *
 * Memory   {0}; its texts are its own until holding_release().
 * Errors   ERR_INPUT there is no such thing.
 */

#include <stdint.h>

#include "store/content.h"

struct err;
struct store;

struct holding {
	char *name; /* without a folder */
	char *media;
	int64_t size;
	char hash[CONTENT_HASH + 1]; /* for content_get() */
};

/* The one or the other: 1, 0 if there is none, or -1. */
int holding_file(struct holding *h, struct store *s, const char *task,
    const char *path, struct err *e);
int holding_artifact(struct holding *h, struct store *s, const char *task,
    const char *which, int64_t version, struct err *e);

/* version counts as in store/artifact; with one, no file is meant. */
int holding_find(struct holding *h, struct store *s, const char *task,
    const char *which, int64_t version, struct err *e);
void holding_release(struct holding *h); /* harmless on {0}, or twice */

#endif
