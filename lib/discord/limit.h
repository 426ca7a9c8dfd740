#ifndef DISCORD_LIMIT_H
#define DISCORD_LIMIT_H
/*
 * limit - when a request may be sent to Discord. Pure: it is told the time and
 * what answers said, and is plain memory, so that it can be kept in a file and
 * shared by programs (see limits).
 *
 * The rules are those of Discord's documentation, "Rate Limits" and "Invalid
 * Request Limit". Nothing about a route is known before an answer told it:
 *
 * bucket   Each answer names its bucket; with the major resource (see route) it
 *          is what is counted. A request takes one place of it until it is
 *          answered, and then until the window that it fell in is over for
 *          certain: so no window ever gets more than its limit, however long
 *          requests and answers are under way.
 * unknown  A route that was never answered admits one request at a time for
 *          each resource. One whose answers name no bucket has none.
 * global   50 requests in any second: a place is free again a second after the
 *          request in it reached Discord at the latest. `bulk` work leaves some
 *          places to what somebody waits for.
 * 429      It was not done, and may be sent again when the time is over: the
 *          bucket's, everybody's (global), or, if a proxy before Discord said
 *          it, one that doubles each time, up to 10 minutes.
 * invalid  401, 403 and 429 (but for `shared` ones) are counted; far below
 *          Discord's 10,000 in 10 minutes nothing more is sent until some are
 *          older than that.
 * token    A 401 to our token stops everything that would send it again, for
 *          LIMIT_REFUSED_MS; a new token may be tried at once.
 *
 * Order    limit_reserve() before, limit_answer() or limit_cancel() after each
 *          request. A reservation of a program that died is forgotten after
 *          LIMIT_FLIGHT_MS.
 * Memory   All-zero is one that knows nothing. It holds no pointer.
 * Units    now_ms is of the clock since boot; limit_shift() carries a state
 *          over to another boot.
 */

#include <stdbool.h>
#include <stdint.h>

struct quota;

enum {
	LIMIT_GLOBAL = 50, /* requests a second */
	LIMIT_BULK_LEAVES = 2,
	LIMIT_ROUTES = 256,
	LIMIT_BUCKETS = 384,
	LIMIT_WINDOWS = 3, /* of a bucket that are told apart */
	LIMIT_FLIGHTS = 256,
	LIMIT_MINUTES = 11, /* the one that runs, and ten before */
	LIMIT_INVALID = 500,
	LIMIT_FLIGHT_MS = 30000,
	LIMIT_REFUSED_MS = 900000,
};

enum limit_why {
	LIMIT_GO = 0,   /* send it */
	LIMIT_BUCKET,   /* its bucket is empty */
	LIMIT_LEARN,    /* the first of its kind is not answered yet */
	LIMIT_EVERYONE, /* the global limit */
	LIMIT_EDGE,     /* a proxy before Discord refuses us */
	LIMIT_INVALIDS, /* too many requests were invalid */
	LIMIT_TOKEN,    /* Discord refuses the token */
	LIMIT_ROOM,     /* too many requests are under way */
};

struct limit_ask {
	uint64_t route, major; /* of a struct route */
	uint64_t token;        /* a hash of what is sent; 0: none is */
	bool exempt, bulk;
};

struct limit {
	uint64_t next, random, refused; /* private, all of it */
	int64_t refused_until_ms, global_until_ms, edge_until_ms, edges;
	int64_t free_ms[LIMIT_GLOBAL];
	struct limit_minute {
		int64_t minute, count;
	} invalid[LIMIT_MINUTES];
	struct limit_route {
		uint64_t key, bucket; /* 0: none, and no limit */
		int64_t used_ms, span_ms;
		int64_t limit;
	} routes[LIMIT_ROUTES];
	struct limit_bucket {
		uint64_t key;
		int64_t until_ms, limit; /* none before that */
		struct limit_window {
			/* It ends after this, and before that. */
			int64_t from_ms, to_ms, used;
		} windows[LIMIT_WINDOWS];
	} buckets[LIMIT_BUCKETS];
	struct limit_flight {
		uint64_t id, bucket, route, major;
		int64_t sent_ms, place;
	} flights[LIMIT_FLIGHTS];
};

/*
 * May it be sent now? LIMIT_GO, and *flight for its answer; or why not, and
 * when to ask again, sooner if an answer comes.
 */
enum limit_why limit_reserve(struct limit *l, const struct limit_ask *a,
    int64_t now_ms, uint64_t *flight, int64_t *again_ms);

void limit_answer(struct limit *l, const struct limit_ask *a, uint64_t flight,
    const struct quota *q, int64_t now_ms);

/* Nothing was sent; or what was has no answer, and may have been counted. */
void limit_cancel(struct limit *l, const struct limit_ask *a, uint64_t flight,
    bool sent, int64_t now_ms);

/* How many invalid requests there were in the last ten minutes. */
int64_t limit_invalid(const struct limit *l, int64_t now_ms);

/* Add so much to every time in it. */
void limit_shift(struct limit *l, int64_t by_ms);

#endif
