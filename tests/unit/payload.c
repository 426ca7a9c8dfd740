/*
 * The head of what the gateway sends: cases of our own, then every recorded
 * payload, whole and cut off at every byte.
 */
#include "discord/payload.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/file.h"
#include "tap.h"

static void
reads(const char *text, const char *want, const char *name)
{
	struct payload p;
	struct err e = {0};
	struct buf got = {0};

	if (payload_read(&p, text, strlen(text), &e) < 0)
		buf_str(&got, e.text);
	else
		buf_fmt(&got, "%d %d %s %.*s", p.op,
		    p.numbered ? (int)p.sequence : -1, p.name, (int)p.len,
		    p.data);
	same(buf_text(&got), want, name);
	buf_release(&got);
}

static void
cases(void)
{
	reads("{\"t\":\"A_B\",\"s\":7,\"op\":0,\"d\":{\"x\":[1,{}]}}",
	    "0 7 A_B {\"x\":[1,{}]}", "an event");
	reads("{\"op\":0,\"d\":[],\"s\":7,\"t\":\"A\"}", "0 7 A []",
	    "members come in any order");
	reads("{\"op\":11}", "11 -1  null", "what is missing is null");
	reads("{\"op\":1,\"d\":null,\"s\":null,\"t\":null}", "1 -1  null",
	    "what is null is none");
	reads(" {\n\t\"op\" : 10 , \"d\" : { } } \r\n", "10 -1  { }",
	    "space is passed over");
	reads("{\"op\":9,\"d\":false,\"x\":{\"op\":3},\"y\":\"}\"}",
	    "9 -1  false", "members that nobody knows are passed over");
	reads("{\"op\":0,\"t\":\"A\",\"d\":{\"d\":\"\\\"}\\\\\"}}",
	    "0 -1 A {\"d\":\"\\\"}\\\\\"}", "a quoted bracket is text");
}

static void
bad(void)
{
	static const char *const texts[] = {"", "[]", "{", "{\"op\":0", "{}",
	    "{\"op\":\"0\"}", "{\"op\":-1}", "{\"op\":0}", "{\"op\":1}x",
	    "{\"op\":0,\"t\":\"a b\",\"s\":1}", "{\"op\":1,\"s\":\"1\"}",
	    "{\"op\":1,\"d\":[}]}", "{\"op\":1,\"d\":}", "{\"op\":1,,}",
	    "{\"op\":1,\"d\":\"a\nb\"}", "{op:1}", "{\"op\":1 \"d\":2}",
	    "{\"op\":99999999999999999999}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct payload p;
		struct err e = {0};

		if (!ok(payload_read(&p, texts[i], strlen(texts[i]), &e) < 0 &&
			    e.kind == ERR_INPUT,
			"what is no payload is refused"))
			printf("# %s\n", texts[i]);
	}
}

static void
depth(int levels, bool good, const char *name)
{
	struct buf text = {0};
	struct payload p;
	struct err e = {0};

	buf_str(&text, "{\"op\":1,\"d\":");
	for (int i = 0; i < levels; i++)
		buf_char(&text, '[');
	for (int i = 0; i < levels; i++)
		buf_char(&text, ']');
	buf_char(&text, '}');
	ok((payload_read(&p, text.data, text.len, &e) == 0) == good, name);
	buf_release(&text);
}

static void
nul(void)
{
	static const char text[] = "{\"op\":1,\"d\":\"a\0b\"}";
	struct payload p;
	struct err e = {0};

	ok(payload_read(&p, text, sizeof(text) - 1, &e) < 0,
	    "a NUL byte is refused");
}

static void
flatten(void)
{
	char text[] = "{\r\n \"op\":\n1}\n";
	const size_t len = payload_flatten(text, strlen(text));

	ok(len == 9 && memcmp(text, "{ \"op\":1}", len) == 0,
	    "line breaks are taken out, and nothing else");
}

/*
 * Whole it is one, and no part of it is. A long one is cut at a part of its
 * bytes only, since each cut reads it from the start.
 */
static bool
replay(struct buf *text)
{
	const size_t step = text->len / 4096 + 1;
	struct payload p;
	struct err e = {0};
	bool good;

	text->len = payload_flatten(text->data, text->len);
	good = payload_read(&p, text->data, text->len, &e) == 0 &&
	       !memchr(p.data, '\n', p.len);
	for (size_t cut = 0; good && cut < text->len;
	     cut += cut < 2048 ? 1 : step) {
		char *part = malloc(cut + 1); /* so that reading on is seen */

		memcpy(part, text->data, cut);
		if (payload_read(&p, part, cut, &e) == 0)
			good = text->data[cut] == ' ';
		free(part);
	}
	return good;
}

static void
recorded(void)
{
	const char *top = getenv("SOPHIA_FIXTURES");
	char folder[PATH_MAX / 2], path[PATH_MAX];
	const struct dirent *entry;
	int count = 0;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/discord/discord4j/gateway",
	    top ? top : "../shared/fixtures");
	if (!(d = opendir(folder))) {
		tap_skip("no recordings of Discord are here");
		return;
	}
	while ((entry = readdir(d)) != NULL) {
		struct buf text = {0};
		struct err e = {0};

		if (!strstr(entry->d_name, ".json"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		ok(file_read(&text, path, &e) == 0 && replay(&text),
		    entry->d_name);
		buf_release(&text);
		count++;
	}
	closedir(d);
	ok(count > 0, "there were recordings");
}

int
main(void)
{
	cases();
	bad();
	depth(64, true, "64 levels are read");
	depth(65, false, "65 are not");
	nul();
	flatten();
	recorded();
	return tap_done();
}
