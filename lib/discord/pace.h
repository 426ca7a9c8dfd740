#ifndef DISCORD_PACE_H
#define DISCORD_PACE_H
/*
 * pace - how often and how soon: the budget of what a connection may send, and
 * the wait before the next connection. Pure; {0} is one that did nothing yet.
 *
 * Discord closes a connection that sends more than 120 payloads in 60 s,
 * heartbeats included ("Gateway Rate Limits"). Every moment of a 60 s window is
 * counted, not every minute of the clock; a few are kept for heartbeats, so
 * that nothing else can starve them.
 *
 * Units    now_ms is boot time.
 */

#include <stdbool.h>
#include <stdint.h>

enum {
	PACE_SENDS = 118, /* in PACE_WINDOW_MS; two short of the limit */
	PACE_KEPT = 8,    /* of them, for heartbeats */
	PACE_WINDOW_MS = 60 * 1000,
	PACE_LONGEST_MS = 60 * 1000,
};

struct pace {
	int64_t sent_ms[PACE_SENDS]; /* private: a ring */
	int from, count;
};

/* May one be sent now? Then it is counted. */
bool pace_send(struct pace *p, bool heartbeat, int64_t now_ms);

/* A number from low to high, at random: the next of a row, from any seed. */
int64_t pace_between(uint64_t *seed, int64_t low, int64_t high);

/*
 * How long to wait after that many failures: 1 s, doubled up to
 * PACE_LONGEST_MS, up to half less at random.
 */
int64_t pace_wait_ms(uint64_t *seed, int failures);

#endif
