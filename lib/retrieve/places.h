#ifndef RETRIEVE_PLACES_H
#define RETRIEVE_PLACES_H
/*
 * places - people and channels as a tool's answer shows them.
 *
 * Each function runs in a view of the corpus, and appends JSON to data and a
 * line to summary. Nobody found, or several, is an answer here, no error.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus;
struct buf;
struct err;
struct json;

enum { PLACES_LIMIT = 500 };

/* Who the name means: {"resolved", "candidates": [..., "names": [...]]}. */
int places_member(struct corpus *c, const char *name, size_t limit,
    struct buf *data, struct buf *summary, struct err *e);

/* What each name means: {"channels": [...], "unclear": [...], "unknown"}. */
int places_channels(struct corpus *c, const struct json *names,
    struct buf *data, struct buf *summary, struct err *e);

struct places_wish {
	const char *category; /* NULL for all */
	bool threads;
	int64_t limit;
	const char *cursor; /* the id of the last place shown, or NULL */
};

int places_list(struct corpus *c, const struct places_wish *w, struct buf *data,
    struct buf *summary, struct buf *cursor, struct err *e);

#endif
