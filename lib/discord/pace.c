#include "discord/pace.h"

enum { FIRST_MS = 1000 };

bool
pace_send(struct pace *p, bool heartbeat, int64_t now_ms)
{
	while (p->count && now_ms - p->sent_ms[p->from] >= PACE_WINDOW_MS) {
		p->from = (p->from + 1) % PACE_SENDS;
		p->count--;
	}
	if (p->count >= (heartbeat ? PACE_SENDS : PACE_SENDS - PACE_KEPT))
		return false;
	p->sent_ms[(p->from + p->count) % PACE_SENDS] = now_ms;
	p->count++;
	return true;
}

/* SplitMix64, by Steele, Lea and Flood (2014). */
static uint64_t
next(uint64_t *seed)
{
	uint64_t x = *seed += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

int64_t
pace_between(uint64_t *seed, int64_t low, int64_t high)
{
	const uint64_t range = (uint64_t)(high - low) + 1;

	return low + (int64_t)(next(seed) % range);
}

int64_t
pace_wait_ms(uint64_t *seed, int failures)
{
	int64_t ms = FIRST_MS;

	for (; failures > 0 && ms < PACE_LONGEST_MS; failures--)
		ms *= 2;
	if (ms > PACE_LONGEST_MS)
		ms = PACE_LONGEST_MS;
	return pace_between(seed, ms / 2, ms);
}
