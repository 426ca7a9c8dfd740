#include "core/buf.h"
#include "core/err.h"
#include "record/event.h"
#include "tap.h"

static const char line[] =
    "{\"type\":\"event\",\"shard\":3,\"number\":7,\"name\":\"MESSAGE_CREATE\","
    "\"sequence\":42,\"at\":\"2026-11-30T16:33:57.000Z\","
    "\"data\":{\"id\":\"1\",\"x\":[{}]}}";

static int
read_text(struct event *x, const char *text)
{
	struct err e = {0};

	return event_read(x, text, strlen(text), &e);
}

static void
test_read(void)
{
	struct event x;
	struct buf b = {0};

	ok(read_text(&x, line) == 0 && x.shard == 3 && x.number == 7 &&
		x.sequence == 42 && strcmp(x.name, "MESSAGE_CREATE") == 0 &&
		x.at_ms == 1796056437000,
	    "what stands before the data is read");
	ok(x.data_len == 19 &&
		memcmp(x.data, "{\"id\":\"1\",\"x\":[{}]}", x.data_len) == 0,
	    "the data is a slice of the line");
	event_write(&b, &x);
	ok(b.len == sizeof(line) && memcmp(b.data, line, b.len - 1) == 0 &&
		b.data[b.len - 1] == '\n',
	    "written again it is the same");
	buf_release(&b);
}

static void
test_others(void)
{
	struct event x;

	ok(read_text(&x,
	       "{ \"at\" : \"2026-11-30\", \"name\": \"READY\", "
	       "\"number\":0, \"new\": true, \"newer\": \"x\", "
	       "\"shard\":0,\"type\":\"event\", \"data\": null }") == 0 &&
		strcmp(x.name, "READY") == 0 && x.sequence == 0 &&
		memcmp(x.data, "null", 4) == 0,
	    "any order, blanks and fields that nobody knows will do");
}

static void
test_bad(void)
{
	static const char *const bad[] = {"", "{", "{}", "[]", "null",
	    "{\"type\":\"event\"}", "{\"type\":\"event\",\"data\":{}}",
	    "{\"type\":\"delta\",\"shard\":0,\"number\":1,\"name\":\"A\","
	    "\"at\":\"2026-11-30\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":-1,\"number\":1,\"name\":\"A\","
	    "\"at\":\"2026-11-30\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":9223372036854775808,"
	    "\"name\":\"A\",\"at\":\"2026-11-30\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":1,\"name\":\"A B\","
	    "\"at\":\"2026-11-30\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":1,\"name\":\"\","
	    "\"at\":\"2026-11-30\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":1,\"name\":\"A\","
	    "\"at\":\"yesterday\",\"data\":{}}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":1,\"name\":\"A\","
	    "\"at\":\"2026-11-30\",\"data\":}",
	    "{\"type\":\"event\",\"shard\":0,\"number\":1,\"name\":\"A\\u0041\","
	    "\"at\":\"2026-11-30\",\"data\":{}}"};
	struct event x;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (read_text(&x, bad[i]) == 0) {
			printf("# %s\n", bad[i]);
			ok(false, "what is no event is refused");
			return;
		}
	ok(true, "what is no event is refused");
}

static void
test_cut(void)
{
	struct event x;
	struct err e = {0};
	int good = 0;

	for (size_t len = 0; len < sizeof(line) - 1; len++)
		good += event_read(&x, line, len, &e) == 0;
	/* Only whoever parses the data sees that its last brace is missing. */
	ok(good == 2, "cut at any byte before its data ends, it is none");
}

int
main(void)
{
	test_read();
	test_others();
	test_bad();
	test_cut();
	return tap_done();
}
