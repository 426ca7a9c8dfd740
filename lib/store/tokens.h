#ifndef STORE_TOKENS_H
#define STORE_TOKENS_H
/*
 * tokens - the full-text row of a message, and its length in a chunk.
 *
 * The full-text table keeps no text, so a row can only be deleted by giving its
 * tokens again: make them from the old message, with the language that its row
 * keeps, drop them, then make and put the new ones.
 *
 * Memory   {0} is empty; tokens_open() gives it its analyzer.
 * Store functions (store/base): the caller holds the transaction, and calls
 * tokens_begin() in each.
 */

#include <stdint.h>

#include "core/buf.h"
#include "ext/db.h"
#include "store/chunk.h"

struct err;
struct message;
struct text;

struct tokens {
	struct db *db;
	struct text *text;
	struct chunks chunks;
	struct stmt put, drop;
	struct buf words, made; /* the tokens made last */
	int64_t total;          /* tokens added since tokens_begin() */
	int64_t left_from;      /* ordinals left to a rebuild, see below */
};

void tokens_open(struct tokens *t, struct db *db);
void tokens_close(struct tokens *t); /* harmless on {0}, or twice */

void tokens_begin(struct tokens *t);
int tokens_end(struct tokens *t, struct err *e);

/*
 * In a transaction of anybody but the rebuild: have one that is under way, or
 * was broken off, make the tokens that are still before it. It threw away those
 * that were there, and would make those put now again.
 */
int tokens_respect_rebuild(struct tokens *t, struct err *e);

/* Make the tokens of a message: how many, or -1. */
int tokens_make(struct tokens *t, const struct message *m, const char *language,
    struct err *e);

/* Store the tokens made last, which are count, for an ordinal. */
int tokens_put(struct tokens *t, int64_t ord, uint32_t channel, int count,
    struct err *e);

/* Take them away: they must be those that were put. */
int tokens_drop(struct tokens *t, int64_t ord, int count, struct err *e);

#endif
