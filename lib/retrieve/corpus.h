#ifndef RETRIEVE_CORPUS_H
#define RETRIEVE_CORPUS_H
/*
 * corpus - the message index, open for reading, and what reading it needs.
 *
 * Views    corpus_begin() starts one consistent view, corpus_end() lets it
 *          go; nothing is written to a pipe in between. What was kept in
 *          memory is forgotten when somebody else has written since.
 * Errors   ERR_CONFIG if there is no index yet, saying how to make one; what
 *          is not open is opened by corpus_begin(), which then says it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"
#include "ext/rank.h"
#include "retrieve/slabs.h"
#include "store/base.h"

struct context;
struct err;
struct text;

struct corpus {
	struct store store;
	struct db *db; /* of the store */
	struct rank rank;
	struct slabs slabs;
	struct text *text;
	int64_t version; /* SQLite's data_version of what is in memory */

	/* As of the last corpus_begin(). */
	uint64_t generation; /* another one when ordinals are given anew */
	int64_t analyzer;    /* text_version() of who made its tokens */
	int64_t messages, tokens;
	uint32_t high; /* the highest ordinal; 0 if there are no messages */

	bool narrow;   /* not all channels are in the view, */
	size_t hidden; /* so many of the asker's guilds are not */
};

int corpus_open(struct corpus *c, struct err *e);
void corpus_close(struct corpus *c); /* harmless on {0}, or twice */

int corpus_begin(struct corpus *c, struct err *e);
int corpus_begin_for(struct corpus *c, const struct context *asker,
    struct err *e); /* ERR_DENIED: see audience */
void corpus_end(struct corpus *c);

#endif
