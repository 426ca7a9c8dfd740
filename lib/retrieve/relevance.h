#ifndef RETRIEVE_RELEVANCE_H
#define RETRIEVE_RELEVANCE_H
/*
 * relevance - the messages that answer a query best, in order.
 *
 * BM25 chooses a pool of RELEVANCE_POOL messages (retrieve/score). In a chat
 * the answer often stands next to the words that were asked for, so each of
 * the pool then gives .15 of its score to the messages next to it in its
 * channel and .1 to those after them; messages of a person the query names
 * count 1.2 times, questions .9 times; and a stretch of talk (no pause over
 * half an hour) that has many of the words adds .3 of its own score to each of
 * its messages. These constants are the ones that hold on several chats; a
 * wider kernel wins only on the benchmark it was tuned on. With `narrow` off,
 * neighbours get nothing (better for a search of titles).
 *
 * After the pool, and the neighbours it brought in, come the other matches as
 * BM25 ranks them: `tail` is true for these.
 *
 * Memory   relevance_release(). At most RELEVANCE_DEPTH rows are ranked.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "retrieve/cursor.h"
#include "retrieve/score.h"

struct err;
struct scope;
struct query;

enum {
	RELEVANCE_POOL = 128,
	RELEVANCE_DEPTH = 100000, /* nobody reads on past that */
};

struct ranked {
	double score;
	uint64_t id;
	uint32_t ord, channel;
	bool tail;
};

struct relevance {
	struct rank_list lists[SCORE_WORDS];
	struct score score;
	struct ranked *at; /* best first: the page, after the cursor */
	size_t count;
	bool more; /* there are rows after these */
};

/*
 * Rank, from the start or on from c (NULL for the start). With a cursor,
 * frozen is taken from it; else it is what the index holds now.
 */
int relevance_find(struct relevance *r, struct scope *s, const struct query *w,
    const struct cursor *c, bool narrow, size_t limit, struct err *e);
void relevance_release(struct relevance *r);

#endif
