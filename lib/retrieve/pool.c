#include "retrieve/pool.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/db.h"
#include "retrieve/corpus.h"
#include "retrieve/scope.h"
#include "retrieve/score.h"
#include "retrieve/top.h"
#include "retrieve/query.h"

enum {
	REACH = 2, /* neighbours on each side that get a share */
	ROOM = RELEVANCE_POOL * (1 + 2 * REACH),
	SLOTS = 4096,
	PAUSE_MS = 30 * 60 * 1000, /* ends a stretch of talk */
};

static const double share[REACH] = {.15, .1};
static const double named = 1.2, asking = .9, talk = .3;

static struct pool_row *
look_up(const struct pool *p, uint32_t ord)
{
	uint32_t i = p->table ? p->table[ord % SLOTS] : 0;

	while (i && p->at[i - 1].row.ord != ord)
		i = p->at[i - 1].next;
	return i ? &p->at[i - 1] : NULL;
}

bool
pool_has(const struct pool *p, uint32_t ord)
{
	return look_up(p, ord) != NULL;
}

void
pool_release(struct pool *p)
{
	free(p->at);
	free(p->table);
	*p = (struct pool){0};
}

static struct pool_row *
add(struct pool *p, uint32_t ord)
{
	struct pool_row *row = &p->at[p->count++];

	row->row.ord = ord;
	row->next = p->table[ord % SLOTS];
	p->table[ord % SLOTS] = (uint32_t)p->count;
	return row;
}

/* Whether a text ends by asking; in Latin, Greek, Arabic and full width. */
static bool
asks(const char *text, size_t len)
{
	static const char *const marks[] = {"?", "\xef\xbc\x9f", "\xd8\x9f"};

	while (len && strchr(" \t\r\n\")", text[len - 1]))
		len--;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i]);

		if (len >= n && memcmp(text + len - n, marks[i], n) == 0)
			return true;
	}
	return false;
}

/* What it is, and what that makes of its own score. 0 if it is gone. */
static int
describe(struct pool *p, struct stmt *q, struct scope *s, struct scored hit,
    struct err *e)
{
	static const char sql
	    [] = "SELECT id, channel, author, text FROM message WHERE ord = ?1";
	struct pool_row *row;
	int found;

	stmt_start(q, s->corpus->db, sql);
	stmt_int(q, 1, hit.ord);
	found = stmt_next(q, e);
	if (found <= 0)
		return found;
	row = add(p, hit.ord);
	row->row.id = (uint64_t)row_int(q, 0);
	row->row.channel = (uint32_t)row_int(q, 1);
	row->own = hit.score;
	if (ords_have(&p->words->people, (uint32_t)row_int(q, 2)))
		row->own *= named;
	if (asks(row_text(q, 3), row_len(q, 3)))
		row->own *= asking;
	stmt_reset(q);
	return 1;
}

/* A neighbour gets its share, and is ranked from now on if the scope has it. */
static int
give(struct pool *p, const struct score *score, const struct score_filter *f,
    const struct ranked *neighbour, double amount, struct err *e)
{
	struct pool_row *row = look_up(p, neighbour->ord);
	int pass = 1;
	double own;

	if (row) {
		row->given += amount;
		return 0;
	}
	if (f->pass && (pass = f->pass(f->ctx, neighbour->ord, e)) <= 0)
		return pass;
	if (score_one(score, neighbour->ord, &own, e) < 0)
		return -1;
	row = add(p, neighbour->ord);
	row->row.id = neighbour->id;
	row->row.channel = neighbour->channel;
	row->own = own;
	row->given = amount;
	return 0;
}

/* Give a row's neighbours on one side their shares. */
static int
spread(struct pool *p, struct stmt *q, struct scope *s,
    const struct score *score, const struct score_filter *f,
    const struct pool_row *from, const char *sql, struct err *e)
{
	struct ranked neighbour = {.channel = from->row.channel};
	double amount = from->own;
	int row;

	stmt_start(q, s->corpus->db, sql);
	stmt_int(q, 1, from->row.channel);
	stmt_int(q, 2, (int64_t)from->row.id);
	stmt_int(q, 3, score->frozen.high);
	for (size_t i = 0; i < REACH && (row = stmt_next(q, e)) != 0; i++) {
		if (row < 0)
			return -1;
		neighbour.id = (uint64_t)row_int(q, 0);
		neighbour.ord = (uint32_t)row_int(q, 1);
		if (give(p, score, f, &neighbour, share[i] * amount, e) < 0)
			return -1;
	}
	stmt_reset(q);
	return 0;
}

static int
spread_all(struct pool *p, struct scope *s, const struct score *score,
    const struct score_filter *f, struct err *e)
{
	static const char earlier
	    [] = "SELECT id, ord FROM message WHERE channel = ?1 AND id < ?2"
		 " AND ord <= ?3 ORDER BY id DESC LIMIT 2";
	static const char later
	    [] = "SELECT id, ord FROM message WHERE channel = ?1 AND id > ?2"
		 " AND ord <= ?3 ORDER BY id LIMIT 2";
	struct stmt back = {0}, on = {0};
	size_t count = p->count;
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++) {
		result = spread(p, &back, s, score, f, &p->at[i], earlier, e);
		if (result == 0)
			result = spread(p, &on, s, score, f, &p->at[i], later,
			    e);
	}
	stmt_end(&back);
	stmt_end(&on);
	return result;
}

static int
by_time(const void *a, const void *b)
{
	const struct pool_row *x = a, *y = b;

	if (x->row.channel != y->row.channel)
		return x->row.channel < y->row.channel ? -1 : 1;
	return (x->row.id > y->row.id) - (x->row.id < y->row.id);
}

static int
by_rank(const void *a, const void *b)
{
	const struct pool_row *x = a, *y = b;
	struct scored p = {x->row.score, x->row.ord};
	struct scored q = {y->row.score, y->row.ord};

	return top_order(&p, &q);
}

static bool
same_talk(const struct pool_row *a, const struct pool_row *b)
{
	return a->row.channel == b->row.channel &&
	       snowflake_ms(b->row.id) - snowflake_ms(a->row.id) <= PAUSE_MS;
}

/* What the words of a stretch of talk are worth together. */
static double
worth(const struct score *s, const struct pool_row *rows, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < s->frozen.words; i++) {
		double n = 0;

		for (size_t k = 0; k < count; k++)
			n += score_times(&s->lists[i], rows[k].row.ord);
		sum += score_worth(
		    score_weight(s->frozen.messages, s->frozen.found[i]), n, 1);
	}
	return sum;
}

static void
add_talk(struct pool *p, const struct score *score)
{
	size_t from = 0, to;

	for (; from < p->count; from = to) {
		double sum;

		for (to = from + 1;
		     to < p->count && same_talk(&p->at[to - 1], &p->at[to]);)
			to++;
		sum = worth(score, &p->at[from], to - from);
		for (size_t i = from; i < to; i++)
			p->at[i].row.score = p->at[i].own + p->at[i].given +
					     talk * sum;
	}
}

/* The rows have been moved: find them by ordinal again. */
static void
index_again(struct pool *p)
{
	memset(p->table, 0, SLOTS * sizeof(*p->table));
	for (size_t i = 0; i < p->count; i++) {
		uint32_t *slot = &p->table[p->at[i].row.ord % SLOTS];

		p->at[i].next = *slot;
		*slot = (uint32_t)i + 1;
	}
}

int
pool_rank(struct pool *p, struct scope *s, const struct score *score,
    const struct score_filter *f, struct top *top, struct err *e)
{
	struct stmt q = {0};
	int result = 0;

	p->at = mem_array(ROOM, sizeof(*p->at));
	p->table = mem_array(SLOTS, sizeof(*p->table));
	top_sort(top);
	for (size_t i = 0; i < top->count && result >= 0; i++)
		result = describe(p, &q, s, top->at[i], e);
	stmt_end(&q);
	if (result >= 0 && p->narrow)
		result = spread_all(p, s, score, f, e);
	if (result < 0)
		return -1;
	qsort(p->at, p->count, sizeof(*p->at), by_time);
	add_talk(p, score);
	qsort(p->at, p->count, sizeof(*p->at), by_rank);
	index_again(p);
	return 0;
}
