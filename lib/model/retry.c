#include "model/retry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/clock.h"

enum {
	FIRST_MS = 500,
	LONGEST_MS = 8000,
	ASKED_MAX_MS = 120 * 1000,
	CONFLICT = 409,
	TIMEOUT = 408,
	TOO_MANY = 429,
	NO_CREDIT = 402,
	SERVER_ERROR = 500,
};

/* A decimal number of units of unit_ms, or 0 if text is none. */
static int64_t
number_ms(const char *text, double unit_ms)
{
	char *end;
	double n;

	if (!*text)
		return 0;
	n = strtod(text, &end);
	if (*end || !(n > 0) || n * unit_ms > 1e12)
		return 0;
	return (int64_t)(n * unit_ms + 0.999);
}

/* An HTTP date (RFC 9110, 5.6.7: IMF-fixdate) as ms from now, or 0. */
static int64_t
date_ms(const char *text, int64_t now_ms)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	enum { LENGTH = sizeof("Tue, 14 Jul 2026 03:33:30 GMT") - 1 };
	char month[4] = "", iso[40];
	const char *at;
	int64_t at_ms;

	if (strlen(text) != LENGTH)
		return 0;
	memcpy(month, text + 8, 3);
	if (!(at = strstr(months, month)) || (at - months) % 3 != 0)
		return 0;
	snprintf(iso, sizeof(iso), "%.4s-%02u-%.2sT%.8sZ", text + 12,
	    (unsigned)(at - months) / 3 + 1, text + 5, text + 17);
	if (clock_parse(&at_ms, iso) < 0 || at_ms <= now_ms)
		return 0;
	return at_ms - now_ms;
}

int64_t
retry_asked_ms(const struct retry *r, int64_t now_ms)
{
	int64_t ms = number_ms(r->after_ms, 1);

	if (!ms)
		ms = number_ms(r->after, 1000);
	return ms ? ms : date_ms(r->after, now_ms);
}

static bool
produced_nothing(const struct retry *r)
{
	if (r->unsent)
		return true;
	if (strcasecmp(r->should, "false") == 0 || r->status == NO_CREDIT)
		return false;
	if (r->status >= SERVER_ERROR || r->status == TIMEOUT ||
	    r->status == CONFLICT || r->status == TOO_MANY)
		return true;
	return r->status >= 400 && strcasecmp(r->should, "true") == 0;
}

/* A share of ms, at random: less than 1/parts of it. */
static int64_t
random_part(int64_t ms, int64_t parts, uint32_t seed)
{
	seed ^= seed >> 16; /* mix: seeds may be close to each other */
	seed *= 0x7feb352dU;
	seed ^= seed >> 15;
	return ms / parts * (int64_t)(seed % 1000) / 1000;
}

int64_t
retry_wait_ms(const struct retry *r, int made, int64_t now_ms, uint32_t seed)
{
	int64_t asked = retry_asked_ms(r, now_ms);
	int64_t ms = FIRST_MS;

	if (made >= RETRY_MAX || !produced_nothing(r) || asked > ASKED_MAX_MS)
		return RETRY_NO;
	if (asked)
		return asked + random_part(asked, 10, seed);
	for (; made > 0 && ms < LONGEST_MS; made--)
		ms *= 2;
	if (ms > LONGEST_MS)
		ms = LONGEST_MS;
	return ms - random_part(ms, 4, seed);
}
