/* Places in a recording, as they are written. */
#include "workspace/seconds.h"

#include "core/buf.h"
#include "core/err.h"
#include "tap.h"

static int64_t
ms_of(const char *text)
{
	int64_t ms = -1;
	struct err e = {0};

	return seconds_read(&ms, text, &e) < 0 ? -1 : ms;
}

static bool
writes(int64_t ms, const char *text)
{
	struct buf b = {0};
	bool good;

	seconds_write(&b, ms);
	good = strcmp(buf_text(&b), text) == 0;
	buf_release(&b);
	return good;
}

int
main(void)
{
	static const char *const bad[] = {"", " 1", "1 ", "-1", "inf", "nan",
	    "0x1", "1:30", "604801", "1e99", "1..2", "e", "."};
	bool refused = true;

	ok(ms_of("0") == 0 && ms_of("12.5") == 12500 && ms_of("1e2") == 100000,
	    "seconds are read as milliseconds");
	ok(ms_of("0.0015") == 2 && ms_of("0.29") == 290,
	    "what is finer is rounded");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		refused = refused && ms_of(bad[i]) < 0;
	ok(refused, "all else is refused");
	ok(writes(0, "0") && writes(12500, "12.5") && writes(1005, "1.005") &&
		writes(10050, "10.05") && writes(7, "0.007"),
	    "and written as people write them");
	return tap_done();
}
