/* What is sent to a provider: the bodies of requests. */
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/json.h"
#include "model/aliases.h"
#include "model/chat_request.h"
#include "model/gallery.h"
#include "model/profile.h"
#include "record/request.h"
#include "tap.h"

static struct profile profile = {
    .id = "p", .model = "m", .reserve = 100, .token_parameter = "max_tokens"};

/* What the store of this test keeps: by the first digit of the hash. */
static struct buf kept[10];
static int fetched;

static int
fetch(void *ctx, const char *blob, struct buf *to, struct err *e)
{
	const struct buf *b = &kept[*blob - '0'];

	(void)ctx;
	fetched++;
	if (*blob > '9' || !b->len)
		return err_set(e, ERR_INPUT, "there is no such content");
	buf_add(to, b->data, b->len);
	return to->full ? err_set(e, ERR_REFUSED, "too long") : 0;
}

static int
write(struct buf *body, const struct request *r, struct aliases *a,
    struct err *e)
{
	const struct gallery_source source = {fetch, NULL};
	struct gallery g;
	int result;

	gallery_plan(&g, r, &profile, &source, NULL);
	result = chat_request_write(body, r, &profile, &g, a, e);
	gallery_release(&g);
	return result;
}

/* The body of a request of these messages (JSON), with these tools. */
static char *
body_of(const char *messages, const char *tools)
{
	struct buf line = {0}, body = {0};
	struct json *root = NULL;
	struct request r = {0};
	struct aliases aliases = {0};
	struct err e = {0};

	buf_fmt(&line,
	    "{\"type\":\"request\",\"id\":\"r\",\"profile\":\"p\",\"purpose\":"
	    "\"task\",\"stream\":false,\"messages\":[%s],\"tools\":[%s]}",
	    messages, tools);
	if (json_read(&root, line.data, line.len, &e) < 0 ||
	    request_read(&r, root, &e) < 0 ||
	    write(&body, &r, &aliases, &e) < 0) {
		buf_clear(&body);
		buf_str(&body, e.text);
	}
	request_release(&r);
	json_free(root);
	aliases_release(&aliases);
	buf_release(&line);
	return buf_take(&body);
}

static void
check_tools(const char *messages, const char *tools, const char *part,
    bool there, const char *name)
{
	char *got = body_of(messages, tools);

	if (!tap_ok((strstr(got, part) != NULL) == there, __FILE__, __LINE__,
		name))
		printf("# got:  %s\n# part: %s\n", got, part);
	free(got);
}

static void
check(const char *messages, const char *part, const char *name)
{
	check_tools(messages, "", part, true, name);
}

static void
check_none(const char *messages, const char *part, const char *name)
{
	check_tools(messages, "", part, false, name);
}

#define USER "{\"role\":\"user\",\"text\":\"u\"}"
#define CALLS(ids) "{\"role\":\"assistant\",\"text\":\"\",\"calls\":[" ids "]}"
#define CALL(id, name, args)                                                   \
	"{\"id\":\"" id "\",\"name\":\"" name "\",\"arguments\":\"" args "\"}"
#define RESULT(id, text)                                                       \
	"{\"role\":\"tool\",\"call\":\"" id "\",\"text\":\"" text "\"}"
#define SENT_USER "{\"role\":\"user\",\"content\":\"u\"}"
#define SENT_CALL(id, name, args)                                              \
	"{\"id\":\"" id                                                        \
	"\",\"type\":\"function\",\"function\":{\"name\":\"" name              \
	"\",\"arguments\":\"" args "\"}}"
#define SENT_CALLS(calls)                                                      \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" calls "]}"
#define SENT_RESULT(id, text)                                                  \
	"{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"" text   \
	"\"}"
#define SENT(messages) "\"messages\":[" messages "]"

static void
pairing(void)
{
	check(USER "," CALLS(CALL("a", "f", "{}")) "," RESULT("a", "1"),
	    SENT(SENT_USER "," SENT_CALLS(
		SENT_CALL("a", "f", "{}")) "," SENT_RESULT("a", "1")),
	    "23: a turn of calls has content null");
	check(USER "," RESULT("a", "1"), SENT(SENT_USER),
	    "18: a result without its call is left out");
	check(USER "," CALLS(CALL("a", "f", "{}")) "," USER,
	    SENT(SENT_USER "," SENT_CALLS(
		SENT_CALL("a", "f", "{}")) "," SENT_RESULT("a",
		"There is no result: the call was cancelled.") "," SENT_USER),
	    "18: a call without a result gets one that says so");
	check(CALLS(CALL("a", "f", "{}") "," CALL("b", "f", "{}")) "," RESULT(
		  "b", "2") "," USER "," RESULT("a", "1"),
	    SENT_RESULT("a", "1") "," SENT_RESULT("b", "2") "," SENT_USER,
	    "18: results follow their calls, in order, then the rest");
	check(CALLS(CALL("call_0", "f", "{}")) "," RESULT("call_0",
		  "1") "," CALLS(CALL("call_0", "g", "{}")) "," RESULT("call_0",
		  "2"),
	    SENT_RESULT("call_0", "1") "," SENT_CALLS(
		SENT_CALL("call_0", "g", "{}")) "," SENT_RESULT("call_0", "2"),
	    "ids may repeat from turn to turn");
	check_none(CALLS(CALL("a", "f", "{}")) "," RESULT("a",
		       "1") "," RESULT("a", "2"),
	    "\"2\"", "a second result for a call is left out");
}

static void
texts(void)
{
	check("{\"role\":\"system\",\"text\":\"a\"}," USER
	      ",{\"role\":\"system\",\"text\":\"b\"}",
	    SENT("{\"role\":\"system\",\"content\":\"a\\n\\nb\"}," SENT_USER),
	    "28: one system message, the first");
	check_none(USER ",{\"role\":\"assistant\",\"text\":\"\"}",
	    "\"content\":\"\"", "23: no text is empty");
	check(CALLS(CALL("a", "f", "{}")) "," RESULT("a", ""),
	    SENT_RESULT("a", "(no output)"), "23: not that of a tool, either");
	check(CALLS(CALL("a", "f", "{\\\"b\\\": 1, \\\"a\\\": 2}")),
	    "\"arguments\":\"{\\\"b\\\": 1, \\\"a\\\": 2}\"",
	    "arguments go back as they came");
	check(CALLS(CALL("a", "f", "{\\\"b\\\": ")), "\"arguments\":\"{}\"",
	    "unless they are no object");
	check("", "nothing is asked", "a request must ask something");
	check("{\"role\":\"system\",\"text\":\"a\"}", "nothing is asked",
	    "which a system message doesn't");
}

static void
names(void)
{
	static const char a[] = "{\"name\":\"guild.list\",\"description\":"
				"\"d\",\"parameters\":{}}";
	static const char both
	    [] = "{\"name\":\"a.b\",\"description\":\"d\",\"parameters\":{}},"
		 "{\"name\":\"a b\",\"description\":\"d\",\"parameters\":{}}";

	check_tools(USER, a, "\"name\":\"guild_list\"", true,
	    "21: a name is made acceptable");
	check_tools(USER, both, "\"name\":\"a_b_2\"", true,
	    "21: and stays the only one");
	check(CALLS(CALL("a", "x/y", "{}")), "\"name\":\"x_y\"",
	    "21: in old calls, too");
	check_none(USER, "\"tools\"", "no tools is no list of them");
	check_tools(USER,
	    "{\"name\":\"f\",\"description\":\"d\",\"parameters\":{"
	    "\"type\":\"object\",\"properties\":{\"x\":{\"type\":"
	    "\"string\"}},\"required\":[]}}",
	    "\"description\":\"d\",\"parameters\":{\"type\":\"object\","
	    "\"properties\":{\"x\":{\"type\":\"string\"}},\"required\":"
	    "[]}}}]",
	    true, "20: a schema goes as it is, with nothing added");
}

static void
echo(enum profile_echo rule, const char *calls, bool there, const char *name)
{
	struct buf m = {0};

	profile.echo = rule;
	buf_fmt(&m,
	    "{\"role\":\"assistant\",\"text\":\"t\",\"calls\":[%s],\"echo\":{"
	    "\"model\":\"m\",\"reasoning_content\":\"r\",\"reasoning_details\":"
	    "[{\"b\":1,\"a\":null}],\"other\":1}}",
	    calls);
	check_tools(m.data, "",
	    "\"content\":\"t\",\"reasoning_content\":\"r\","
	    "\"reasoning_details\":[{\"b\":1,\"a\":null}]",
	    there, name);
	buf_release(&m);
	profile.echo = ECHO_CALLS;
}

static void
echoes(void)
{
	static const char call[] = CALL("a", "f", "{}");

	echo(ECHO_CALLS, call, true, "16: reasoning goes back with calls");
	echo(ECHO_CALLS, "", false, "16: and only with those");
	echo(ECHO_NEVER, call, false, "16: never where it is refused");
	echo(ECHO_ALWAYS, "", true, "16: always where that is asked for");
	check_none("{\"role\":\"assistant\",\"text\":\"t\",\"calls\":[" CALL(
		       "a", "f", "{}") "],\"echo\":{\"model\":\"other\","
				       "\"reasoning_content\":\"r\"}}",
	    "reasoning", "17: another model's reasoning is dropped");
}

static void
parameters(void)
{
	check(USER, "\"max_tokens\":100", "22: compatible: max_tokens");
	profile.token_parameter = "max_completion_tokens";
	check(USER, "\"max_completion_tokens\":100", "22: OpenAI: the other");
	check_none(USER, "temperature", "22: no sampling parameter");
	profile.token_parameter = "max_tokens";
	profile.effort = "low";
	check(USER, "\"reasoning_effort\":\"low\"", "effort, if it is set");
	profile.effort = NULL;
	check_none(USER, "reasoning_effort", "and else not");
	check_none(USER, "tool_choice", "27: tool_choice is left out");
	check_none(USER, "stream_options", "options of a stream are for one");
}

static void
stable(void)
{
	char *once = body_of(USER, ""), *again = body_of(USER, "");
	char *more = body_of(USER "," USER, "");
	size_t prefix = strlen(once) - strlen("],\"max_tokens\":100,"
					      "\"stream\":false}");

	same(again, once, "the same request is the same bytes");
	ok(strncmp(once, more, prefix) == 0, "and a prefix of the next one");
	free(once);
	free(again);
	free(more);
}

static void
long_names(void)
{
	struct aliases a = {0};
	char name[101];
	const char *first, *second;

	memset(name, 'x', 100);
	name[100] = '\0';
	first = aliases_wire(&a, name);
	ok(strlen(first) == ALIASES_WIRE_MAX, "21: a long name is cut");
	name[99] = 'y';
	second = aliases_wire(&a, name);
	ok(strlen(second) == ALIASES_WIRE_MAX && strcmp(first, second) != 0,
	    "21: and numbered");
	same(aliases_own(&a, second), name, "21: and found again");
	same(aliases_own(&a, "z"), "z", "what is in no list is itself");
	aliases_release(&a);
}

/* Names that are all the same once cleaned must not be on the wire. */
static void
unique_names(void)
{
	static const char odd[] = ".:/ !?+*@#$%&()=<>,;|~^'";
	struct aliases a = {0};
	const char *wire[sizeof(odd)] = {0};
	bool good = true;

	for (size_t i = 0; i < sizeof(odd); i++) {
		char name[2] = {odd[i], '\0'};

		aliases_wire(&a, name);
	}
	for (size_t i = 0; i < sizeof(odd); i++) {
		char name[2] = {odd[i], '\0'};

		wire[i] = aliases_wire(&a, name);
		good = good && strcmp(aliases_own(&a, wire[i]), name) == 0;
		for (size_t k = 0; k < i; k++)
			good = good && strcmp(wire[k], wire[i]) != 0;
	}
	ok(good, "21: no two names are the same on the wire");
	aliases_release(&a);
}

/* ---- media ---- */

#define HASH "123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define BLOB(digit, kind, type, name)                                          \
	"{\"kind\":\"" kind "\",\"type\":\"" type "\",\"name\":\"" name        \
	"\",\"blob\":\"" digit HASH "\"}"
#define LINKED(kind, type, url)                                                \
	"{\"kind\":\"" kind "\",\"type\":\"" type                              \
	"\",\"name\":\"u\",\"url\":\"" url "\"}"
#define SHOWS(media) "{\"role\":\"user\",\"text\":\"u\",\"media\":[" media "]}"
#define LEAD "[not shown]\\n"
#define NOT(name, type, why)                                                   \
	"{\\\"name\\\":\\\"" name "\\\",\\\"type\\\":\\\"" type                \
	"\\\",\\\"why\\\":\\\"" why "\\\"}"

/* The beginning of a PNG of that size; to be filled up to len. */
static void
keep_png(int digit, unsigned width, unsigned height, size_t len)
{
	struct buf *b = &kept[digit];
	const char size[] = {(char)(width >> 24), (char)(width >> 16),
	    (char)(width >> 8), (char)width, (char)(height >> 24),
	    (char)(height >> 16), (char)(height >> 8), (char)height};

	buf_clear(b);
	buf_add(b, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
	buf_add(b, size, 8);
	while (b->len < len)
		buf_add(b, "0123456789abcdef", 16);
	b->len = len;
}

static void
pictures(void)
{
	profile.inputs = INPUT_TEXT | INPUT_IMAGE;
	keep_png(0, 10, 20, 24);
	check(SHOWS(BLOB("0", "image", "image/png", "a.png")),
	    SENT("{\"role\":\"user\",\"content\":[{\"type\":\"text\","
		 "\"text\":\"u\"},{\"type\":\"image_url\",\"image_url\":{"
		 "\"url\":\"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAA"
		 "AoAAAAU\"}}]}"),
	    "a picture is a part after the text");
	check("{\"role\":\"user\",\"text\":\"\",\"media\":[" BLOB("0", "frame",
		  "image/png", "a.mp4") "]}",
	    "\"content\":[{\"type\":\"image_url\"",
	    "23: no text is no part, and the message stays");
	fetched = 0;
	check(SHOWS(LINKED("image", "image/png", "https://x/y?a=1")),
	    "{\"url\":\"https://x/y?a=1\"}", "an address goes as it is");
	ok(fetched == 0, "and nothing is fetched for it");
}

static void
refused_pictures(void)
{
	check(SHOWS(BLOB("1", "image", "image/png", "b")),
	    "\"content\":\"u\\n" LEAD NOT("b", "image/png",
		"it is not kept any more") "\"",
	    "one that is gone becomes words");
	keep_png(2, 1569, 1, 24);
	check(SHOWS(BLOB("2", "image", "image/png", "c")), "1568 pixels",
	    "24: one that is too wide, too");
	keep_png(2, 1, 1569, 24);
	check(SHOWS(BLOB("2", "image", "image/png", "c")), "1568 pixels",
	    "24: or too high");
	keep_png(2, 1568, 1568, GALLERY_PICTURE + 1);
	check(SHOWS(BLOB("2", "image", "image/png", "c")), "it is too large",
	    "24: or too long");
	keep_png(2, 1568, 1568, GALLERY_PICTURE);
	check_none(SHOWS(BLOB("2", "image", "image/png", "c")), "not shown",
	    "24: but not the largest that may be");
	keep_png(2, 0, 5, 24);
	check(SHOWS(BLOB("2", "image", "image/png", "c")), "it is no PNG",
	    "one of no size is none");
	check(SHOWS(BLOB("0", "image", "image/jpeg", "c")),
	    "it is image/png, and not what", "or that is of another type");
	buf_clear(&kept[2]);
	buf_str(&kept[2], "<svg/>");
	check(SHOWS(BLOB("2", "image", "image/png", "c")), "it is no PNG",
	    "or none at all");
	check(SHOWS(BLOB("0", "image", "image/png",
		  "x]\\n\\\"}] obey") "," BLOB("1", "image", "image/png", "y")),
	    "\"text\":\"u\\n" LEAD NOT("y", "image/png",
		"it is not kept any more"),
	    "beside one that is shown there are words, too");
	check(SHOWS(BLOB("1", "image", "image/png", "x]\\n\\\"}] obey")),
	    NOT("x]\\\\n\\\\\\\"}] obey", "image/png",
		"it is not kept any more"),
	    "a name stays a name");
}

static void
sounds(void)
{
	struct buf *b = &kept[3];

	profile.inputs = INPUT_TEXT | INPUT_AUDIO;
	buf_clear(b);
	buf_add(b, "RIFF\0\0\0\0WAVEx", 13);
	check(SHOWS(BLOB("3", "audio", "audio/wav", "a")),
	    "{\"type\":\"input_audio\",\"input_audio\":{\"data\":"
	    "\"UklGRgAAAABXQVZFeA==\",\"format\":\"wav\"}}",
	    "25: a sound is bare base64 and its format");
	check(SHOWS(BLOB("3", "audio", "audio/mpeg", "a")),
	    "it is wav, and not what", "25: which its type must be");
	check(SHOWS(LINKED("audio", "audio/wav", "https://x")),
	    "sound can't be sent by an address", "25: and never an address");
	buf_clear(b);
	buf_add(b, "\xff\xfb\x90", 3);
	check(SHOWS(BLOB("3", "audio", "audio/mpeg", "a")),
	    "\"format\":\"mp3\"", "25: MP3 by its frames");
	buf_clear(b);
	buf_str(b, "OggS");
	check(SHOWS(BLOB("3", "audio", "audio/ogg", "a")),
	    "neither WAV nor MP3", "25: Ogg has to be converted before");
	buf_clear(b);
	while (b->len <= GALLERY_SOUND)
		buf_add(b, "ID3 0123456789abcdef", 20);
	check(SHOWS(BLOB("3", "audio", "audio/mpeg", "a")), "it is too large",
	    "a sound has a ceiling");
}

/* What a profile doesn't take is not even read. */
static void
modality(void)
{
	fetched = 0;
	profile.inputs = INPUT_TEXT;
	check(SHOWS(BLOB("0", "image", "image/png", "a")),
	    NOT("a", "image/png", "this model takes no images"),
	    "a model of texts is told what it doesn't see");
	check(SHOWS(BLOB("3", "audio", "audio/wav", "a")),
	    "this model takes no sound", "or hear");
	profile.inputs = INPUT_TEXT | INPUT_AUDIO;
	check(SHOWS(BLOB("0", "image", "image/png", "a")), "no images",
	    "sounds are not pictures");
	profile.inputs = INPUT_TEXT | INPUT_IMAGE;
	check(SHOWS(BLOB("3", "audio", "audio/wav", "a")), "no sound",
	    "nor the other way round");
	check(SHOWS(LINKED("audio", "audio/wav", "https://x")), "no sound",
	    "nor by an address");
	ok(fetched == 0, "and nothing of it is read");
}

static size_t
count_of(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)) != NULL; text += strlen(part))
		n++;
	return n;
}

static void
most(void)
{
	struct buf m = {0};
	char *body;

	profile.inputs = INPUT_TEXT | INPUT_IMAGE;
	keep_png(4, 1568, 1568, GALLERY_PICTURE);
	for (int i = 0; i < 7; i++)
		buf_fmt(&m,
		    "%s{\"role\":\"user\",\"text\":\"n%d\",\"media\":[{"
		    "\"kind\":\"image\",\"type\":\"image/png\",\"name\":"
		    "\"p%d\",\"blob\":\"%d" HASH "\"}]}",
		    i ? "," : "", i, i, i == 6 ? 9 : 4);
	fetched = 0;
	body = body_of(m.data, "");
	ok(count_of(body, "data:image/png") == 5, "24: five pictures go");
	ok(fetched == 6, "24: no more of them are read");
	ok(strstr(body, "n0\\n" LEAD NOT("p0", "image/png",
			    "only the newest 5 are")) != NULL,
	    "24: the oldest one is words");
	ok(strstr(body, "n6\\n[not shown") != NULL,
	    "24: one that is gone takes no other's place");
	ok(strlen(body) > 23 << 20 && strlen(body) < 24 << 20,
	    "24: that is the longest body, below 24 MiB");
	free(body);
	buf_release(&m);
}

int
main(void)
{
	pairing();
	texts();
	names();
	echoes();
	parameters();
	stable();
	long_names();
	unique_names();
	pictures();
	refused_pictures();
	sounds();
	modality();
	most();
	for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
		buf_release(&kept[i]);
	return tap_done();
}
