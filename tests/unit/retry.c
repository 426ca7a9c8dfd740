/* When an attempt is made again, and after how long. */
#include "model/retry.h"

#include "tap.h"

enum { NOW_S = 1784000000 }; /* 2026-07-14T03:33:20Z */

static int64_t
wait_of(struct retry r, int made, uint32_t seed)
{
	r.after = r.after ? r.after : "";
	r.after_ms = r.after_ms ? r.after_ms : "";
	r.should = r.should ? r.should : "";
	return retry_wait_ms(&r, made, NOW_S * 1000LL, seed);
}

/* Between low and high for any seed, and not always the same. */
static void
between(struct retry r, int made, int64_t low, int64_t high, const char *name)
{
	int64_t first = wait_of(r, made, 0);
	bool good = true, varied = low == high;

	for (uint32_t seed = 0; seed < 200; seed++) {
		int64_t ms = wait_of(r, made, seed);

		good = good && ms >= low && ms <= high;
		varied = varied || ms != first;
	}
	ok(good && varied, name);
}

static void
never(struct retry r, const char *name)
{
	between(r, 0, RETRY_NO, RETRY_NO, name);
}

int
main(void)
{
	between((struct retry){.unsent = true}, 0, 376, 500,
	    "no connection: after half a second, less up to a quarter");
	between((struct retry){.unsent = true}, 1, 751, 1000, "then a whole");
	between((struct retry){.unsent = true}, 2, RETRY_NO, RETRY_NO,
	    "and that is all");
	between((struct retry){.status = 408}, 0, 376, 500, "408");
	between((struct retry){.status = 409}, 0, 376, 500, "409");
	between((struct retry){.status = 429}, 0, 376, 500, "429");
	between((struct retry){.status = 500}, 0, 376, 500, "500");
	between((struct retry){.status = 529}, 0, 376, 500, "529");
	never((struct retry){.status = 400}, "400 never");
	never((struct retry){.status = 401}, "401 never");
	never((struct retry){.status = 402}, "402 never");
	never((struct retry){.status = 402, .should = "true"},
	    "402 not even if it is asked for");
	never((struct retry){.status = 0}, "nor what was sent, and broke");
	never((struct retry){.status = 500, .should = "false"},
	    "nor what the server forbids");
	between((struct retry){.status = 400, .should = "true"}, 0, 376, 500,
	    "what the server asks for is");
	between((struct retry){.status = 429, .after = "3"}, 0, 3000, 3300,
	    "retry-after in seconds, never sooner");
	between((struct retry){.status = 429, .after = "1.5"}, 0, 1500, 1650,
	    "with a fraction");
	between((struct retry){.status = 429, .after = "9", .after_ms = "40"},
	    0, 40, 44, "retry-after-ms goes before it");
	between((struct retry){.status = 429, .after = "1", .after_ms = "0"}, 0,
	    1000, 1100, "unless it is 0");
	between((struct retry){.status = 429,
		    .after = "Tue, 14 Jul 2026 03:33:30 GMT"},
	    0, 10000, 11000, "a date");
	between((struct retry){.status = 429,
		    .after = "Tue, 14 Jul 2026 03:33:10 GMT"},
	    0, 376, 500, "a date that is past says nothing");
	between((struct retry){.status = 429, .after = "120"}, 0, 120000,
	    132000, "two minutes are waited");
	never((struct retry){.status = 429, .after = "121"}, "more are not");
	never((struct retry){.status = 429, .after = "1e6"}, "nor much more");
	between((struct retry){.status = 429, .after = "soon"}, 0, 376, 500,
	    "nonsense says nothing");
	between((struct retry){.status = 429, .after = "-5"}, 0, 376, 500,
	    "nor does a negative number");
	between((struct retry){.status = 429, .after = "nan"}, 0, 376, 500,
	    "nor what is no number");
	ok(retry_asked_ms(
	       &(struct retry){.after = "3600", .after_ms = "", .should = ""},
	       0) == 3600000,
	    "what is asked is told, however long");
	return tap_done();
}
