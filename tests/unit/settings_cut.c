/*
 * A settings file that is cut short or damaged: it is refused with a reason, or
 * it is valid in all, and then every question of access has an answer.
 */
#include <stdlib.h>

#include "access/decide.h"
#include "core/err.h"
#include "core/mem.h"
#include "store/settings.h"
#include "tap.h"

#define BY "\"by\":\"9\",\"at\":\"2026-01-01T00:00:00Z\"}"

static const char whole[] =
    "{\"version\":1,\"voice\":\"formal\",\"model\":{\"slots\":4},"
    "\"discord\":{\"guilds\":[\"1\"],\"users\":[\"*\",\"11\"],\"dms\":\"on\"},"
    "\"access\":{\"grants\":["
    "{\"user\":\"11\",\"tier\":\"write\",\"mode\":\"auto\","
    "\"until\":\"2027-01-01\"," BY ","
    "{\"role\":\"31\",\"guild\":\"1\",\"tier\":\"read\",\"mode\":\"ask\"," BY
    "],\"rules\":["
    "{\"effect\":\"deny\",\"capability\":\"send_message\",\"user\":\"11\"," BY
    ",{\"effect\":\"ask\",\"tier\":\"write\",\"role\":\"31\",\"guild\":\"1\","
    "\"channel\":\"50\"," BY "],"
    "\"protected\":[{\"channel\":\"50\",\"guild\":\"1\"," BY "],"
    "\"moderators\":[{\"role\":\"32\",\"guild\":\"1\"," BY "]}}";

/* Read it: 1 if it is valid, 0 if it is refused as it should be, else -1. */
static int
try(const char *text, size_t len)
{
	struct settings s;
	struct err e = {0};
	struct access_question q = {
	    .settings = &s,
	    .actor = "11",
	    .location = {LOCATION_GUILD, "1", "50"},
	    .capability = "send_message",
	    .tier = TIER_WRITE,
	};
	struct access_decision d;
	int good = 1;

	if (settings_read(&s, text, len, &e) < 0)
		return e.kind == ERR_CONFIG && e.text[0] && !s.root ? 0 : -1;
	for (q.tier = TIER_READ; q.tier <= TIER_DESTRUCTIVE; q.tier++) {
		access_decide(&d, &q);
		if (!d.why[0] || !d.reasons.len)
			good = -1;
		access_release(&d);
		(void)access_needs_roles(&q);
	}
	settings_close(&s);
	return good;
}

static void
test_cut(void)
{
	const size_t len = sizeof(whole) - 1;
	int refused = 0;

	ok(try(whole, len) == 1, "the whole file is valid");
	for (size_t n = 0; n < len; n++) {
		char *copy = mem_dupn(whole, n); /* so that no byte is beyond */

		refused += try(copy, n) == 0;
		free(copy);
	}
	ok((size_t)refused == len, "cut at any byte it is refused");
}

/* Each byte becomes each of these; each byte is left out, too. */
static void
test_damage(void)
{
	static const char with[] = "\"{}[],:0a \\\x01\xff";
	const size_t len = sizeof(whole) - 1;
	char *copy = mem_dupn(whole, len);
	int bad = 0, valid = 0, is;

	for (size_t i = 0; i < len; i++) {
		for (size_t k = 0; k < sizeof(with) - 1; k++) {
			copy[i] = with[k];
			is = try(copy, len);
			bad += is < 0;
			valid += is > 0;
		}
		copy[i] = whole[i];
	}
	ok(!bad, "with any byte changed it is refused, or answers");
	printf("# %d were valid\n", valid);
	for (size_t i = 0; i < len; i++) {
		memcpy(copy, whole, i);
		memcpy(copy + i, whole + i + 1, len - i - 1);
		bad += try(copy, len - 1) < 0;
	}
	ok(!bad, "and with any byte left out");
	free(copy);
}

int
main(void)
{
	test_cut();
	test_damage();
	return tap_done();
}
