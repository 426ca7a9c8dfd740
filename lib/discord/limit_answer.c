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
	if (r->bucket != q->bucket)
		r->span_ms = 0;
	r->used_ms = now_ms;
	if (!said)
		return;
	r->bucket = q->bucket;
	r->limit = q->limit;
	if (q->reset_ms > r->span_ms)
		r->span_ms = q->reset_ms;
}

/* A bucket seen for the first time, or by a request counted elsewhere. */
static void
join(struct limit_bucket *b, const struct quota *q, int64_t now_ms)
{
	int64_t reset_ms = now_ms + q->reset_ms;

	if (!b->window || (b->reset_ms && b->reset_ms <= now_ms)) {
		b->window++;
		b->left = q->left;
		b->opened_ms = now_ms;
		b->reset_ms = 0;
	} else if (q->left < b->left) {
		b->left = q->left;
	}
	b->limit = q->limit;
	if (b->reset_ms < reset_ms)
		b->reset_ms = reset_ms;
}

/*
 * An answer to a request of the window that runs. If it tells of an end too
 * late to be this window's, another one began meanwhile.
 */
static void
merge(struct limit *l, struct limit_bucket *b, const struct limit_flight *f,
    const struct quota *q, int64_t now_ms)
{
	int64_t reset_ms = now_ms + q->reset_ms;

	b->limit = q->limit;
	if (b->reset_ms && reset_ms > b->reset_ms + (now_ms - f->sent_ms)) {
		b->window++;
		b->opened_ms = now_ms;
		b->reset_ms = reset_ms;
		b->left = q->left - limit_under_way(l, b->key);
		return;
	}
	if (q->left < b->left)
		b->left = q->left;
	if (!b->reset_ms || reset_ms < b->reset_ms)
		b->reset_ms = reset_ms;
}

/* An answer to a request of a window before: if that counted it, give back. */
static void
merge_old(struct limit_bucket *b, const struct quota *q, int64_t now_ms)
{
	if (now_ms + q->reset_ms <= b->opened_ms)
		b->left++;
	else if (!b->reset_ms)
		b->reset_ms = now_ms + q->reset_ms;
	if (b->left > b->limit)
		b->left = b->limit;
}

static void
learn_bucket(struct limit *l, const struct limit_ask *a,
    const struct limit_flight *f, const struct quota *q, int64_t now_ms)
{
	uint64_t key = limit_key(q->bucket, a->major);
	struct limit_bucket *b = limit_find_bucket(l, key);

	if (!b && (b = limit_new_bucket(l, now_ms)) != NULL)
		b->key = key;
	if (!b)
		return;
	if (f->bucket != key)
		join(b, q, now_ms);
	else if (f->window == b->window)
		merge(l, b, f, q, now_ms);
	else
		merge_old(b, q, now_ms);
}

/* No word of a bucket: nothing may be known of when its window ends. */
static void
close_unsaid(struct limit *l, const struct limit_ask *a,
    const struct limit_flight *f, int64_t now_ms)
{
	struct limit_bucket *b = limit_find_bucket(l, f->bucket);
	const struct limit_route *r = limit_find_route(l, a->route);

	if (b && !b->reset_ms && !limit_under_way(l, b->key))
		b->reset_ms = now_ms +
			      (r && r->span_ms ? r->span_ms : SECOND_MS);
}

/* Nothing more of this bucket before its time. */
static void
empty_bucket(struct limit *l, uint64_t key, int64_t until_ms, int64_t now_ms)
{
	struct limit_bucket *b = limit_find_bucket(l, key);

	if (!b && (b = limit_new_bucket(l, now_ms)) != NULL)
		*b = (struct limit_bucket){.key = key, .limit = 1};
	if (!b)
		return;
	b->left = 0;
	later(&b->reset_ms, until_ms);
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
	else
		close_unsaid(l, a, &f, now_ms);
	take_verdict(l, a, q, now_ms);
}

void
limit_cancel(struct limit *l, uint64_t flight, bool sent, int64_t now_ms)
{
	struct limit_flight *f = limit_find_flight(l, flight);
	struct limit_bucket *b = f ? limit_find_bucket(l, f->bucket) : NULL;

	if (!f)
		return;
	if (b && !sent && b->window == f->window)
		b->left++;
	if (b && !b->reset_ms && limit_under_way(l, b->key) == 1)
		b->reset_ms = now_ms + (sent ? SECOND_MS : 0);
	land(l, f, now_ms);
}
