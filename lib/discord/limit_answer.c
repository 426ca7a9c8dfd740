/* What the answers teach a limiter. */
#include <stddef.h>

#include "discord/limit.h"
#include "discord/limit_table.h"
#include "discord/quota.h"

enum {
	SECOND_MS = 1000,
	UNSAID_MS = 5000,     /* to wait where a 429 doesn't say how long */
	EDGE_MS = 10000,      /* and where no Discord spoke, */
	EDGE_MAX_MS = 600000, /* doubled up to that */
	LONGEST_JITTER_MS = 2000,
	TOO_MANY = 429,
	FORBIDDEN = 403,
	UNAUTHORIZED = 401,
};

/* Up to a tenth more, so that those who wait don't come at once. */
static int64_t
with_jitter(struct limit *l, int64_t wait_ms)
{
	int64_t most = wait_ms / 10 + 1;

	if (most > LONGEST_JITTER_MS)
		most = LONGEST_JITTER_MS;
	l->random = l->random * 6364136223846793005U + 1442695040888963407U;
	return wait_ms + (int64_t)((l->random >> 33) % (uint64_t)most);
}

static void
later(int64_t *until_ms, int64_t at_ms)
{
	if (*until_ms < at_ms)
		*until_ms = at_ms;
}

/* What was sent before its bucket was known takes a place of that. */
static void
move_flights(struct limit *l, const struct limit_route *r)
{
	for (size_t i = 0; i < LIMIT_FLIGHTS; i++) {
		struct limit_flight *f = &l->flights[i];

		if (f->id && f->route == r->key)
			f->bucket = limit_key(r->bucket, f->major);
	}
}

/* Which bucket the route belongs to, and what that allows. */
static void
learn_route(struct limit *l, const struct limit_ask *a, const struct quota *q,
    int64_t now_ms)
{
	struct limit_route *r = limit_find_route(l, a->route);
	bool said = q->bucket && q->limit > 0;

	if (!said && (r || q->status < 200 || q->status >= 300))
		return; /* an error says nothing by saying nothing */
	if (!r) {
		r = limit_new_route(l);
		*r = (struct limit_route){.key = a->route};
	}
	r->used_ms = now_ms;
	if (!said)
		return;
	r->limit = q->limit;
	if (r->bucket != q->bucket) {
		r->span_ms = 0;
		r->bucket = q->bucket;
		move_flights(l, r);
	}
	if (q->reset_ms > r->span_ms)
		r->span_ms = q->reset_ms;
}

/* Is it certain that both mean the same window, all of which last span_ms? */
static bool
is_same(const struct limit_window *a, const struct limit_window *b,
    int64_t span_ms)
{
	int64_t from_ms = a->from_ms < b->from_ms ? a->from_ms : b->from_ms;
	int64_t to_ms = a->to_ms > b->to_ms ? a->to_ms : b->to_ms;

	return to_ms - from_ms < span_ms;
}

/* What two know together of the window they both fell in. */
static void
agree(struct limit_window *w, const struct limit_window *other)
{
	if (w->from_ms < other->from_ms)
		w->from_ms = other->from_ms;
	if (w->to_ms > other->to_ms)
		w->to_ms = other->to_ms;
	w->used += other->used;
}

/* No row is free: count it with the one that ends last, as long as either. */
static void
add_to_last(struct limit_bucket *b, const struct limit_window *new)
{
	struct limit_window *last = &b->windows[0];

	for (size_t i = 1; i < LIMIT_WINDOWS; i++)
		if (b->windows[i].to_ms > last->to_ms)
			last = &b->windows[i];
	later(&last->to_ms, new->to_ms);
	last->used += new->used;
}

/* Count an answered request in the window that it fell in; returns that. */
static struct limit_window *
count_in(struct limit_bucket *b, const struct limit_window *new,
    int64_t span_ms, int64_t now_ms)
{
	struct limit_window *free = NULL;

	for (size_t i = 0; i < LIMIT_WINDOWS; i++) {
		struct limit_window *w = &b->windows[i];

		if (w->to_ms <= now_ms) {
			free = w;
		} else if (is_same(w, new, span_ms)) {
			agree(w, new);
			return w;
		}
	}
	if (!free) {
		add_to_last(b, new);
		return NULL;
	}
	*free = *new;
	return free;
}

/* The bucket of an answer, made if need be; NULL if there is no room. */
static struct limit_bucket *
bucket_of(struct limit *l, uint64_t key, int64_t now_ms)
{
	struct limit_bucket *b = limit_find_bucket(l, key);

	if (!b && (b = limit_new_bucket(l, now_ms)) != NULL)
		*b = (struct limit_bucket){.key = key, .limit = 1};
	return b;
}

/*
 * The window ends as long after the request reached Discord as the answer says,
 * and it reached it between its sending and now. If Discord counted more in it
 * than we can have sent, others share our token.
 */
static void
learn_bucket(struct limit *l, const struct limit_ask *a,
    const struct limit_flight *f, const struct quota *q, int64_t now_ms)
{
	const struct limit_route *r = limit_find_route(l, a->route);
	uint64_t key = limit_key(q->bucket, a->major);
	struct limit_bucket *b = bucket_of(l, key, now_ms);
	struct limit_window *w,
	    new = {
		.from_ms = (f->id ? f->sent_ms : now_ms) + q->reset_ms - 1,
		.to_ms = now_ms + q->reset_ms + 1,
		.used = q->status != TOO_MANY,
	    };
	int64_t others;

	if (!b)
		return;
	b->limit = q->limit;
	w = count_in(b, &new, r ? r->span_ms : 0, now_ms);
	others = q->limit - q->left - limit_under_way(l, key);
	if (w && w->used < others)
		w->used = others;
}

/*
 * It may have been counted, but no answer says in which window: take its place
 * for as long as a window lasts.
 */
static void
count_unsaid(struct limit *l, uint64_t bucket, int64_t span_ms, int64_t now_ms)
{
	struct limit_bucket *b = limit_find_bucket(l, bucket);

	if (b)
		(void)count_in(b,
		    &(struct limit_window){
			.from_ms = now_ms,
			.to_ms = now_ms + span_ms,
			.used = 1,
		    },
		    0, now_ms);
}

static int64_t
span_of(struct limit *l, const struct limit_ask *a)
{
	const struct limit_route *r = limit_find_route(l, a->route);

	return r && r->span_ms ? r->span_ms : SECOND_MS;
}

/* Nothing more of this bucket before its time. */
static void
empty_bucket(struct limit *l, uint64_t key, int64_t until_ms, int64_t now_ms)
{
	struct limit_bucket *b = bucket_of(l, key, now_ms);

	if (b)
		later(&b->until_ms, until_ms);
}

static void
too_many(struct limit *l, const struct limit_ask *a, const struct quota *q,
    int64_t now_ms)
{
	const struct limit_route *r = limit_find_route(l, a->route);
	int64_t wait_ms = quota_wait_ms(q);

	if (q->scope != QUOTA_SHARED)
		limit_count_invalid(l, now_ms);
	if (!q->json && !q->bucket) {
		int64_t hard_ms = EDGE_MS;

		for (int64_t i = 0; i < l->edges && hard_ms < EDGE_MAX_MS; i++)
			hard_ms *= 2;
		l->edges++;
		if (hard_ms > EDGE_MAX_MS)
			hard_ms = EDGE_MAX_MS;
		later(&wait_ms, hard_ms);
		later(&l->edge_until_ms, now_ms + with_jitter(l, wait_ms));
		return;
	}
	if (wait_ms < 0)
		wait_ms = q->reset_ms >= 0 ? q->reset_ms : UNSAID_MS;
	wait_ms = with_jitter(l, wait_ms);
	if (q->scope == QUOTA_GLOBAL)
		later(&l->global_until_ms, now_ms + wait_ms);
	else if (r && r->bucket)
		empty_bucket(l, limit_key(r->bucket, a->major),
		    now_ms + wait_ms, now_ms);
	else
		empty_bucket(l, limit_key(a->route, a->major), now_ms + wait_ms,
		    now_ms);
}

static void
take_verdict(struct limit *l, const struct limit_ask *a, const struct quota *q,
    int64_t now_ms)
{
	if (q->status >= 200 && q->status < 300)
		l->edges = 0;
	if (q->status == UNAUTHORIZED || q->status == FORBIDDEN)
		limit_count_invalid(l, now_ms);
	if (q->status == UNAUTHORIZED && a->token) {
		l->refused = a->token;
		l->refused_until_ms = now_ms + LIMIT_REFUSED_MS;
	}
	if (q->status == TOO_MANY)
		too_many(l, a, q, now_ms);
}

/* It reached Discord by now; so its second is over in one. */
static void
land(struct limit *l, struct limit_flight *f, int64_t now_ms)
{
	if (f->place >= 0 && f->place < LIMIT_GLOBAL &&
	    l->free_ms[f->place] > now_ms + SECOND_MS)
		l->free_ms[f->place] = now_ms + SECOND_MS;
	*f = (struct limit_flight){0};
}

void
limit_answer(struct limit *l, const struct limit_ask *a, uint64_t flight,
    const struct quota *q, int64_t now_ms)
{
	struct limit_flight *found = limit_find_flight(l, flight);
	struct limit_flight f = found ? *found : (struct limit_flight){0};

	if (found)
		land(l, found, now_ms);
	learn_route(l, a, q, now_ms);
	if (q->bucket && q->limit > 0 && q->left >= 0 && q->reset_ms >= 0 &&
	    q->scope != QUOTA_SHARED)
		learn_bucket(l, a, &f, q, now_ms);
	else if (q->status != TOO_MANY)
		count_unsaid(l, f.bucket, span_of(l, a), now_ms);
	take_verdict(l, a, q, now_ms);
}

void
limit_cancel(struct limit *l, const struct limit_ask *a, uint64_t flight,
    bool sent, int64_t now_ms)
{
	struct limit_flight *found = limit_find_flight(l, flight);

	if (!found)
		return;
	if (sent)
		count_unsaid(l, found->bucket, span_of(l, a), now_ms);
	land(l, found, now_ms);
}
