#ifndef DISCORD_LIMIT_TABLE_H
#define DISCORD_LIMIT_TABLE_H
/*
 * limit_table - the tables inside a limiter; for limit*.c alone. All of them
 * are short: they are searched from end to end.
 */

#include <stddef.h>
#include <stdint.h>

#include "discord/limit.h"

uint64_t limit_key(uint64_t bucket, uint64_t major); /* never 0 */

/* NULL where there is none. */
struct limit_route *limit_find_route(struct limit *l, uint64_t key);
struct limit_bucket *limit_find_bucket(struct limit *l, uint64_t key);
struct limit_flight *limit_find_flight(struct limit *l, uint64_t id);

/* A free row, or the one that is needed least; NULL if none can go. */
struct limit_route *limit_new_route(struct limit *l);
struct limit_bucket *limit_new_bucket(struct limit *l, int64_t now_ms);
struct limit_flight *limit_new_flight(struct limit *l);

/* How many requests are under way in a bucket. */
int64_t limit_under_way(const struct limit *l, uint64_t bucket);

/* How many places of it are taken now. */
int64_t limit_taken(const struct limit *l, const struct limit_bucket *b,
    int64_t now_ms);

/* Forget the requests of programs that died. */
void limit_expire(struct limit *l, int64_t now_ms);

void limit_count_invalid(struct limit *l, int64_t now_ms);

#endif
