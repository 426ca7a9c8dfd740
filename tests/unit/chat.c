/*
 * What providers send and how it must be read: a case of our own for each way
 * that clients are known to have got it wrong. Each is decoded whole, and again
 * byte by byte.
 */
#include "reply.h"
#include "tap.h"

#define DELTA(d) "{\"choices\":[{\"index\":0,\"delta\":" d "}]}"
#define ENDS(w)                                                                \
	"{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":" w "}]}"
#define TOOL(t) DELTA("{\"tool_calls\":[" t "]}")
#define ONE(id, name, args)                                                    \
	"{\"id\":" id ",\"function\":{\"name\":" name ",\"arguments\":" args   \
	"}}"
#define AT(n, id, name, args)                                                  \
	"{\"index\":" #n ",\"id\":" id ",\"function\":{\"name\":" name         \
	",\"arguments\":" args "}}"
#define MORE(n, args) "{\"index\":" #n ",\"function\":{\"arguments\":" args "}}"
#define DONE "[DONE]"

/* The payloads, ended by NULL, as a stream; its records in short. */
static void
stream_text(struct buf *b, const char *const *payloads)
{
	for (; *payloads; payloads++)
		buf_fmt(b, "data: %s\n\n", *payloads);
}

static void
shorten(struct buf *out, const struct json *r)
{
	const char *type = json_string(r, "type");

	if (strcmp(type, "delta") == 0)
		buf_str(out, json_string(r, "text"));
	else if (strcmp(type, "reasoning") == 0)
		buf_fmt(out, "~%s~", json_string(r, "text"));
	else if (strcmp(type, "tool_call") == 0)
		buf_fmt(out, "[%s %s %s]", json_string(r, "call"),
		    json_string(r, "name"), json_string(r, "arguments"));
	else if (strcmp(type, "finish") == 0)
		buf_fmt(out, "<%s>", json_string(r, "reason"));
	else if (strcmp(type, "error") == 0)
		buf_fmt(out, "<%s %s>", json_string(r, "kind"),
		    json_string(r, "code"));
}

static char *
in_short(const char *records)
{
	struct buf out = {0};

	while (*records) {
		size_t len = strcspn(records, "\n");
		struct json *r = NULL;
		struct err e = {0};

		if (json_read(&r, records, len, &e) == 0)
			shorten(&out, r);
		json_free(r);
		records += len + 1;
	}
	buf_str(&out, "");
	return buf_take(&out);
}

static void
check_bytes(const char *bytes, const char *want, const char *name)
{
	size_t len = strlen(bytes);
	char *whole = reply_whole(bytes, len);
	char *each = reply_cut(bytes, len, 0, 1);
	char *got = in_short(whole);

	same(got, want, name);
	same(each, whole, "and the same byte by byte");
	free(got);
	free(each);
	free(whole);
}

static void
check(const char *const *payloads, const char *want, const char *name)
{
	struct buf b = {0};

	stream_text(&b, payloads);
	check_bytes(buf_text(&b), want, name);
	buf_release(&b);
}

#define STREAM(...) ((const char *const[]){__VA_ARGS__, NULL})

static void
framing(void)
{
	check_bytes(": PROCESSING\n\ndata: : PROCESSING\n\ndata: " DELTA(
			"{\"content\":\"a\"}") "\n\ndata: " DONE "\n\n",
	    "a<stop>", "1: comments are not read as JSON");
	check_bytes(
	    "data: " DELTA("{\"content\":\"\xe4\xbd\xa0\xf0\x9f\xa6\x80\"}") "\r\n\r\ndata: " ENDS(
		"\"stop\"") "\r\r",
	    "\xe4\xbd\xa0\xf0\x9f\xa6\x80<stop>",
	    "2: characters and events may be cut anywhere");
}

static void
which_call(void)
{
	check(STREAM(TOOL(ONE("\"a\"", "\"f\"", "\"\"")),
		  TOOL("{\"function\":{\"arguments\":\"{}\"}}"),
		  TOOL(ONE("\"b\"", "\"g\"", "\"{}\"")), DONE),
	    "[a f {}][b g {}]<calls>", "3: without an index, an id is new");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"{}\"")),
		  TOOL(AT(0, "\"b\"", "\"f\"", "\"{}\"")), DONE),
	    "[a f {}][b f {}]<calls>", "4: another id on an index is new");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"{\"")),
		  TOOL(AT(0, "\"\"", "\"\"", "\"\\\"x\\\":\"")),
		  TOOL(AT(0, "null", "null", "\"1}\"")), DONE),
	    "[a f {\"x\":1}]<calls>", "5: an empty id or name is none");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"{\"")),
		  TOOL(AT(0, "\"a\"", "\"f\"", "\"}\"")), DONE),
	    "[a f {}]<calls>", "6: what is repeated is not appended");
	check(
	    STREAM(TOOL(MORE(0, "\"\"")),
		TOOL("{\"index\":0,\"function\":{\"name\":\"f\",\"arguments\":"
		     "\"{}\"}}"),
		DONE),
	    "[call_0 f {}]<calls>", "7: a call without an id gets one");
	check(STREAM(TOOL(AT(1, "\"a\"", "\"f\"", "\"{\"")),
		  TOOL(MORE(7, "\"}\"")), DONE),
	    "[a f {}]<calls>", "8: a strange index goes on with the last");
	check(STREAM(TOOL(AT(0, "\"a\"", "null", "\"{\"")),
		  TOOL(AT(0, "null", "\"f\"", "\"}\"")), DONE),
	    "[a f {}]<calls>", "9: arguments may come before the name");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"{}\"")),
		  TOOL(MORE(0, "\" \"")), DONE),
	    "[a f {} ]<calls>", "10: nothing is complete before the end");
	check(STREAM(TOOL("{\"index\":0,\"function\":{\"name\":\"f\","
			  "\"arguments\":\"{}\"}}"),
		  TOOL("{\"index\":0,\"function\":{\"name\":\"f\","
		       "\"arguments\":\"{\\\"x\\\":1}\"}}"),
		  DONE),
	    "[call_0 f {}][call_1 f {\"x\":1}]<calls>",
	    "two whole calls with no id on one index are two");
	check(STREAM(TOOL(AT(0, "\"call_0\"", "\"f\"", "\"{}\"")),
		  TOOL("{\"index\":1,\"function\":{\"name\":\"g\","
		       "\"arguments\":\"{}\"}}"),
		  DONE),
	    "[call_0 f {}][call_1 g {}]<calls>",
	    "an id that is made is no other call's");
	check(STREAM(DELTA("{\"function_call\":{\"name\":\"\",\"arguments\":"
			   "\"\"},\"content\":\"a\"}"),
		  DONE),
	    "a<stop>", "an empty function_call is none");
}

static void
arguments(void)
{
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "{\"x\":[1]}")), DONE),
	    "[a f {\"x\":[1]}]<calls>", "11: an object is text again");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "null")), DONE),
	    "[a f {}]<calls>", "11: null is no arguments");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"null\"")), DONE),
	    "[a f {}]<calls>", "11: nor is the text null");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"\"")), DONE),
	    "[a f {}]<calls>", "11: nor is an empty one");
	check(STREAM(TOOL(AT(0, "\"a\"", "\"f\"", "\"{\"")), DONE),
	    "[a f {]<calls>", "11: bad ones are for the caller to see");
}

static void
endings(void)
{
	static const char call[] = TOOL(AT(0, "\"a\"", "\"f\"", "\"{}\""));
	static const char half[] = TOOL(AT(0, "\"a\"", "\"f\"", "\"{\""));

	check(STREAM(call, ENDS("\"stop\""), DONE), "[a f {}]<calls>",
	    "12: calls count, whatever ends the reply");
	check(STREAM(call, ENDS("\"error\""), DONE), "[a f {}]<calls>",
	    "12: even an error");
	check(STREAM(call, ENDS("\"something\""), DONE), "[a f {}]<calls>",
	    "12: or a word nobody knows");
	check(STREAM(half, ENDS("\"length\""), DONE), "<length>",
	    "12: a call that was cut off is none");
	check(STREAM(half, ENDS("\"content_filter\"")), "<filter>",
	    "12: nor is one that was filtered");
	check(STREAM(call, TOOL(AT(1, "\"b\"", "\"g\"", "\"{\"")),
		  ENDS("\"MAX_TOKENS\"")),
	    "[a f {}]<length>", "12: one that was whole before the cut is");
	check(STREAM(half, "{\"choices\":[{\"index\":0,\"delta\":{},"
			   "\"finish_reason\":\"tool_calls\","
			   "\"native_finish_reason\":\"length\"}]}"),
	    "<length>", "12: a router's native reason tells of the cut");
	check(STREAM(ENDS("\"tool_calls\"")), "<stop>",
	    "12: calls that are announced, and not there");
	check(STREAM(ENDS("\"error\"")), "<again provider>",
	    "an error without calls is one");
	check(STREAM("{\"choices\":[]}", "{\"choices\":[],\"usage\":null}",
		  DELTA("{\"content\":\"a\"}"), DONE),
	    "a<stop>", "13: there may be no choices");
	check(STREAM(DELTA("{\"content\":\"a\"}")), "a<again truncated>",
	    "14: an end that nothing announced is an error");
	check(STREAM(DELTA("{\"content\":\"a\"}"), DONE), "a<stop>",
	    "14: [DONE] is enough");
	check(STREAM(DELTA("{\"content\":\"a\"}"), ENDS("\"stop\"")), "a<stop>",
	    "14: so is a finish_reason");
	check_bytes("data: " DELTA("{\"content\":\"a\"}") "\n\ndata: {\"cho",
	    "a<again truncated>", "14: half an event is none");
	check_bytes("", "<again truncated>", "nothing at all is an error");
}

static void
errors(void)
{
	check(STREAM(DELTA("{\"content\":\"a\"}"),
		  "{\"error\":{\"message\":\"m\",\"code\":502}}", DONE),
	    "a<again provider>", "15: an error ends the turn, text is kept");
	check(STREAM("{\"object\":\"error\",\"message\":\"m\",\"code\":400}"),
	    "<refused bad_request>", "15: vLLM's form");
	check_bytes("event: error\ndata: {\"message\":\"m\"}\n\n",
	    "<again provider>", "15: an event of that name");
	check_bytes("{\"error\":{\"message\":\"m\",\"type\":"
		    "\"insufficient_quota\"}}",
	    "<config credit>", "15: a body instead of a stream");
	check(STREAM("{\"error\":null,\"choices\":[{\"index\":0,\"delta\":{"
		     "\"content\":\"a\"},\"finish_reason\":\"stop\"}]}"),
	    "a<stop>", "15: null is no error");
	check(STREAM("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},"
		     "\"finish_reason\":\"error\",\"error\":{\"code\":429,"
		     "\"message\":\"m\"}}]}"),
	    "<again rate_limit>", "15: one inside a choice");
	check_bytes("<html>502</html>", "<again not_json>", "a page is none");
	check_bytes("{\"object\":\"list\"}", "<again provider>",
	    "nor is some other object");
	check(STREAM("nonsense"), "<again not_json>", "nor is nonsense");
}

static void
contents(void)
{
	check(STREAM(DELTA("{\"content\":null,\"refusal\":\"No.\"}"), DONE),
	    "No.<stop>", "a refusal is what it says");
	check(STREAM(DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":["
			   "{\"type\":\"text\",\"text\":\"hm\"}]},{\"type\":"
			   "\"text\",\"text\":\"a\"}]}"),
		  DONE),
	    "~hm~a<stop>", "content may be a list of parts");
	check(STREAM(DELTA("{\"reasoning\":\"r\",\"reasoning_details\":[{"
			   "\"type\":\"reasoning.text\",\"text\":\"r\"}]}"),
		  DONE),
	    "~r~<stop>", "what is thought twice is shown once");
	check(STREAM("{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"}"
		     "},{\"index\":0,\"delta\":{\"content\":\"a\"}}]}",
		  DONE),
	    "a<stop>", "one choice was asked for");
	check_bytes(" \n\n {\"choices\":[{\"message\":{\"content\":\"a\"},"
		    "\"finish_reason\":\"\"}]}",
	    "a<stop>", "white space may keep the connection alive");
}

/* What of the finish record goes back with the turn. */
static void
check_echo(const char *const *payloads, const char *want, const char *name)
{
	struct buf b = {0};
	char *got;
	const char *at;

	stream_text(&b, payloads);
	got = reply_whole(buf_text(&b), b.len);
	at = strstr(got, "\"echo\":");
	same(at ? at : "", want, name);
	free(got);
	buf_release(&b);
}

static void
echoes(void)
{
	check_echo(STREAM(DELTA("{\"reasoning_content\":\"a\"}"),
		       DELTA("{\"reasoning_content\":\"b\"}"), DONE),
	    "\"echo\":{\"model\":\"m\",\"reasoning_content\":\"ab\"}}\n",
	    "16: reasoning is kept under the name it came with");
	check_echo(
	    STREAM(DELTA(
		       "{\"reasoning\":\"a\",\"reasoning_details\":[{\"type\":"
		       "\"reasoning.text\",\"text\":\"a\",\"index\":0}]}"),
		DELTA("{\"reasoning_details\":[{\"type\":\"reasoning.text\","
		      "\"text\":\"b\",\"index\":0}]}"),
		DELTA("{\"reasoning_details\":[{\"type\":\"reasoning.text\","
		      "\"signature\":\"s\",\"index\":0},{\"type\":"
		      "\"reasoning.encrypted\",\"data\":\"x\",\"id\":\"i\","
		      "\"index\":1}]}"),
		DONE),
	    "\"echo\":{\"model\":\"m\",\"reasoning_details\":[{\"text\":\"ab\","
	    "\"signature\":\"s\",\"type\":\"reasoning.text\",\"index\":0},{"
	    "\"data\":\"x\",\"id\":\"i\",\"type\":\"reasoning.encrypted\","
	    "\"index\":1}]}}\n",
	    "17: pieces of details are merged, signatures are kept");
	check_echo(STREAM(DELTA("{\"content\":\"a\"}"), DONE), "",
	    "no reasoning is no echo");
}

static void
check_usage(const char *usage, const char *want, const char *name)
{
	struct buf b = {0};
	char *got;
	const char *at;

	buf_fmt(&b,
	    "data: %s\n\ndata: {\"choices\":[],\"usage\":null}\n\n"
	    "data: [DONE]\n\n",
	    usage);
	got = reply_whole(buf_text(&b), b.len);
	at = strstr(got, "\"purpose\":\"task\",");
	at = at ? at + strlen("\"purpose\":\"task\",") : "";
	tap_ok(strncmp(at, want, strlen(want)) == 0, __FILE__, __LINE__, name);
	free(got);
	buf_release(&b);
}

static void
usages(void)
{
	check_usage("{\"choices\":[],\"usage\":{\"prompt_tokens\":5,"
		    "\"completion_tokens\":2,\"completion_tokens_details\":{"
		    "\"reasoning_tokens\":9},\"prompt_tokens_details\":{"
		    "\"cached_tokens\":7}}}",
	    "\"input\":5,\"output\":2,\"cached\":5,\"reasoning\":2,",
	    "30: a part is never more than the whole");
	check_usage("{\"choices\":[],\"x_groq\":{\"usage\":{\"prompt_tokens\":"
		    "5}}}",
	    "\"input\":5,\"estimated\"", "30: what isn't told is not there");
	check_usage("{\"choices\":[],\"usage\":{\"prompt_tokens\":5,"
		    "\"prompt_cache_hit_tokens\":3,\"cost\":1.5e-3}}",
	    "\"input\":5,\"cached\":3,\"cost\":\"0.0015\",\"estimated\":false",
	    "a cost is plain decimal text");
	check_usage("{\"choices\":[],\"usage\":{\"prompt_tokens\":-5,"
		    "\"cost\":-1}}",
	    "", "nonsense is not used");
}

static void
ceilings(void)
{
	struct buf b = {0};
	char *got, *records;

	for (int i = 0; i < CALLS_MAX + 1; i++)
		buf_fmt(&b,
		    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\""
		    ":[{\"index\":%d,\"id\":\"i%d\",\"function\":{\"name\":"
		    "\"f\",\"arguments\":\"{}\"}}]}}]}\n\n",
		    i, i);
	buf_str(&b, "data: [DONE]\n\n");
	records = reply_whole(b.data, b.len);
	got = in_short(records);
	same(got, "<refused too_long>", "too many calls are refused");
	free(records);
	free(got);
	buf_release(&b);
}

int
main(void)
{
	framing();
	which_call();
	arguments();
	endings();
	errors();
	contents();
	echoes();
	usages();
	ceilings();
	return tap_done();
}
