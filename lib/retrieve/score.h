#ifndef RETRIEVE_SCORE_H
#define RETRIEVE_SCORE_H
/*
 * score - BM25 over the lists of words, filters and all, in one pass.
 *
 * k1 = .9 and b = .4 rank short chat messages better than the 1.2 and .75 that
 * FTS5 has (measured on three chats; b = .75 suits long documents). The weight
 * of a word is ln(1 + (N - n + .5) / (n + .5)), which is never negative.
 *
 * Frozen   What a score depends on besides the message is in struct
 *          score_frozen, so that a later page of the same answer, asked after
 *          new messages came, is scored as the first one was.
 * Memory   Lists and filters are the caller's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ext/rank.h"

struct slabs;
struct err;
struct top;

enum { SCORE_WORDS = 32 }; /* words of a query that count */

struct score_frozen {
	int64_t messages, tokens; /* in the whole index */
	uint32_t high;            /* the highest ordinal there was */
	uint32_t words;
	uint32_t found[SCORE_WORDS]; /* messages that have the word */
};

struct score_filter {
	const unsigned char *channels; /* a bit by ordinal; NULL for all */
	size_t channel_bits;
	/* Asked only of a message that would be kept: 1, 0, or -1 and *e. */
	int (*pass)(void *ctx, uint32_t ord, struct err *e); /* or NULL */
	void *ctx;
};

struct score {
	const struct rank_list *lists; /* frozen.words of them */
	struct score_frozen frozen;
	struct slabs *slabs;
};

/* The weight of a word that `found` of `messages` have. */
double score_weight(int64_t messages, uint32_t found);

/*
 * What a word of that weight adds where it is that many times. length is how
 * much that is held down in a long text; 1 as in one of mean length.
 */
double score_worth(double weight, double times, double length);

/* Whether the filter lets this channel in. */
bool score_channel(const struct score_filter *f, uint32_t channel);

/* Add the messages that have any of the words to top. */
int score_any(const struct score *s, const struct score_filter *f,
    struct top *top, struct err *e);

/* How often the list's word is in that message; 0 if it is not. */
uint32_t score_times(const struct rank_list *list, uint32_t ord);

/* The score of one message, from 0. */
int score_one(const struct score *s, uint32_t ord, double *score,
    struct err *e);

#endif
