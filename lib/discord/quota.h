#ifndef DISCORD_QUOTA_H
#define DISCORD_QUOTA_H
/*
 * quota - what an answer of Discord's says about its rate limits. Pure.
 *
 * From the headers X-RateLimit-* and Retry-After, and of a 429 from its body.
 * A time that is no number, or negative, was not said; one longer than a day is
 * cut to a day. Bodies of other servers give ms where Discord gives seconds, so
 * the header goes before the body.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quota_scope { QUOTA_USER = 0, QUOTA_GLOBAL, QUOTA_SHARED };

struct quota {
	int status;
	uint64_t bucket; /* hash of the bucket's name; 0: there is none */
	int32_t limit, left;
	int64_t reset_ms; /* from now; -1 for not said, as are these two: */
	int64_t retry_ms, body_ms;
	enum quota_scope scope;
	bool json; /* of a 429: the body is Discord's, not of a proxy before */
};

void quota_start(struct quota *q); /* nothing is said */
void quota_header(struct quota *q, const char *name, const char *value);
void quota_body(struct quota *q, const char *body, size_t len);

/* How long a 429 asks to wait, or -1. */
int64_t quota_wait_ms(const struct quota *q);

#endif
