#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "ext/jsonw.h"
#include "tap.h"

/*
 * What comes out when text is read and written again; "bad" if it is not JSON.
 */
static const char *
again(const char *text)
{
	static struct buf out;
	struct json *root;
	struct err e = {0};

	buf_clear(&out);
	if (json_read(&root, text, strlen(text), &e) < 0)
		return "bad";
	jsonw_value(&out, NULL, root);
	json_free(root);
	return buf_text(&out);
}

static void
test_round_trip(void)
{
	same(again("{\"a\":[1,-2.50e3,true,false,null,\"x\"],\"b\":{}}"),
	    "{\"a\":[1,-2.50e3,true,false,null,\"x\"],\"b\":{}}",
	    "a tree is written as it was read, numbers to the digit");
	same(again("\"\\ud83d\\ude00 \\ud800 \\udc00x\""),
	    "\"\xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbdx\"",
	    "a pair is a character, a lone surrogate is U+FFFD");
	same(again("\"\\\\ud800\""), "\"\\\\ud800\"",
	    "an escaped backslash starts no surrogate");
	same(again("\"a\\u0000b\""),
	    "\"a\xef\xbf\xbd"
	    "b\"",
	    "U+0000 is U+FFFD");
	same(again("\"\\u001f\\n\\u007f\""), "\"\\u001f\\n\\u007f\"",
	    "control characters stay escaped");
	same(again("\"\\u009b31m \xc2\xa0\""), "\"\\u009b31m \xc2\xa0\"",
	    "those of C1, which a terminal obeys, are escaped, too");
	same(again("[1] 2"), "bad", "two values are not one");
	same(again("\"\xff\""), "bad", "invalid UTF-8 is refused");
	same(again("{'a':1}"), "bad", "other quotes are refused");
	same(again("  "), "bad", "nothing is not a value");
}

static void
test_depth(void)
{
	char text[200];
	struct json *root;
	struct err e = {0};

	memset(text, '[', 100);
	memset(text + 100, ']', 100);
	ok(json_read(&root, text + 36, 128, &e) == 0, "64 levels are read");
	json_free(root);
	ok(json_read(&root, text + 35, 130, &e) < 0, "65 levels are not");
	same(e.text, "bad JSON: nested deeper than 64 levels",
	    "and it says so");
}

static void
test_lookups(void)
{
	static const char text
	    [] = "{\"id\":\"1099511627776000001\",\"n\":7,\"f\":1.5,\"id2\":5,"
		 "\"n\":8,\"t\":true}";
	struct json *root;
	struct err e = {0};

	ok(json_object(&root, text, strlen(text), &e) == 0, "an object");
	ok(json_int(root, "n", 0) == 8, "of two members the last one counts");
	ok(json_int(root, "id", 0) == 1099511627776000001,
	    "an id in a string is exact");
	ok(json_int(root, "f", -1) == -1, "a fraction is not a whole number");
	ok(json_bool(root, "t", false), "true is true");
	ok(!json_string(root, "id2"), "a number is not a string");
	ok(!json_get(json_get(root, "none"), "x"), "a look-up can be nested");
	json_free(root);
	ok(json_object(&root, "[]", 2, &e) < 0, "an array is not an object");
}

/* Every prefix of a text is either read or refused, never worse. */
static void
test_cut(void)
{
	static const char text[] = "{\"a\":[\"\\ud83d\\ude00\\n\xe3\x81\x82\","
				   "1.5e-3,{\"b\":null}],\"c\":true}";
	int good = 0;

	for (size_t n = 0; n <= strlen(text); n++) {
		char *copy = malloc(n + 1); /* so that ASan sees its end */
		struct json *root;
		struct err e = {0};

		memcpy(copy, text, n);
		good += json_read(&root, copy, n, &e) == 0;
		json_free(root);
		free(copy);
	}
	ok(good == 1, "cut at every byte, only the whole text is JSON");
}

int
main(void)
{
	struct buf b = {0};

	test_round_trip();
	test_depth();
	test_lookups();
	test_cut();
	jsonw_object(&b, NULL);
	jsonw_str(&b, "s",
	    "a\xff"
	    "b\"");
	jsonw_id(&b, "i", 18446744073709551615U);
	jsonw_time(&b, "t", 0);
	jsonw_opt(&b, "none", NULL);
	jsonw_line(&b);
	same(buf_text(&b),
	    "{\"s\":\"a\xef\xbf\xbd"
	    "b\\\"\",\"i\":\"18446744073709551615\","
	    "\"t\":\"1970-01-01T00:00:00.000Z\"}\n",
	    "what is written is valid UTF-8 on one line");
	buf_release(&b);
	return tap_done();
}
