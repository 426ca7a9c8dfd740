/* What is left of much that was printed: both ends, whole characters, in time. */
#include "workspace/excerpt.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/utf8.h"
#include "ext/json.h"
#include "tap.h"

/* What is written of it, read again; *all says whether it is all. */
static const char *
written(const struct excerpt *x, size_t most, bool *all)
{
	static char text[1 << 20];
	struct buf b = {0};
	struct json *v = NULL;
	struct err e = {0};

	buf_str(&b, "{\"t\":");
	*all = excerpt_write(&b, NULL, x, most);
	ok(b.len <= most + 5, "it fits");
	buf_char(&b, '}');
	if (json_object(&v, buf_text(&b), b.len, &e) < 0)
		snprintf(text, sizeof(text), "no JSON: %s", e.text);
	else
		snprintf(text, sizeof(text), "%s", json_string(v, "t"));
	json_free(v);
	buf_release(&b);
	return text;
}

static void
test_short(void)
{
	struct excerpt x = {0};
	bool all;

	same(written(&x, 100, &all), "", "nothing is nothing");
	ok(all, "and all of it");
	excerpt_add(&x, "one\n", 4);
	excerpt_add(&x, "two\n", 4);
	same(written(&x, 100, &all), "one\ntwo\n", "what is short is whole");
	ok(all && x.bytes == 8, "and counted");
	excerpt_release(&x);
	excerpt_release(&x);
}

static void
test_ends(void)
{
	struct excerpt x = {0};
	const char *text;
	bool all;
	char line[16];

	for (int i = 0; i < 200000; i++)
		excerpt_add(&x, line,
		    (size_t)snprintf(line, sizeof(line), "%06d\n", i));
	text = written(&x, 400, &all);
	ok(!all && x.bytes == 1400000, "much is cut, and counted");
	ok(strncmp(text, "000000\n000001\n", 14) == 0, "it begins as it began");
	ok(strstr(text, "bytes left out ...]") != NULL, "says what is missing");
	same(text + strlen(text) - 14, "199998\n199999\n",
	    "and ends as it ended");
	ok(x.head.len + x.tail.len <= EXCERPT_HEAD + 2 * EXCERPT_TAIL,
	    "no more is held than that");
	text = written(&x, 384 << 10, &all);
	ok(strlen(text) > (280 << 10), "the more room, the more is told");
	excerpt_release(&x);
}

/* The count of what is left out and the rest are what came. */
static void
test_sums(void)
{
	bool good = true, all;

	for (size_t n = 0; n < 400; n += 7) {
		struct excerpt x = {0};
		struct buf b = {0};
		const char *mark;
		char *came = malloc(n + 1);
		size_t left;

		memset(came, 'x', n);
		excerpt_add(&x, came, n);
		all = excerpt_write(&b, NULL, &x, 100);
		mark = strstr(buf_text(&b), "\\n[... ");
		left = mark ? strtoul(mark + 7, NULL, 10) : 0;
		good = good && all == !mark &&
		       (!mark ||
			   left + strspn(buf_text(&b) + 1, "x") +
				   strspn(strstr(mark, "]\\n") + 3, "x") ==
			       n);
		good = good && (mark || b.len == n + 2);
		free(came);
		buf_release(&b);
		excerpt_release(&x);
	}
	ok(good, "what is left out is counted right");
}

/* Escapes are longer than what they stand for; characters stay whole. */
static void
test_escapes(void)
{
	struct excerpt x = {0};
	const char *text;
	bool all, whole = true;
	char bytes[3000];

	memset(bytes, 1, sizeof(bytes));
	excerpt_add(&x, bytes, sizeof(bytes));
	written(&x, 1000, &all);
	ok(!all, "what is long in JSON is cut as well");
	excerpt_release(&x);
	for (int i = 0; i < 1000; i++)
		excerpt_add(&x, "\xe2\x82\xac", 3);
	for (size_t most = 60; most < 90; most++) {
		text = written(&x, most, &all);
		whole = whole && !strstr(text, "\xef\xbf\xbd");
	}
	ok(whole, "no character is cut");
	excerpt_release(&x);
	excerpt_add(&x, "\xff\xfe", 2);
	same(written(&x, 100, &all), "\xef\xbf\xbd\xef\xbf\xbd",
	    "what is no text is told as such");
	excerpt_release(&x);
}

int
main(void)
{
	test_short();
	test_ends();
	test_sums();
	test_escapes();
	return tap_done();
}
