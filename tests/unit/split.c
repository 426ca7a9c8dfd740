#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "history/split.h"
#include "tap.h"

/*
 * What comes out when text goes in, size bytes at a time: a line an item, its
 * kind and its text; then what is wrong, if anything is.
 */
static const char *
split(const char *text, size_t len, size_t size)
{
	static struct buf out;
	struct split s = {0};
	struct split_item item;
	struct err e = {0};
	int got = 0;

	buf_clear(&out);
	for (size_t at = 0; at < len && got >= 0; at += size) {
		size_t n = len - at < size ? len - at : size;

		memcpy(split_room(&s, n), text + at, n);
		split_wrote(&s, n);
		while ((got = split_next(&s, &item, &e)) > 0)
			buf_fmt(&out, "%c%.*s\n", "HMLX"[item.kind],
			    (int)item.len, item.text ? item.text : "");
	}
	if (got == 0)
		got = split_end(&s, &e);
	if (got < 0)
		buf_fmt(&out, "!%s\n", e.text);
	split_release(&s);
	return buf_text(&out);
}

static void
shape(const char *text, const char *want, const char *name)
{
	size_t len = strlen(text);
	bool good = true;

	same(split(text, len, len), want, name);
	for (size_t size = 1; size < len; size++)
		good = good && strcmp(split(text, len, size), want) == 0;
	ok(good, "... however it is cut into pieces");
}

static const char export[] =
    "{\"guild\": {\"name\": \"[\\\"}\"},\n \"a\": \"messages\", \"messages\" :"
    " [\n {\"id\": \"1\", \"x\": [1, {}]}, {\"id\": \"\\\\\"} ],\n \"n\": 2}\n";

static void
test_shapes(void)
{
	shape(export,
	    "H{\"guild\": {\"name\": \"[\\\"}\"},\n \"a\": \"messages\","
	    " \"messages\" : null}\n"
	    "M{\"id\": \"1\", \"x\": [1, {}]}\nM{\"id\": \"\\\\\"}\n"
	    "H{\"guild\": {\"name\": \"[\\\"}\"},\n \"a\": \"messages\","
	    " \"messages\" : null,\n \"n\": 2}\n",
	    "an export is its head, its messages, its whole head");
	shape("{\"a\":1}\n{\"b\":{\"messages\":[{}]}}\r\n",
	    "L{\"a\":1}\nL{\"b\":{\"messages\":[{}]}}\n",
	    "lines are objects; a list of messages inside one is its own");
	shape("[{\"a\":[]},\n{\"b\":2}]\n[]", "M{\"a\":[]}\nM{\"b\":2}\n",
	    "a page is its messages");
	shape("\xef\xbb\xbf{}", "L{}\n", "a byte order mark is passed over");
	shape(" \n\t", "", "nothing is in nothing");
}

static void
test_wrong(void)
{
	shape("{\"a\":1]", "!line 1, byte 6: a ] without its [\n",
	    "a bracket of the wrong kind ends it");
	shape("[{}}", "M{}\n!line 1, byte 3: a } without its {\n",
	    "what came before is kept");
	shape("[{},7]", "M{}\n!line 1, byte 4: expected a message\n",
	    "a number is no message");
	shape("\n\nhello",
	    "!line 3, byte 2: not a chat archive: expected { or [\n",
	    "a text is no archive");
	shape("[{\"a\":\"x]}",
	    "!line 1, byte 10: it ends inside the message that begins in line "
	    "1\n",
	    "an open string ends with the file");
}

static void
test_deep(void)
{
	char text[200];

	memset(text, '[', 100);
	memset(text + 100, ']', 100);
	same(split(text + 36, 128, 128),
	    strstr(split(text + 36, 128, 128), "M"), "64 levels are read");
	ok(strstr(split(text + 35, 130, 130), "nested deeper than 64 levels"),
	    "65 are not");
}

/* Cut anywhere, it gives a beginning of what the whole gives. */
static void
test_cut(void)
{
	char *whole = strdup(split(export, strlen(export), 7));
	size_t len = strlen(export) - 1;
	bool good = true;

	for (size_t n = 1; n < len - 1; n++) {
		const char *got = split(export, n, 5);
		const char *bad = strchr(got, '!');

		good = good && bad &&
		       strncmp(got, whole, (size_t)(bad - got)) == 0;
	}
	ok(good, "cut at every byte, it keeps what came before and complains");
	free(whole);
}

static void
test_long(void)
{
	struct buf text = {0};
	const char *got;

	buf_str(&text, "[{\"id\":\"1\"},{\"a\":\"");
	for (int i = 0; i <= SPLIT_LONGEST; i += 16)
		buf_str(&text, "0123456789\\\"]}[{");
	buf_str(&text, "\"},{\"id\":\"2\"}]");
	got = split(text.data, text.len, 100000);
	ok(strcmp(got, "M{\"id\":\"1\"}\nX\nM{\"id\":\"2\"}\n") == 0,
	    "a message of more than 8 MiB is passed over, the next is read");
	buf_release(&text);
}

int
main(void)
{
	test_shapes();
	test_wrong();
	test_deep();
	test_cut();
	test_long();
	return tap_done();
}
