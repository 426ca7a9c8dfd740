#include "retrieve/page.h"

#include <string.h>

#include "core/clock.h"
#include "core/err.h"
#include "core/hash.h"
#include "core/mem.h"
#include "retrieve/chrono.h"
#include "retrieve/corpus.h"
#include "retrieve/exact.h"
#include "retrieve/query.h"
#include "retrieve/relevance.h"
#include "retrieve/wish.h"

struct making {
	struct page *p;
	struct corpus *corpus;
	const struct wish *r;
	struct cursor from, next;
	bool resumed; /* from holds something */
	bool newest;
	struct query query;
};

static enum cursor_lane
choose_lane(const struct wish *r)
{
	bool best = r->query && r->match == MATCH_BEST;

	if (r->lane == LANE_CHRONOLOGICAL || !best)
		return CURSOR_CHRONOLOGICAL;
	return CURSOR_RELEVANCE;
}

/* Wishes that contradict each other are refused, not interpreted. */
static int
check(const struct wish *r, struct err *e)
{
	if (r->lane == LANE_RELEVANCE && !r->query)
		return err_set(e, ERR_INPUT,
		    "ranking by relevance needs words to look for");
	if (r->lane == LANE_RELEVANCE && r->match != MATCH_BEST)
		return err_set(e, ERR_INPUT,
		    "an exact search is in order of time, not of relevance");
	if (r->around && (r->query || r->reply_chain))
		return err_set(e, ERR_INPUT,
		    "around a message there is nothing to search for");
	return 0;
}

static int
resume(struct making *m, uint64_t hash, struct err *e)
{
	m->next = (struct cursor){.lane = m->p->lane,
	    .scope = hash,
	    .generation = m->corpus->generation,
	    .at_ms = clock_now_ms()};
	if (!m->r->cursor)
		return 0;
	if (cursor_read(&m->from, m->r->cursor, e) < 0)
		return -1;
	if (m->from.lane != m->next.lane || m->from.scope != hash)
		return err_set(e, ERR_INPUT,
		    "this cursor belongs to another search; repeat that one's "
		    "words and options with it");
	if (m->from.generation != m->corpus->generation)
		return err_set(e, ERR_INPUT,
		    "the index was made anew since this cursor; ask again "
		    "without it");
	m->resumed = true;
	m->next.at_ms = m->p->since_ms = m->from.at_ms;
	return 0;
}

static void
add_row(struct page *p, struct chrono_row row)
{
	p->rows.at[p->rows.count++] = (struct exchange_row){.id = row.id,
	    .ord = row.ord,
	    .hit = true};
}

static void
add_rows(struct page *p, const struct chrono *c, bool backwards)
{
	for (size_t i = 0; i < c->count; i++)
		add_row(p, c->at[backwards ? c->count - 1 - i : i]);
}

/* The ids that are shown so far, both ends. */
static void
set_ends(struct making *m)
{
	m->next.low = m->from.low;
	m->next.high = m->from.high;
	for (size_t i = 0; i < m->p->rows.count; i++) {
		uint64_t id = m->p->rows.at[i].id;

		if (!m->next.low || id < m->next.low)
			m->next.low = id;
		if (id > m->next.high)
			m->next.high = id;
	}
}

/* Half of the page before what was shown, half after it; by rising time. */
static int
find_around(struct making *m, size_t limit, struct err *e)
{
	uint64_t around = m->p->scope.around;
	struct chrono_stretch before = {.newest = true,
	    .before = m->resumed ? m->from.low : around,
	    .limit = limit / 2};
	struct chrono_stretch after = {.before = UINT64_MAX,
	    .after = m->resumed ? m->from.high : around - 1,
	    .limit = limit - limit / 2};
	struct chrono old = {0}, new = {0};
	int result = -1;

	if (chrono_find(&old, &m->p->scope, &before, e) < 0 ||
	    chrono_find(&new, &m->p->scope, &after, e) < 0)
		goto out;
	add_rows(m->p, &old, true);
	add_rows(m->p, &new, false);
	m->p->more = old.more || new.more;
	result = 0;
out:
	chrono_release(&old);
	chrono_release(&new);
	return result;
}

static int
find_stretch(struct making *m, size_t limit, struct err *e)
{
	struct chrono_stretch stretch = {.before = UINT64_MAX,
	    .newest = m->newest,
	    .limit = limit};
	struct chrono c = {0};
	int result;

	if (m->resumed && m->newest)
		stretch.before = m->from.low;
	else if (m->resumed)
		stretch.after = m->from.high;
	result = chrono_find(&c, &m->p->scope, &stretch, e);
	add_rows(m->p, &c, false);
	m->p->more = c.more;
	m->p->found = c.inside;
	chrono_release(&c);
	return result;
}

static int
find_chronological(struct making *m, struct err *e)
{
	size_t limit = m->r->limit ? (size_t)m->r->limit : PAGE_ROWS;
	int result;

	m->p->rows.at = mem_array(limit, sizeof(*m->p->rows.at));
	m->p->rows.room = limit;
	if (m->r->query && exact_find(&m->p->scope, &m->query, m->r, e) < 0)
		return -1;
	result = m->p->scope.around ? find_around(m, limit, e)
				    : find_stretch(m, limit, e);
	m->p->hits = m->p->rows.count;
	set_ends(m);
	return result;
}

static int
find_relevant(struct making *m, struct err *e)
{
	size_t limit = m->r->limit ? (size_t)m->r->limit : PAGE_HITS;
	int context = m->r->context < 0 ? PAGE_CONTEXT : m->r->context;
	struct relevance found = {0};
	int result;

	result = relevance_find(&found, &m->p->scope, &m->query,
	    m->resumed ? &m->from : NULL, context > 0, limit, e);
	if (result == 0)
		result = exchange_find(&m->p->rows, m->corpus, found.at,
		    found.count, context, found.score.frozen.high, e);
	m->p->hits = found.count;
	m->p->more = found.more;
	m->next.frozen = found.score.frozen;
	if (found.count) {
		m->next.score = found.at[found.count - 1].score;
		m->next.ord = found.at[found.count - 1].ord;
		m->next.tail = found.at[found.count - 1].tail;
	}
	relevance_release(&found);
	return result;
}

/* What decides the rows, besides the scope. */
static uint64_t
hash_of(const struct making *m)
{
	uint64_t hash = hash_number(m->p->scope.hash, m->newest);

	hash = hash_number(hash, m->r->query ? 1 + (uint64_t)m->r->match : 0);
	if (m->p->lane == CURSOR_RELEVANCE)
		hash = hash_number(hash, m->r->context != 0);
	return hash_text(hash, m->r->query);
}

static int
find(struct making *m, struct err *e)
{
	bool ranked = m->p->lane == CURSOR_RELEVANCE;
	bool exact = m->r->match != MATCH_BEST;

	m->newest = m->r->order == ORDER_NEWEST;
	if (scope_open(&m->p->scope, m->corpus, m->r, e) < 0 ||
	    resume(m, hash_of(m), e) < 0)
		return -1;
	if (m->r->query &&
	    query_open(&m->query, &m->p->scope, m->r->query, exact, e) < 0)
		return -1;
	if (ranked ? find_relevant(m, e) < 0 : find_chronological(m, e) < 0)
		return -1;
	if (m->p->hits)
		cursor_write(&m->p->cursor, &m->next);
	else if (m->resumed) /* nothing new: the same place again */
		buf_str(&m->p->cursor, m->r->cursor);
	return 0;
}

int
page_find(struct page *p, struct corpus *c, const struct wish *r, struct err *e)
{
	struct making m = {.p = p, .corpus = c, .r = r};
	int result;

	*p = (struct page){.lane = choose_lane(r), .found = -1};
	result = check(r, e) < 0 ? -1 : find(&m, e);
	query_release(&m.query);
	return result;
}

void
page_release(struct page *p)
{
	scope_release(&p->scope);
	exchange_release(&p->rows);
	buf_release(&p->cursor);
	*p = (struct page){0};
}
