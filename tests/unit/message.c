#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/export.h"
#include "discord/raw.h"
#include "ext/json.h"
#include "record/message.h"
#include "tap.h"

enum from { RECORD, EXPORT, RAW };

/* What is written of a message that was read from text; or why it was not. */
static const char *
again(enum from from, const char *text)
{
	static struct buf out;
	static struct err e;
	struct message m = {0}, head = {.channel = {.id = 22, .name = "c"}};
	struct json *v = NULL;
	int result = -1;

	buf_clear(&out);
	e = (struct err){0};
	if (json_object(&v, text, strlen(text), &e) == 0)
		result = from == RECORD ? message_read_json(&m, v, &e)
			 : from == RAW  ? raw_read(&m, v, &e)
					: export_read(&m, &head, v, &e);
	if (result == 0)
		message_write(&out, &m);
	message_release(&m);
	json_free(v);
	return result < 0 ? e.text : buf_text(&out);
}

static const char record[] =
    "{\"type\":\"message\",\"id\":\"4194304000\",\"guild\":{\"id\":\"11\","
    "\"name\":\"G\",\"icon\":\"i\"},\"channel\":{\"id\":\"22\",\"name\":\"c\","
    "\"type\":\"t\",\"parent\":\"33\",\"category\":\"C\",\"topic\":\"T\"},"
    "\"author\":{\"id\":\"44\",\"name\":\"a\",\"discriminator\":\"1234\","
    "\"nickname\":\"n\",\"display\":\"d\",\"color\":\"#f00\",\"bot\":true,"
    "\"roles\":[{\"id\":\"5\",\"name\":\"r\",\"position\":1}]},"
    "\"at\":\"2015-01-01T00:00:01.000Z\",\"edited\":\"2015-01-02T00:00:00.000Z"
    "\",\"kind\":19,\"text\":\"hi \xc3\xa9\",\"reply_to\":\"7\",\"pinned\":true"
    ",\"attachments\":[{\"id\":\"8\",\"name\":\"f.png\",\"url\":\"u\",\"size\":"
    "9}],\"mentions\":[{\"id\":\"45\",\"name\":\"b\"}],\"link\":\"https://disco"
    "rd.com/channels/11/22/4194304000\",\"revision\":\"1420156800000-";

static void
test_record(void)
{
	char *once = strdup(again(RECORD, record));
	struct buf text = {0};

	buf_str(&text, record);
	buf_str(&text, "0\"}");
	free(once);
	once = strdup(again(RECORD, text.data));
	ok(strncmp(once, record, strlen(record)) == 0,
	    "a record is written as it was read");
	same(again(RECORD, once), once, "and so is that");
	same(again(RECORD, "{\"type\":\"page\"}"), "not a message record",
	    "another record is none");
	same(again(RECORD, "{\"type\":\"message\",\"id\":\"0x1\"}"),
	    "message: no \"id\"", "what is no snowflake is no id");
	same(
	    again(RECORD,
		"{\"type\":\"message\",\"id\":\"1\",\"channel\":{\"id\":\"2\"},"
		"\"author\":{\"id\":\"3\"},\"text\":7}"),
	    "message: no \"text\"", "a number is no text");
	free(once);
	buf_release(&text);
}

/* The revision of a record with these members more. */
static const char *
revision(const char *more)
{
	static char out[2][MESSAGE_REVISION];
	static int turn;
	struct buf text = {0};
	char *to = out[turn ^= 1];
	const char *at;

	buf_fmt(&text,
	    "{\"type\":\"message\",\"id\":\"1\",\"channel\":{\"id\":\"2\"},"
	    "\"author\":{\"id\":\"3\"},%s}",
	    more);
	at = strstr(again(RECORD, text.data), "\"revision\":");
	snprintf(to, MESSAGE_REVISION, "%s", at ? at + 12 : "none");
	buf_release(&text);
	return to;
}

static void
test_revision(void)
{
	ok(strcmp(revision("\"text\":\"a\""), revision("\"text\":\"b\"")) != 0,
	    "another text is another revision");
	ok(strcmp(revision("\"text\":\"a\""),
	       revision("\"text\":\"a\",\"stickers\":[{\"name\":\"s\"}]")) != 0,
	    "so is a sticker");
	same(revision("\"text\":\"a\",\"stickers\":[1],\"reactions\":[2]"),
	    revision("\"text\":\"a\",\"stickers\":[1],\"mentions\":[3]"),
	    "reactions and mentions are no revision");
}

static void
test_words(void)
{
	struct message m = {.text = "text", .text_len = 4};
	struct buf words = {0};

	ok(!message_has_words(&m), "a text alone has no other words");
	buf_str(&m.more, "{\"mentions\":[{\"name\":\"bob\"}]}");
	ok(!message_has_words(&m), "nor have mentions");
	buf_clear(&m.more);
	buf_str(&m.more,
	    "{\"attachments\":[{\"name\":\"f.png\",\"description\":\"a cat\"}],"
	    "\"embeds\":[{\"title\":\"T\",\"description\":\"D\",\"url\":\"no\","
	    "\"fields\":[{\"name\":\"N\",\"value\":\"V\"}],\"footer\":\"F\"}],"
	    "\"stickers\":[{\"name\":\"wave\"}],\"poll\":{\"question\":\"Q\","
	    "\"answers\":[{\"text\":\"A\"}]},\"forwarded\":{\"text\":\"sent\"},"
	    "\"components\":[\"shown\"],\"mentions\":[{\"name\":\"bob\"}]}");
	message_words(&words, &m);
	same(buf_text(&words),
	    "text\nf.png\na cat\nT\nD\nN\nV\nF\nwave\nQ\nA\nsent\nshown",
	    "words are in attachments, embeds, stickers, polls and the rest");
	message_release(&m);
	buf_release(&words);
}

static void
test_archives(void)
{
	ok(strstr(
	       again(EXPORT,
		   "{\"id\":\"1\",\"author\":{\"id\":\"3\",\"name\":\"a\"}}"),
	       "\"text\":\"\""),
	    "an export of long ago has no more than this");
	same(again(EXPORT, "{\"id\":\"1\"}"), "a message without an author",
	    "an author it must have");
	ok(strstr(
	       again(EXPORT,
		   "{\"id\":\"1\",\"type\":\"777\",\"author\":{\"id\":\"3\"}}"),
	       "\"kind\":777"),
	    "a type without a word is its number");
	ok(strstr(
	       again(EXPORT,
		   "{\"id\":\"1\",\"type\":\"New\",\"author\":{\"id\":\"3\"}}"),
	       "\"kind\":-1"),
	    "a word without a number is -1");
	same(again(RAW, "{\"id\":\"1\",\"author\":{\"id\":\"3\"}}"),
	    "a message without a channel_id", "Discord's have a channel");
	ok(strstr(
	       again(RAW,
		   "{\"id\":\"1\",\"channel_id\":\"2\",\"content\":null,"
		   "\"author\":{\"id\":\"3\",\"username\":\"a\"},"
		   "\"message_reference\":{\"type\":1,\"message_id\":\"9\","
		   "\"channel_id\":\"8\"},\"message_snapshots\":[{\"message\""
		   ":{\"content\":\"sent on\"}}]}"),
	       "\"forwarded\":{\"text\":\"sent on\"},\"reference\":"
	       "{\"message\":\"9\",\"channel\":\"8\"}"),
	    "a snapshot is a forwarded message, its reference no answer");
}

/* Whatever Discord's examples hold, what is read of them reads again. */
static void
test_fixture(const char *name)
{
	const char *folder = getenv("SOPHIA_FIXTURES");
	struct buf path = {0}, text = {0};
	char *once;
	FILE *in;
	int c;

	buf_fmt(&path, "%s/discord/%s", folder ? folder : "../shared/fixtures",
	    name);
	in = fopen(path.data, "r");
	if (!in) {
		tap_skip(path.data);
	} else {
		while ((c = getc(in)) != EOF)
			buf_char(&text, (char)c);
		fclose(in);
		once = strdup(again(RAW, text.data));
		ok(once[0] == '{', name);
		same(again(RECORD, once), once, "... and again");
		free(once);
	}
	buf_release(&path);
	buf_release(&text);
}

int
main(void)
{
	test_record();
	test_revision();
	test_words();
	test_archives();
	test_fixture("remora/Objects/MESSAGE/MESSAGE.json");
	test_fixture("remora/Objects/MESSAGE/MESSAGE.nulls.json");
	test_fixture("remora/Objects/MESSAGE/MESSAGE.optionals.json");
	test_fixture("discord4j/rest/CreateMessageWithForwardResponse.json");
	test_fixture(
	    "docs-examples/resources__message__01-example-message.json");
	test_fixture(
	    "docs-examples/resources__message__02-example-crossposted-message"
	    ".json");
	return tap_done();
}
