/* Answers without a model: what is asked, what is quoted, how it is cut. */
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "model/extractive.h"
#include "model/quote.h"
#include "record/request.h"
#include "oracle.h"
#include "tap.h"

static const char tool[] = "{\"name\":\"retrieve_messages\",\"description\":"
			   "\"d\",\"parameters\":{}}";

static char *
answer(const char *messages, const char *tools)
{
	struct buf line = {0}, out = {0};
	struct json *root = NULL;
	struct request r = {0};
	struct err e = {0};

	buf_fmt(&line,
	    "{\"type\":\"request\",\"id\":\"r\",\"profile\":\"extractive\","
	    "\"purpose\":\"task\",\"stream\":true,\"messages\":[%s],\"tools\":"
	    "[%s]}",
	    messages, tools);
	if (json_read(&root, line.data, line.len, &e) == 0 &&
	    request_read(&r, root, &e) == 0)
		(void)extractive_answer(&out, &r, &e);
	request_release(&r);
	json_free(root);
	buf_release(&line);
	buf_str(&out, "");
	return buf_take(&out);
}

static void
check(const char *messages, const char *tools, const char *part,
    const char *name)
{
	char *got = answer(messages, tools);

	if (!tap_ok(strstr(got, part) != NULL, __FILE__, __LINE__, name))
		printf("# got:  %s\n# part: %s\n", got, part);
	free(got);
}

#define QUESTION                                                               \
	"{\"role\":\"user\",\"label\":\"request\",\"text\":\"where is the "    \
	"kiln?\"}"
#define FOUND(result)                                                          \
	QUESTION ",{\"role\":\"assistant\",\"text\":\"\",\"calls\":[{\"id\":"  \
		 "\"call_0\",\"name\":\"retrieve_messages\",\"arguments\":"    \
		 "\"{}\"}]},{\"role\":\"tool\",\"call\":\"call_0\",\"text\":"  \
		 "\"" result "\"}"
#define SOURCE(url, text) "{" SOURCE_FIELDS(url, text)
#define SOURCE_FIELDS(url, text)                                               \
	"\\\"url\\\":\\\"" url "\\\",\\\"author\\\":{\\\"name\\\":"            \
	"\\\"Ada\\\"},\\\"channel\\\":{\\\"name\\\":\\\"clay\\\"},"            \
	"\\\"at\\\":\\\"2026-03-01T12:30:00.000Z\\\",\\\"text\\\":\\\"" text   \
	"\\\"}"

#define RATED(url, text, part, score)                                          \
	"{\\\"part\\\":\\\"" part "\\\",\\\"score\\\":\\\"" score              \
	"\\\"," SOURCE_FIELDS(url, text)

static void
questions(void)
{
	check(QUESTION, tool,
	    "\"name\":\"retrieve_messages\",\"arguments\":\"{\\\"query\\\":"
	    "\\\"where is the kiln?\\\",\\\"limit\\\":8}\"}\n"
	    "{\"type\":\"finish\",\"id\":\"r\",\"reason\":\"calls\"}",
	    "it asks for the question's words");
	check(
	    "{\"role\":\"user\",\"label\":\"source\",\"text\":\"not this\"}," QUESTION
	    ",{\"role\":\"user\",\"label\":\"note\",\"text\":\"nor "
	    "this\"}",
	    tool, "\\\"where is the kiln?\\\"", "and for nothing else");
	check(FOUND("{}") ",{\"role\":\"user\",\"label\":\"steer\",\"text\":"
			  "\"and the wheel?\"}",
	    tool, "\\\"and the wheel?\\\"", "a steer is a new question");
	check(QUESTION, "", "There is no search here", "without the tool");
	check("", tool, "Nothing was asked.", "nothing is asked");
}

static void
answers(void)
{
	check(FOUND("{\\\"ok\\\":true,\\\"sources\\\":[" RATED("L0", "why?",
		  "neighbour", "19") "," RATED("L1", "Moving day", "hit",
		  "6.5") "," RATED("L3", "A kiln", "hit", "5.5") "," RATED("L2",
		  "It is in the shed", "hit", "11.25") "]}"),
	    tool,
	    "best:\\n\\n> It is in the shed\\n\xe2\x80\x94 Ada, #clay, "
	    "2026-03-01 12:30 UTC: L2\\n\\n> Moving day\\n\xe2\x80\x94 Ada, "
	    "#clay, 2026-03-01 12:30 UTC: L1\\n\"}\n{\"type\":\"finish\","
	    "\"id\":\"r\",\"reason\":\"stop\"}",
	    "the best match first, with author, time and link");
	check(FOUND("{\\\"ok\\\":true,\\\"sources\\\":[]}"), tool,
	    "Nothing was found", "nothing found is said");
	check(FOUND("{\\\"ok\\\":true,\\\"sources\\\":[]}"), tool,
	    "\"reason\":\"stop\",\"found\":false}", "in its finish, too");
	check(FOUND("{\\\"sources\\\":[" SOURCE("L1",
		  "@Sophia <@12> where is the kiln?") "," SOURCE("L2",
		  "This is a search result, not a written answer. The "
		  "messages: a kiln") "," SOURCE("L3", "In the shed") "]}"),
	    tool, "best:\\n\\n> In the shed\\n",
	    "neither the question nor an answer of this kind is quoted");
	check(FOUND("{\\\"sources\\\":[" SOURCE("L1",
		  "@Sophia where is the kiln?") "]}"),
	    tool, "Nothing was found", "if there is nothing else, it is said");
	check(FOUND("{\\\"ok\\\":false,\\\"summary\\\":\\\"no index\\\"}"),
	    tool,
	    "\"kind\":\"internal\",\"text\":\"the search failed: no index\"",
	    "and so is a failure");
	check(FOUND("{\\\"kind\\\":\\\"config\\\",\\\"text\\\":\\\"t\\\"}"),
	    tool, "\"kind\":\"config\",\"text\":\"the search failed: t\"",
	    "or an error");
	check(FOUND("not JSON"), tool, "the result can't be read",
	    "or nonsense");
	check(FOUND("{\\\"sources\\\":[" SOURCE("L1",
		  "kiln https://discord.com/channels/1/2/3 there") "]}"),
	    tool, "> kiln (link) there",
	    "only links that the search gave are in the answer");
}

static void
media(void)
{
#define MEDIA(text)                                                            \
	"{\"role\":\"user\",\"label\":\"request\",\"text\":\"" text            \
	"\",\"media\":[{\"kind\":\"image\",\"type\":\"image/png\","            \
	"\"name\":\"a\",\"url\":\"https://x\"}]}"
	check(MEDIA(""), tool, "what is attached can't be looked at",
	    "a picture alone is no question");
	check(MEDIA("the kiln?"), tool, "\"tool_call\"", "one with words is");
	check(MEDIA("the kiln?") ",{\"role\":\"assistant\",\"text\":\"\","
				 "\"calls\":[{\"id\":\"call_0\",\"name\":"
				 "\"retrieve_messages\",\"arguments\":\"{}\"}]"
				 "},{\"role\":\"tool\",\"call\":\"call_0\","
				 "\"text\":\"{\\\"ok\\\":true}\"}",
	    tool, "What is attached was not looked at",
	    "and its answer says that nobody looked");
}

static void
shortened(const char *text, size_t max, const char *want, const char *name)
{
	struct buf b = {0};

	quote_shorten(&b, text, max);
	same(buf_text(&b), want, name);
	buf_release(&b);
}

static void
shortening(void)
{
	static const char long_text
	    [] = "a\xcc\x88 \xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x8c\xbe "
		 "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe6\x97\xa5\xe6\x9c\xac "
		 "\xf0\x9f\x87\xa7\xf0\x9f\x87\xb7 end of the text";
	bool good = true;

	shortened("one\n two\t three", 100, "one two three", "on one line");
	shortened("one two three four", 14, "one two three\xe2\x80\xa6",
	    "cut between words");
	shortened("aaaaaaaaaaaaaaaaaaaa", 10, "aaaaaaaaaa\xe2\x80\xa6",
	    "or where it must be");
	shortened("aaaaaaaaae\xcc\x81xxxxx", 10, "aaaaaaaaa\xe2\x80\xa6",
	    "but not before a mark");
	for (size_t max = 1; max < sizeof(long_text); max++) {
		struct buf b = {0};

		quote_shorten(&b, long_text, max);
		good = good && b.len <= max + 3 &&
		       oracle_utf8(buf_text(&b), b.len);
		buf_release(&b);
	}
	ok(good, "wherever it is cut, it is UTF-8 and no longer than allowed");
}

int
main(void)
{
	questions();
	answers();
	media();
	shortening();
	return tap_done();
}
