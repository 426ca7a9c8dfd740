#include "discord/limit_table.h"

#include "core/hash.h"

enum { MINUTE_MS = 60000 };

uint64_t
limit_key(uint64_t bucket, uint64_t major)
{
	return hash_number(hash_number(HASH_START, bucket), major) | 1;
}

struct limit_route *
limit_find_route(struct limit *l, uint64_t key)
{
	for (size_t i = 0; i < LIMIT_ROUTES; i++)
		if (l->routes[i].key == key)
			return &l->routes[i];
	return NULL;
}

struct limit_bucket *
limit_find_bucket(struct limit *l, uint64_t key)
{
	for (size_t i = 0; key && i < LIMIT_BUCKETS; i++)
		if (l->buckets[i].key == key)
			return &l->buckets[i];
	return NULL;
}

struct limit_flight *
limit_find_flight(struct limit *l, uint64_t id)
{
	for (size_t i = 0; id && i < LIMIT_FLIGHTS; i++)
		if (l->flights[i].id == id)
			return &l->flights[i];
	return NULL;
}

struct limit_route *
limit_new_route(struct limit *l)
{
	struct limit_route *oldest = &l->routes[0];

	for (size_t i = 0; i < LIMIT_ROUTES; i++) {
		if (!l->routes[i].key)
			return &l->routes[i];
		if (l->routes[i].used_ms < oldest->used_ms)
			oldest = &l->routes[i];
	}
	return oldest;
}

int64_t
limit_taken(const struct limit *l, const struct limit_bucket *b, int64_t now_ms)
{
	int64_t n = limit_under_way(l, b->key);

	for (size_t i = 0; i < LIMIT_WINDOWS; i++)
		if (b->windows[i].to_ms > now_ms)
			n += b->windows[i].used;
	return n;
}

/* One of which nothing is taken says no more than its route does. */
struct limit_bucket *
limit_new_bucket(struct limit *l, int64_t now_ms)
{
	for (size_t i = 0; i < LIMIT_BUCKETS; i++) {
		struct limit_bucket *b = &l->buckets[i];

		if (!b->key ||
		    (b->until_ms <= now_ms && !limit_taken(l, b, now_ms))) {
			*b = (struct limit_bucket){0};
			return b;
		}
	}
	return NULL;
}

struct limit_flight *
limit_new_flight(struct limit *l)
{
	for (size_t i = 0; i < LIMIT_FLIGHTS; i++)
		if (!l->flights[i].id)
			return &l->flights[i];
	return NULL;
}

int64_t
limit_under_way(const struct limit *l, uint64_t bucket)
{
	int64_t n = 0;

	for (size_t i = 0; i < LIMIT_FLIGHTS; i++)
		n += l->flights[i].id && l->flights[i].bucket == bucket;
	return n;
}

void
limit_expire(struct limit *l, int64_t now_ms)
{
	for (size_t i = 0; i < LIMIT_FLIGHTS; i++) {
		struct limit_flight *f = &l->flights[i];

		if (f->id && now_ms - f->sent_ms >= LIMIT_FLIGHT_MS)
			*f = (struct limit_flight){0};
	}
}

void
limit_count_invalid(struct limit *l, int64_t now_ms)
{
	int64_t minute = now_ms / MINUTE_MS;
	struct limit_minute *m = &l->invalid[0];

	for (size_t i = 0; i < LIMIT_MINUTES; i++) {
		if (l->invalid[i].minute == minute) {
			l->invalid[i].count++;
			return;
		}
		if (l->invalid[i].minute < m->minute)
			m = &l->invalid[i];
	}
	*m = (struct limit_minute){.minute = minute, .count = 1};
}

int64_t
limit_invalid(const struct limit *l, int64_t now_ms)
{
	int64_t minute = now_ms / MINUTE_MS, n = 0;

	for (size_t i = 0; i < LIMIT_MINUTES; i++)
		if (l->invalid[i].minute > minute - LIMIT_MINUTES)
			n += l->invalid[i].count;
	return n;
}

static void
move(int64_t *at_ms, int64_t by_ms)
{
	if (*at_ms)
		*at_ms += by_ms;
}

void
limit_shift(struct limit *l, int64_t by_ms)
{
	move(&l->refused_until_ms, by_ms);
	move(&l->global_until_ms, by_ms);
	move(&l->edge_until_ms, by_ms);
	for (size_t i = 0; i < LIMIT_GLOBAL; i++)
		move(&l->free_ms[i], by_ms);
	for (size_t i = 0; i < LIMIT_MINUTES; i++)
		if (l->invalid[i].count) /* rounded up: it counts longer */
			l->invalid[i].minute += (by_ms + MINUTE_MS - 1) /
						MINUTE_MS;
	for (size_t i = 0; i < LIMIT_ROUTES; i++)
		move(&l->routes[i].used_ms, by_ms);
	for (size_t i = 0; i < LIMIT_BUCKETS; i++) {
		struct limit_bucket *b = &l->buckets[i];

		move(&b->until_ms, by_ms);
		for (size_t k = 0; k < LIMIT_WINDOWS; k++) {
			move(&b->windows[k].from_ms, by_ms);
			move(&b->windows[k].to_ms, by_ms);
		}
	}
	for (size_t i = 0; i < LIMIT_FLIGHTS; i++)
		move(&l->flights[i].sent_ms, by_ms);
}
