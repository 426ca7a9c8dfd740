#ifndef EXT_RANK_H
#define EXT_RANK_H
/*
 * rank - what FTS5 knows of a word: which messages have it, how often.
 *
 * FTS5's own bm25() looks every match up in another table, which is what makes
 * it slow, and its constants do not suit chat. So an auxiliary function of ours
 * only collects rows and counts, in one pass without a result row, and whoever
 * asks does the scoring in arrays (retrieve/score).
 *
 * Text     A token is data: it is quoted, so none of it is FTS5's syntax.
 * Order    Rows come by rising ordinal, each once.
 * Memory   rank_release() of a list frees it. A list is at most 8 bytes for
 *          each message of the index.
 * Errors   those of ext/db.
 */

#include <stddef.h>
#include <stdint.h>

#include "ext/db.h"

struct err;

struct rank_hit {
	uint32_t ord;
	uint32_t times; /* the word, or the phrase, is in this message */
};

struct rank_list {
	struct rank_hit *hits;
	size_t count, room;
};

struct rank {
	struct db *db;
	struct stmt find;
	struct rank_list *into; /* private: being filled */
};

/*
 * Teach the connection our function. r stays where it is, and both live, until
 * rank_close(), which comes before db_close().
 */
int rank_open(struct rank *r, struct db *db, struct err *e);
void rank_close(struct rank *r); /* harmless on {0}, or twice */

/*
 * Fill the list (what was in it goes) with the messages that hold these tokens
 * one after the other; one token is a phrase too. None finds nothing.
 */
int rank_find(struct rank *r, struct rank_list *list, const char *const *tokens,
    size_t count, struct err *e);

void rank_release(struct rank_list *list); /* harmless on {0}, or twice */

#endif
