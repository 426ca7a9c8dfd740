/*
 * The rate limiter: its rules one by one, then against a model of Discord's
 * own, which counts what arrives there after a random delay.
 */
#include "discord/limit.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "discord/quota.h"
#include "tap.h"

static struct limit l;
static int64_t now_ms;

static struct limit_ask
ask(uint64_t route, uint64_t major)
{
	return (struct limit_ask){.route = route, .major = major, .token = 7};
}

/* May it go; the reservation is in *flight. */
static enum limit_why
may(struct limit_ask a, uint64_t *flight)
{
	int64_t again_ms;

	return limit_reserve(&l, &a, now_ms, flight, &again_ms);
}

/* When it should be asked again. */
static int64_t
wait_of(struct limit_ask a)
{
	uint64_t flight;
	int64_t again_ms = now_ms;

	return limit_reserve(&l, &a, now_ms, &flight, &again_ms) == LIMIT_GO
		   ? 0
		   : again_ms - now_ms;
}

static struct quota
says(int status, const char *bucket, int limit, int left, int64_t reset_ms)
{
	struct quota q;

	quota_start(&q);
	q.status = status;
	if (bucket) {
		q.bucket = hash_text(HASH_START, bucket) | 1;
		q.limit = limit;
		q.left = left;
		q.reset_ms = reset_ms;
	}
	return q;
}

static void
answer(struct limit_ask a, uint64_t flight, struct quota q)
{
	limit_answer(&l, &a, flight, &q, now_ms);
}

/* One request from its reservation to an answer; its verdict. */
static enum limit_why
once(struct limit_ask a, struct quota q)
{
	uint64_t flight;
	enum limit_why why = may(a, &flight);

	if (why == LIMIT_GO)
		answer(a, flight, q);
	return why;
}

static void
start_anew(void)
{
	l = (struct limit){0};
	now_ms = 1000000;
}

static void
learns(void)
{
	uint64_t first, second;

	start_anew();
	ok(may(ask(1, 10), &first) == LIMIT_GO, "the first of its kind goes");
	ok(may(ask(1, 10), &second) == LIMIT_LEARN,
	    "a second waits until it is answered");
	ok(may(ask(1, 11), &second) == LIMIT_GO, "but not of another channel");
	answer(ask(1, 10), first, says(200, "b", 3, 2, 1000));
	ok(once(ask(1, 10), says(200, "b", 3, 1, 900)) == LIMIT_GO &&
		once(ask(1, 10), says(200, "b", 3, 0, 800)) == LIMIT_GO,
	    "what the answer left may be used");
	ok(may(ask(1, 10), &first) == LIMIT_BUCKET, "and no more");
	ok(wait_of(ask(1, 10)) == 801, "until the time the answers told");
	ok(once(ask(1, 12), says(200, "b", 3, 2, 1000)) == LIMIT_GO &&
		once(ask(1, 12), says(200, "b", 3, 1, 1000)) == LIMIT_GO,
	    "a channel that is new has what its route has");
	ok(once(ask(2, 10), says(200, "b", 3, 0, 700)) == LIMIT_GO &&
		may(ask(2, 10), &first) == LIMIT_BUCKET,
	    "two routes of one bucket share it, once that is known");
	now_ms += 801;
	ok(may(ask(1, 10), &first) == LIMIT_GO &&
		may(ask(1, 10), &first) == LIMIT_GO &&
		may(ask(2, 10), &first) == LIMIT_GO &&
		may(ask(2, 10), &first) == LIMIT_BUCKET,
	    "then its limit is there again, whole, without an answer");
}

static void
knows_no_limit(void)
{
	uint64_t flight;

	start_anew();
	ok(once(ask(3, 1), says(500, NULL, 0, 0, 0)) == LIMIT_GO &&
		may(ask(3, 1), &flight) == LIMIT_GO &&
		may(ask(3, 1), &flight) == LIMIT_LEARN,
	    "an error that names no bucket teaches nothing");
	answer(ask(3, 1), flight - 0, says(204, NULL, 0, 0, 0));
	ok(may(ask(3, 1), &flight) == LIMIT_GO &&
		may(ask(3, 1), &flight) == LIMIT_GO,
	    "a success that names none has none");
}

static void
waits_after_429(void)
{
	struct quota q = says(429, "c", 5, 0, 2000);
	uint64_t flight;

	start_anew();
	q.json = true;
	q.retry_ms = 3000;
	ok(once(ask(4, 1), q) == LIMIT_GO, "");
	ok(wait_of(ask(4, 1)) >= 3000 && wait_of(ask(4, 1)) <= 3300,
	    "a 429 is waited out, and a little more");
	ok(may(ask(5, 1), &flight) == LIMIT_GO, "alone");
	q = says(429, NULL, 0, 0, 0);
	q.json = true;
	q.scope = QUOTA_GLOBAL;
	q.retry_ms = 1000;
	answer(ask(5, 1), flight, q);
	ok(wait_of(ask(6, 1)) >= 1000, "a global one by all");
	ok(may((struct limit_ask){.route = 7, .major = 1, .exempt = true},
	       &flight) == LIMIT_GO,
	    "but not by answers to interactions");
	now_ms += 5000;
	q = says(429, NULL, 0, 0, 0);
	ok(once(ask(8, 1), q) == LIMIT_GO && wait_of(ask(9, 1)) >= 10000,
	    "one of a proxy's is waited out long, by all");
	now_ms += 12000;
	ok(once(ask(8, 1), q) == LIMIT_GO && wait_of(ask(9, 1)) >= 20000,
	    "the next one longer");
	for (int i = 0; i < 20; i++) {
		now_ms += 700000;
		(void)once(ask(8, 1), q);
	}
	ok(wait_of(ask(9, 1)) >= 600000 && wait_of(ask(9, 1)) < 603000,
	    "but never beyond ten minutes");
	now_ms += 700000;
	(void)once(ask(9, 1), says(200, NULL, 0, 0, 0));
	(void)once(ask(8, 1), q);
	ok(wait_of(ask(9, 1)) < 20000, "and a success makes it short again");
}

static void
stops_before_a_ban(void)
{
	struct quota shared = says(429, "s", 5, 0, 1);
	uint64_t flight;
	int sent = 0;

	start_anew();
	shared.json = true;
	shared.scope = QUOTA_SHARED;
	shared.retry_ms = 1;
	for (int i = 0; i < 20; i++, now_ms += 100)
		(void)once(ask(10, 1), shared);
	ok(limit_invalid(&l, now_ms) == 0, "a shared 429 is not invalid");
	while (sent < 10000 &&
	       once(ask(11, 1), says(403, NULL, 0, 0, 0)) == LIMIT_GO) {
		sent++;
		now_ms += 30;
	}
	ok(sent == LIMIT_INVALID, "far below the ban nothing more is sent");
	ok(may(ask(12, 1), &flight) == LIMIT_INVALIDS, "of any kind");
	now_ms += 11 * 60000;
	ok(may(ask(12, 1), &flight) == LIMIT_GO, "until they are forgotten");
}

static void
stops_at_401(void)
{
	struct limit_ask other = {.route = 2, .major = 1, .token = 8};
	struct limit_ask none = {.route = 3, .major = 1};
	uint64_t flight;

	start_anew();
	(void)once(none, says(401, NULL, 0, 0, 0));
	ok(may(ask(1, 1), &flight) == LIMIT_GO,
	    "a webhook's token is not ours");
	(void)once(ask(1, 2), says(401, NULL, 0, 0, 0));
	ok(may(ask(1, 3), &flight) == LIMIT_TOKEN, "a refused token stops all");
	ok(may(none, &flight) == LIMIT_GO, "that would send it");
	ok(may(other, &flight) == LIMIT_GO, "another token is tried");
	now_ms += LIMIT_REFUSED_MS;
	ok(may(ask(1, 4), &flight) == LIMIT_GO, "and it again, some time");
}

static void
forgets_the_dead(void)
{
	struct limit_ask a = ask(1, 1);
	uint64_t flight;

	start_anew();
	(void)may(ask(1, 1), &flight);
	now_ms += LIMIT_FLIGHT_MS - 1;
	ok(may(ask(1, 1), &flight) == LIMIT_LEARN, "a reservation holds");
	now_ms++;
	ok(may(ask(1, 1), &flight) == LIMIT_GO, "but not for ever");
	limit_cancel(&l, &a, flight, false, now_ms);
	ok(may(ask(1, 1), &flight) == LIMIT_GO, "what wasn't sent frees it");
	limit_shift(&l, 500000);
	now_ms += 500000;
	ok(may(ask(1, 1), &flight) == LIMIT_LEARN,
	    "and all times move with another clock");
}

static void
keeps_to_the_global_limit(void)
{
	struct limit_ask bulk = {.route = 1, .bulk = true};
	uint64_t flight;
	int bulks = 0, more = 0;

	start_anew();
	while (bulks < 100 && (bulk.major++, may(bulk, &flight)) == LIMIT_GO)
		bulks++;
	ok(bulks == LIMIT_GLOBAL - LIMIT_BULK_LEAVES,
	    "bulk work leaves a place or two");
	while (more < 100 && may(ask(2, (uint64_t)more), &flight) == LIMIT_GO)
		more++;
	ok(more == LIMIT_BULK_LEAVES, "to what somebody waits for");
	ok(may((struct limit_ask){.route = 3, .exempt = true}, &flight) ==
		LIMIT_GO,
	    "interactions are not counted there");
	now_ms += 10;
	answer(ask(2, 0), flight - 1, says(204, NULL, 0, 0, 0));
	now_ms += 999;
	ok(may(ask(4, 1), &flight) == LIMIT_EVERYONE, "a place is free");
	now_ms++;
	ok(may(ask(4, 1), &flight) == LIMIT_GO, "a second after its answer");
}

static void
has_room_for_a_crowd(void)
{
	uint64_t flight;
	int went = 0;

	start_anew();
	for (uint64_t i = 0; i < 3000; i++, now_ms += 25) {
		if (may(ask(1, i), &flight) == LIMIT_GO) {
			answer(ask(1, i), flight, says(200, "x", 1, 0, 60000));
			went++;
		}
	}
	ok(went > LIMIT_BUCKETS && went < 3000,
	    "a full table waits, and forgets what is over");
}

/* ---- a model of Discord, and many who ask at once ---- */

enum {
	ROUTES = 12,
	BUCKETS = 8,
	CHANNELS = 12,
	LINES = ROUTES * CHANNELS,
	RUN_MS = 40000,
	FLYING = 512,
};

struct window {
	int64_t begin_ms;
	int used;
};

struct flying {
	bool on, arrived;
	int line;
	uint64_t flight;
	int64_t arrives_ms, back_ms;
	bool taught; /* all routes of its bucket were known when it was sent */
	struct quota q;
};

static struct world {
	uint64_t random;
	int limit[BUCKETS], bucket_of[ROUTES];
	int64_t window_ms[BUCKETS];
	struct window windows[BUCKETS][CHANNELS];
	int64_t arrivals[64]; /* the last ones, of all */
	size_t arrival;
	struct flying flying[FLYING];
	int64_t next_ms[LINES];
	bool known[ROUTES];
	int64_t delay_ms; /* at most, one way */
	int lines;        /* that are asked for */
	int accepted, refused, excused, per_bucket[BUCKETS][CHANNELS];
} w;

static int64_t
dice(int64_t low, int64_t high)
{
	w.random = w.random * 6364136223846793005U + 1442695040888963407U;
	return low + (int64_t)((w.random >> 33) % (uint64_t)(high - low + 1));
}

/* A request reaches Discord: what it says. */
static void
arrive(struct flying *f)
{
	int b = w.bucket_of[f->line % ROUTES], channel = f->line / ROUTES;
	struct window *win = &w.windows[b][channel];
	int64_t *oldest = &w.arrivals[w.arrival % LIMIT_GLOBAL];
	bool good = f->arrives_ms - *oldest >= 1000 || !*oldest;
	char name[8];

	f->arrived = true;
	if (win->begin_ms + w.window_ms[b] <= f->arrives_ms)
		*win = (struct window){.begin_ms = f->arrives_ms};
	snprintf(name, sizeof(name), "b%d", b);
	good = good && win->used < w.limit[b];
	if (good) {
		win->used++;
		w.accepted++;
		w.per_bucket[b][channel]++;
		*oldest = f->arrives_ms;
		w.arrival++;
	} else if (f->taught) {
		w.refused++;
	} else {
		w.excused++;
	}
	f->q = says(good ? 200 : 429, name, w.limit[b], w.limit[b] - win->used,
	    win->begin_ms + w.window_ms[b] - f->arrives_ms);
	f->q.json = true;
	f->q.retry_ms = good ? -1 : f->q.reset_ms;
}

static void
come_back(struct flying *f)
{
	answer(ask((uint64_t)(f->line % ROUTES) + 1,
		   (uint64_t)(f->line / ROUTES) + 1),
	    f->flight, f->q);
	w.known[f->line % ROUTES] = true;
	f->on = false;
	memset(w.next_ms, 0, sizeof(w.next_ms));
}

/*
 * Two routes of one bucket, neither of which was ever answered, can't be known
 * to belong together.
 */
static bool
is_taught(int route)
{
	for (int r = 0; r < ROUTES; r++)
		if (w.bucket_of[r] == w.bucket_of[route] && !w.known[r])
			return false;
	return true;
}

static void
send_some(void)
{
	int from = (int)dice(0, w.lines - 1);

	for (int i = 0; i < w.lines; i++) {
		int line = (from + i) % w.lines;
		struct limit_ask a = ask((uint64_t)(line % ROUTES) + 1,
		    (uint64_t)(line / ROUTES) + 1);
		struct flying *f = w.flying;

		if (w.next_ms[line] > now_ms)
			continue;
		while (f->on)
			f++;
		if (limit_reserve(&l, &a, now_ms, &f->flight,
			&w.next_ms[line]) != LIMIT_GO)
			continue;
		f->on = true;
		f->arrived = false;
		f->line = line;
		f->taught = is_taught(line % ROUTES);
		f->arrives_ms = now_ms + dice(0, w.delay_ms);
		f->back_ms = f->arrives_ms + dice(0, w.delay_ms);
	}
}

static void
play(uint64_t seed, int channels, int64_t delay_ms, int64_t least_ms, int most)
{
	start_anew();
	w = (struct world){
	    .random = seed,
	    .delay_ms = delay_ms,
	    .lines = ROUTES * channels,
	};
	l.random = seed;
	for (int b = 0; b < BUCKETS; b++) {
		w.limit[b] = (int)dice(1, most);
		w.window_ms[b] = dice(least_ms, 2 * least_ms);
	}
	for (int r = 0; r < ROUTES; r++)
		w.bucket_of[r] = (int)dice(0, BUCKETS - 1);
	for (int64_t end_ms = now_ms + RUN_MS; now_ms < end_ms; now_ms++) {
		for (struct flying *f = w.flying; f < w.flying + FLYING; f++)
			if (f->on && !f->arrived && f->arrives_ms <= now_ms)
				arrive(f);
		for (struct flying *f = w.flying; f < w.flying + FLYING; f++)
			if (f->on && f->arrived && f->back_ms <= now_ms)
				come_back(f);
		send_some();
	}
}

/* What one could have sent, at best, in that time. */
static double
share_used(void)
{
	double allowed = 0;
	bool asked[BUCKETS] = {false};

	for (int r = 0; r < ROUTES; r++)
		asked[w.bucket_of[r]] = true;
	for (int b = 0; b < BUCKETS; b++)
		if (asked[b])
			allowed += (double)w.limit[b] * CHANNELS *
				   (double)RUN_MS / (double)w.window_ms[b];
	if (allowed > RUN_MS / 1000.0 * LIMIT_GLOBAL)
		allowed = RUN_MS / 1000.0 * LIMIT_GLOBAL;
	return w.accepted / allowed;
}

static void
against_the_model(void)
{
	int refused = 0, excused = 0;
	double worst_bucket = 1, worst_global = 1;

	for (uint64_t seed = 1; seed <= 10; seed++) {
		play(seed, CHANNELS, 15, 8000, 5);
		refused += w.refused;
		excused += w.excused;
		if (share_used() < worst_bucket)
			worst_bucket = share_used();
		play(seed + 100, CHANNELS, 15, 1000, 20);
		refused += w.refused;
		excused += w.excused;
		if (share_used() < worst_global)
			worst_global = share_used();
	}
	printf("# used: %.1f %% of buckets, %.1f %% of the global limit; "
	       "%d were refused before their bucket was known\n",
	    100 * worst_bucket, 100 * worst_global, excused);
	ok(refused == 0, "Discord refuses nothing of what it told before");
	ok(excused <= 20 * ROUTES * CHANNELS, "and little of the rest");
	ok(worst_bucket >= 0.95, "95 % of what buckets allow is used");
	ok(worst_global >= 0.95, "and of what everybody may");
	for (uint64_t seed = 1; seed <= 20; seed++) {
		play(seed, 2, 200, 3000, 6); /* not held up by all the others */
		refused += w.refused;
	}
	ok(refused == 0, "also while the first answers come in");
	for (uint64_t seed = 1; seed <= 10; seed++) {
		play(seed, 1, 400, 250, 6); /* slower than windows are long */
		refused += w.refused;
	}
	ok(refused == 0, "also where answers take longer than a window");
}

int
main(void)
{
	learns();
	knows_no_limit();
	waits_after_429();
	stops_before_a_ban();
	stops_at_401();
	forgets_the_dead();
	keeps_to_the_global_limit();
	has_room_for_a_crowd();
	against_the_model();
	return tap_done();
}
