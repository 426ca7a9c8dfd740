#include "record/gap.h"

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"

#include "tap.h"

static bool
is_gone(void *ctx, const char *url)
{
	return strcmp(url, ctx) == 0;
}

static bool
is_known(void *ctx, const char *name)
{
	(void)ctx;
	return strcmp(name, "note_add") == 0;
}

enum what { RECORD, DERIVED, MESSAGE, SAID, DATA };

/* What stays of a text; borrowed until the next call. */
static const char *
left(enum what what, const char *text)
{
	static char out[2048];
	struct buf b = {0};
	struct json *v = NULL;
	struct err e = {0};
	char gone[] = "a";

	if (json_read(&v, text, strlen(text), &e) < 0)
		buf_str(&b, e.text);
	else if (what == MESSAGE)
		gap_message(&b, v, is_known, NULL);
	else if (what == SAID)
		gap_said(&b, v);
	else if (what == DATA)
		gap_data(&b, NULL, v);
	else
		gap_record(&b, v, what == DERIVED, is_gone, gone);
	json_free(v);
	snprintf(out, sizeof(out), "%s", buf_text(&b));
	buf_release(&b);
	return out;
}

#define OUT                                                                    \
	"(Left out: a message that this rested on was deleted, or may not be " \
	"read any more.)"

static void
test_records(void)
{
	same(left(RECORD, "{\"type\":\"result\",\"summary\":\"s\",\"sources\":"
			  "[{\"url\":\"b\",\"text\":\"t\"}]}"),
	    "{\"type\":\"result\",\"summary\":\"s\",\"sources\":"
	    "[{\"url\":\"b\",\"text\":\"t\"}]}",
	    "what shows nothing that is gone stays as it is");
	same(left(RECORD,
		 "{\"type\":\"result\",\"id\":\"x.1\",\"ok\":true,"
		 "\"summary\":\"s\",\"data\":{\"count\":2,\"w\":\"s\"},"
		 "\"sources\":[{\"url\":\"a\",\"author\":{\"id\":\"1\"},"
		 "\"text\":\"s\",\"more\":{\"x\":1}},"
		 "{\"url\":\"b\",\"text\":\"t\"}],\"cursor\":\"c\"}"),
	    "{\"type\":\"result\",\"id\":\"x.1\",\"ok\":true,"
	    "\"summary\":\"" OUT "\",\"data\":{\"count\":2},"
	    "\"sources\":[{\"url\":\"a\",\"author\":{\"id\":\"1\"},"
	    "\"gone\":true},{\"url\":\"b\",\"text\":\"t\"}],\"cursor\":\"c\"}",
	    "a source that is gone is a named gap, the others stay");
	same(left(DERIVED,
		 "{\"type\":\"result\",\"ok\":true,\"summary\":\"s\","
		 "\"sources\":[{\"url\":\"b\",\"text\":\"t\"},"
		 "{\"kind\":\"page\",\"url\":\"http://s\"}],"
		 "\"cursor\":\"s\",\"coverage\":{\"s\":1},\"new\":\"s\"}"),
	    "{\"type\":\"result\",\"ok\":true,\"summary\":\"" OUT "\","
	    "\"sources\":[{\"url\":\"b\",\"text\":\"t\"}]}",
	    "of what was derived only messages stay");
	same(left(DERIVED, "{\"type\":\"error\",\"kind\":\"refused\","
			   "\"text\":\"no s\",\"effect\":\"none\"}"),
	    "{\"type\":\"error\",\"kind\":\"refused\",\"effect\":\"none\","
	    "\"text\":\"" OUT "\"}",
	    "of an error what kind it was, and its effect");
}

static void
test_data(void)
{
	same(left(DATA, "{\"channel\":\"1200000000000000201\","
			"\"mention\":\"<@&1200000000000000201>\","
			"\"name\":\"s\",\"pin\":\"483920\",\"Secret\":1,"
			"\"list\":[1,true,null,\"s\",12345678],\"n\":7}"),
	    "{\"channel\":\"1200000000000000201\","
	    "\"mention\":\"<@&1200000000000000201>\","
	    "\"list\":[1,true],\"n\":7}",
	    "of data: ids, mentions, small numbers and truth values");
	same(left(DATA, "\"s\""), "", "of a text nothing");
}

static void
test_said(void)
{
	same(left(MESSAGE,
		 "{\"role\":\"assistant\",\"text\":\"s\",\"calls\":["
		 "{\"id\":\"c\",\"name\":\"note_add\",\"arguments\":\"s\"},"
		 "{\"id\":\"d\",\"name\":\"s\",\"arguments\":\"s\"}]}"),
	    "{\"role\":\"assistant\",\"text\":\"" OUT "\",\"calls\":["
	    "{\"id\":\"c\",\"name\":\"note_add\",\"arguments\":\"{}\"},"
	    "{\"id\":\"d\",\"name\":\"unknown\",\"arguments\":\"{}\"}]}",
	    "a model's calls keep the names of tools");
	same(left(SAID, "{\"type\":\"answer\",\"task\":\"t\",\"text\":\"s\","
			"\"sources\":[{\"url\":\"a\"}]}"),
	    "{\"type\":\"answer\",\"task\":\"t\",\"text\":\"" OUT "\","
	    "\"sources\":[]}",
	    "an answer loses its text and what it linked");
}

int
main(void)
{
	test_records();
	test_data();
	test_said();
	return tap_done();
}
