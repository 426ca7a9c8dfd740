#include "core/clock.h"
#include "tap.h"

/* The time in text, written back; "none" if it is not one. */
static const char *
round_trip(const char *text)
{
	static char out[CLOCK_TEXT];
	int64_t at_ms;

	if (clock_parse(&at_ms, text) < 0)
		return "none";
	clock_text(out, at_ms);
	return out;
}

int
main(void)
{
	static const char *const none[] = {"", "2024", "2024-13-01",
	    "2024-02-00", "2024-02-30", "2023-02-29", "1900-02-29",
	    "2024-04-31", "2024-02-01T", "2024-02-01T10", "2024-02-01T10:61",
	    "2024-02-01T10:00:00+9", "2024-02-01T10:00:00 x", "now"};

	same(round_trip("2024-02-29T23:59:58.123+00:00"),
	    "2024-02-29T23:59:58.123Z", "an exporter's time is read");
	same(round_trip("2024-02-29T23:59:58.1234567-03:30"),
	    "2024-03-01T03:29:58.123Z", "an offset is taken off, ms kept");
	same(round_trip("1969-12-31T23:59:59.999Z"), "1969-12-31T23:59:59.999Z",
	    "a time before 1970 keeps its ms");
	same(round_trip("0107-01-02T03:04:05.006Z"), "0107-01-02T03:04:05.006Z",
	    "a year before 1000 has four digits, too");
	same(round_trip("2024-02-29"), "2024-02-29T00:00:00.000Z",
	    "a date alone is its midnight, UTC");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		same(round_trip(none[i]), "none", none[i]);
	return tap_done();
}
