#ifndef RETRIEVE_LOOKUP_H
#define RETRIEVE_LOOKUP_H
/*
 * lookup - what the command and its tools do, each in one view of the index.
 *
 * What is found is appended to a buffer, whose limit bounds it; the view is
 * closed before it is written anywhere. For records, `people` is false.
 *
 * Errors   as in retrieve/page. A name that is not clear leaves, besides the
 *          error, an `error` record with the candidates, if records are asked.
 */

#include <stdbool.h>
#include <stddef.h>

#include "retrieve/corpus.h"
#include "retrieve/targets.h"

struct buf;
struct err;
struct json;
struct wish;

#define LOOKUP_MAX ((size_t)64 << 20) /* bytes of an answer */

struct lookup {
	struct corpus corpus;
	struct targets unclear; /* of the last lookup that failed at a name */
};

int lookup_open(struct lookup *l, struct err *e);
void lookup_close(struct lookup *l);

/* Read a request line over what the wish holds; lookup_free() the tree. */
int lookup_read(struct wish *w, struct json **root, const char *line,
    size_t len, struct err *e);
void lookup_free(struct json *root);

/* All return how many rows there are. */
int lookup_page(struct lookup *l, const struct wish *w, struct buf *out,
    bool people, struct err *e);
int lookup_random(struct lookup *l, const struct wish *w, struct buf *out,
    bool people, struct err *e);
int lookup_structure(struct lookup *l, struct buf *out, bool people,
    struct err *e);

#endif
