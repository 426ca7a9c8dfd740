#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "ext/json.h"
#include "runtime/shown.h"
#include "tap.h"

/* A result record with that many sources of about 400 bytes. */
static struct json *
result(int sources, const char *data)
{
	struct buf b = {0};
	struct json *root;
	struct err e = {0};

	buf_fmt(&b,
	    "{\"type\":\"result\",\"id\":\"T.1\",\"ok\":true,"
	    "\"summary\":\"s\",\"data\":\"%s\",\"sources\":[",
	    data);
	for (int i = 0; i < sources; i++)
		buf_fmt(&b, "%s{\"url\":\"u%d\",\"text\":\"%0400d\"}",
		    i ? "," : "", i, i);
	buf_str(&b, "],\"cursor\":\"c\",\"reveal\":[\"x\"]}");
	ok(json_read(&root, b.data, b.len, &e) == 0, "a result");
	buf_release(&b);
	return root;
}

int
main(void)
{
	struct json *small = result(1, "d"), *large = result(200, "d");
	char *long_text = mem_new(SHOWN_MAX + 1);
	struct json *wide;
	struct buf b = {0};

	shown_write(&b, small, "T.1");
	ok(strstr(b.data, "\"sources\":[{\"url\":\"u0\"") != NULL &&
		strstr(b.data, "\"cursor\":\"c\"") != NULL,
	    "a small result is shown whole");
	ok(!strstr(b.data, "reveal") && !strstr(b.data, "left_out"),
	    "without what is for the loop");
	buf_clear(&b);
	shown_write(&b, large, "T.1");
	ok(b.len <= SHOWN_MAX && b.len > SHOWN_MAX / 2,
	    "of a large one as many sources as fit");
	ok(strstr(b.data, "\"u0\"") && strstr(b.data, "left_out") &&
		strstr(b.data, "\"call\":\"T.1\""),
	    "the best ones, and where the others are");
	memset(long_text, 'y', SHOWN_MAX);
	wide = result(3, long_text);
	buf_clear(&b);
	shown_write(&b, wide, "T.1");
	ok(b.len < 1024 && strstr(b.data, "left_out"),
	    "data that is too wide is left out");
	json_free(small);
	json_free(large);
	json_free(wide);
	free(long_text);
	buf_release(&b);
	return tap_done();
}
