#include "discord/limit.h"

#include <stddef.h>

#include "discord/limit_table.h"
#include "discord/quota.h"

enum {
	LOOK_MS = 20, /* until one looks whether something was answered */
	SECOND_MS = 1000,
	ARRIVE_MS = 300, /* a request reaches Discord within that, or its
			  * answer says when it had */
	MINUTE_MS = 60000,
};

/* What keeps everything back, also what the global limit does not count. */
static enum limit_why
reserve_any(struct limit *l, const struct limit_ask *a, int64_t now_ms,
    int64_t *again_ms)
{
	if (a->token && a->token == l->refused &&
	    now_ms < l->refused_until_ms) {
		*again_ms = l->refused_until_ms;
		return LIMIT_TOKEN;
	}
	if (now_ms < l->edge_until_ms) {
		*again_ms = l->edge_until_ms;
		return LIMIT_EDGE;
	}
	if (limit_invalid(l, now_ms) >= LIMIT_INVALID) {
		*again_ms = (now_ms / MINUTE_MS + 1) * MINUTE_MS;
		return LIMIT_INVALIDS;
	}
	return LIMIT_GO;
}

/* Find a place in this second. */
static enum limit_why
reserve_place(const struct limit *l, const struct limit_ask *a, int64_t now_ms,
    int64_t *place, int64_t *again_ms)
{
	int64_t free = 0, soonest_ms = INT64_MAX;

	*place = -1;
	if (a->exempt)
		return LIMIT_GO;
	if (now_ms < l->global_until_ms) {
		*again_ms = l->global_until_ms;
		return LIMIT_EVERYONE;
	}
	for (int i = 0; i < LIMIT_GLOBAL; i++) {
		if (l->free_ms[i] <= now_ms) {
			*place = i;
			free++;
		} else if (l->free_ms[i] < soonest_ms) {
			soonest_ms = l->free_ms[i];
		}
	}
	if (free > (a->bulk ? LIMIT_BULK_LEAVES : 0))
		return LIMIT_GO;
	*again_ms = soonest_ms;
	return LIMIT_EVERYONE;
}

/* A route that no answer told of yet: one at a time. */
static enum limit_why
reserve_unknown(struct limit *l, uint64_t key, int64_t now_ms,
    int64_t *again_ms)
{
	const struct limit_bucket *b = limit_find_bucket(l, key);

	if (b && b->until_ms > now_ms) {
		*again_ms = b->until_ms;
		return LIMIT_BUCKET;
	}
	if (!limit_under_way(l, key))
		return LIMIT_GO;
	*again_ms = now_ms + LOOK_MS;
	return LIMIT_LEARN;
}

/* When a place of it is free, if no answer comes before. */
static int64_t
free_ms(const struct limit_bucket *b, int64_t now_ms)
{
	int64_t soonest_ms = INT64_MAX;

	for (size_t i = 0; i < LIMIT_WINDOWS; i++)
		if (b->windows[i].to_ms > now_ms &&
		    b->windows[i].to_ms < soonest_ms)
			soonest_ms = b->windows[i].to_ms;
	return soonest_ms == INT64_MAX ? now_ms + LOOK_MS : soonest_ms;
}

static enum limit_why
reserve_known(struct limit *l, const struct limit_route *r, uint64_t key,
    int64_t now_ms, int64_t *again_ms)
{
	struct limit_bucket *b = limit_find_bucket(l, key);

	if (!b) {
		*again_ms = now_ms + LOOK_MS;
		if ((b = limit_new_bucket(l, now_ms)) == NULL)
			return LIMIT_ROOM;
		b->key = key;
		b->limit = r->limit;
	}
	if (b->until_ms > now_ms)
		*again_ms = b->until_ms;
	else if (limit_taken(l, b, now_ms) >= b->limit)
		*again_ms = free_ms(b, now_ms);
	else
		return LIMIT_GO;
	return LIMIT_BUCKET;
}

/* What is counted: the bucket, or the route where that is not known; or 0. */
static uint64_t
counted(const struct limit_route *r, const struct limit_ask *a)
{
	if (!r)
		return limit_key(a->route, a->major);
	return r->bucket ? limit_key(r->bucket, a->major) : 0;
}

static uint64_t
take_off(struct limit *l, const struct limit_ask *a, uint64_t key,
    int64_t place, int64_t now_ms)
{
	struct limit_flight *f = limit_new_flight(l);

	*f = (struct limit_flight){
	    .id = ++l->next,
	    .bucket = key,
	    .route = a->route,
	    .major = a->major,
	    .sent_ms = now_ms,
	    .place = place,
	};
	if (place >= 0)
		l->free_ms[place] = now_ms + ARRIVE_MS + SECOND_MS;
	return f->id;
}

enum limit_why
limit_reserve(struct limit *l, const struct limit_ask *a, int64_t now_ms,
    uint64_t *flight, int64_t *again_ms)
{
	struct limit_route *r = limit_find_route(l, a->route);
	uint64_t key = counted(r, a);
	enum limit_why why;
	int64_t place;

	limit_expire(l, now_ms);
	why = reserve_any(l, a, now_ms, again_ms);
	if (why == LIMIT_GO)
		why = reserve_place(l, a, now_ms, &place, again_ms);
	if (why == LIMIT_GO && !limit_new_flight(l)) {
		*again_ms = now_ms + LOOK_MS;
		why = LIMIT_ROOM;
	}
	if (why == LIMIT_GO && !r)
		why = reserve_unknown(l, key, now_ms, again_ms);
	else if (why == LIMIT_GO && key)
		why = reserve_known(l, r, key, now_ms, again_ms);
	if (why != LIMIT_GO)
		return why;
	if (r)
		r->used_ms = now_ms;
	*flight = take_off(l, a, key, place, now_ms);
	return LIMIT_GO;
}
