/*
 * The head and the body of an answer of Discord's, or of anything between: what
 * is made of them stays in its bounds, and keeps nobody waiting for ever.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/utf8.h"
#include "discord/limit.h"
#include "discord/quota.h"
#include "discord/verdict.h"
#include "ext/header.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DAY_MS = 24 * 3600 * 1000, NOW_MS = 1000000 };

static struct limit limit;

static void
check_wait(const struct quota *q)
{
	struct limit_ask ask = {.route = 1, .major = 1, .token = 2};
	uint64_t flight;
	int64_t again_ms = 0;

	limit = (struct limit){0};
	if (limit_reserve(&limit, &ask, NOW_MS, &flight, &again_ms) != LIMIT_GO)
		abort();
	limit_answer(&limit, &ask, flight, q, NOW_MS);
	if (limit_reserve(&limit, &ask, NOW_MS, &flight, &again_ms) !=
		LIMIT_GO &&
	    (again_ms <= NOW_MS || again_ms > NOW_MS + DAY_MS + DAY_MS / 10))
		abort();
}

static void
check_verdict(int status, const char *body, size_t len)
{
	struct verdict v;
	const char *text = v.text;
	uint32_t cp;

	verdict_read(&v, status, body, len);
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		n = utf8_next(text, left, &cp);
		if (!utf8_shown(cp))
			abort();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *at = (const char *)data, *end = at + size, *line;
	char name[HEADER_NAME], value[HEADER_VALUE];
	struct quota q;

	if (!size)
		return 0;
	quota_start(&q);
	q.status = 200 + *at++ % 10 * 40 + 9 * (*data / 128);
	while (at < end && (line = memchr(at, '\n', (size_t)(end - at)))) {
		size_t len = (size_t)(line + 1 - at);

		if (len == 1)
			break;
		if (header_split(at, len, name, value))
			quota_header(&q, name, value);
		at += len;
	}
	quota_body(&q, at, (size_t)(end - at));
	if (q.limit < -1 || q.left < -1 || q.reset_ms < -1 ||
	    q.reset_ms > DAY_MS || quota_wait_ms(&q) > DAY_MS)
		abort();
	check_wait(&q);
	check_verdict(q.status, at, (size_t)(end - at));
	return 0;
}
