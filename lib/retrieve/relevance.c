#include "retrieve/relevance.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/mem.h"
#include "retrieve/corpus.h"
#include "retrieve/pool.h"
#include "retrieve/scope.h"
#include "retrieve/top.h"
#include "retrieve/query.h"

static int
read_lists(struct relevance *r, struct scope *s, const struct query *w,
    struct err *e)
{
	for (size_t i = 0; i < w->count; i++)
		if (rank_find(&s->corpus->rank, &r->lists[i], &w->token[i], 1,
			e) < 0)
			return -1;
	return 0;
}

/* What the scores depend on: as the cursor says, or as it is now. */
static int
freeze(struct relevance *r, const struct corpus *corpus, const struct query *w,
    const struct cursor *c, struct err *e)
{
	struct score_frozen *f = &r->score.frozen;

	if (c && c->frozen.words != w->count)
		return err_set(e, ERR_INPUT,
		    "the channels' languages have changed since this cursor "
		    "was made; ask again without it");
	if (c) {
		*f = c->frozen;
		return 0;
	}
	*f = (struct score_frozen){.messages = corpus->messages,
	    .tokens = corpus->tokens,
	    .high = corpus->high,
	    .words = (uint32_t)w->count};
	for (size_t i = 0; i < w->count; i++)
		f->found[i] = (uint32_t)r->lists[i].count;
	return 0;
}

/* Whether a row comes after the one that the cursor ends at. */
static bool
after(const struct ranked *row, const struct cursor *c)
{
	struct scored mine = {row->score, row->ord}, last;

	if (!c)
		return true;
	last = (struct scored){c->score, c->ord};
	if (row->tail != (c->tail != 0))
		return row->tail;
	return top_order(&last, &mine) < 0;
}

static void
keep(struct relevance *r, const struct ranked *row, const struct cursor *c,
    size_t limit)
{
	if (!after(row, c))
		return;
	if (r->count < limit)
		r->at[r->count++] = *row;
	else
		r->more = true;
}

/* Another match, as BM25 ranks it: what the pool did not hold. */
static int
keep_tail(struct relevance *r, struct scope *s, struct scored hit,
    const struct cursor *c, size_t limit, struct err *e)
{
	struct ranked row = {.score = hit.score, .ord = hit.ord, .tail = true};
	struct scope_row found;
	int there;

	if (!after(&row, c))
		return 0;
	there = scope_row(s, hit.ord, &found, e);
	if (there <= 0)
		return there;
	row.id = found.id;
	row.channel = found.channel;
	keep(r, &row, c, limit);
	return 0;
}

/*
 * Past the pool, rank deeper: as deep as it takes to fill the page, doubling,
 * since how many of the best were shown with the pool is not known.
 */
static int
find_tail(struct relevance *r, struct scope *s, struct score_filter *f,
    const struct pool *pool, const struct cursor *c, size_t limit,
    struct err *e)
{
	struct top top = {0};
	size_t depth = RELEVANCE_POOL, pooled = r->count;
	bool all = false, more = r->more;
	int result = 0;

	while (result == 0 && !all && !r->more && depth < RELEVANCE_DEPTH) {
		depth *= 4;
		r->count = pooled;
		r->more = more;
		top_open(&top, depth);
		result = score_any(&r->score, f, &top, e);
		top_sort(&top);
		all = top.count < depth;
		for (size_t i = 0; result == 0 && i < top.count && !r->more;
		     i++)
			if (!pool_has(pool, top.at[i].ord))
				result = keep_tail(r, s, top.at[i], c, limit,
				    e);
		top_release(&top);
	}
	return result;
}

int
relevance_find(struct relevance *r, struct scope *s, const struct query *w,
    const struct cursor *c, bool narrow, size_t limit, struct err *e)
{
	struct score_filter f;
	struct pool pool = {.words = w, .narrow = narrow};
	struct top top = {0};
	int result = -1;

	*r = (struct relevance){0};
	r->score.lists = r->lists;
	r->score.slabs = &s->corpus->slabs;
	r->at = mem_array(limit + 1, sizeof(*r->at));
	top_open(&top, RELEVANCE_POOL);
	scope_filter(s, &f);
	if (read_lists(r, s, w, e) < 0 || freeze(r, s->corpus, w, c, e) < 0 ||
	    score_any(&r->score, &f, &top, e) < 0 ||
	    pool_rank(&pool, s, &r->score, &f, &top, e) < 0)
		goto out;
	for (size_t i = 0; i < pool.count; i++)
		keep(r, &pool.at[i].row, c, limit);
	result = 0;
	if (!r->more && top.count == RELEVANCE_POOL)
		result = find_tail(r, s, &f, &pool, c, limit, e);
out:
	pool_release(&pool);
	top_release(&top);
	return result;
}

void
relevance_release(struct relevance *r)
{
	for (size_t i = 0; i < SCORE_WORDS; i++)
		rank_release(&r->lists[i]);
	free(r->at);
	*r = (struct relevance){0};
}
