#ifndef MODEL_RETRY_H
#define MODEL_RETRY_H
/*
 * retry - whether an attempt at a request may be made again, and when. Pure.
 *
 * Only what certainly produced nothing is tried again: no connection, or a
 * status that says so (408, 409, 429, 5xx) instead of a reply. 402 never, nor
 * what the server asks not to (x-should-retry). At most RETRY_MAX times, after
 * 0.5 s, doubled up to 8 s, up to a quarter less at random; or after what
 * Retry-After-Ms or Retry-After say, up to a tenth more, if that is at most
 * 120 s; if it is more, a person is told instead. These are the rules of the
 * official OpenAI clients.
 */

#include <stdbool.h>
#include <stdint.h>

enum { RETRY_MAX = 2, RETRY_NO = -1 };

struct retry {
	bool unsent;                           /* nothing left this machine */
	int status;                            /* of HTTP, 0 for none */
	const char *after, *after_ms, *should; /* headers, "" for none */
};

/*
 * How long to wait before the next attempt, in ms, after `made` retries; or
 * RETRY_NO. now_ms is the wall clock's; seed makes the random part.
 */
int64_t retry_wait_ms(const struct retry *r, int made, int64_t now_ms,
    uint32_t seed);

/* What the server asks to wait, in ms; 0 if it doesn't say. */
int64_t retry_asked_ms(const struct retry *r, int64_t now_ms);

#endif
