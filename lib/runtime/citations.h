#ifndef RUNTIME_CITATIONS_H
#define RUNTIME_CITATIONS_H
/*
 * citations - the sources a turn has seen, and which of them an answer links.
 * Pure.
 *
 * A link to a message (https://discord.com/channels/...) that no source has was
 * made up by the model. Other links may be common knowledge and are let pass.
 *
 * Memory   {0} has seen nothing; sources are copied, each URL once.
 */

#include <stddef.h>

struct buf;
struct json;

struct citations {
	struct citation *list; /* private */
	size_t count;
};

/* Remember the array of sources of a result; see sophia-records(5). */
void citations_add(struct citations *c, const struct json *sources);

/* A source is gone: from now on it is none, whatever is added. */
void citations_drop(struct citations *c, const char *url);

/* Add the links of the text to what is gone to b, a line each; how many. */
size_t citations_gone(const struct citations *c, const char *text,
    struct buf *b);

/* Write the JSON array of those whose URL is in the text, in its order. */
void citations_write(struct buf *b, const struct citations *c,
    const char *text);

/* Add the made-up links of the text to b, a line each; returns how many. */
size_t citations_unseen(const struct citations *c, const char *text,
    struct buf *b);

void citations_release(struct citations *c);

#endif
