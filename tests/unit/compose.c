/* compose, buttons, escape and nonce: what leaves as a message. */
#include <string.h>

#include "core/buf.h"
#include "discord/buttons.h"
#include "discord/compose.h"
#include "discord/escape.h"
#include "record/nonce.h"

#include "tap.h"

static const char task[] = "0123456789abcdefghjk";

static const char *
composed(const struct compose *c)
{
	static struct buf b;

	buf_clear(&b);
	compose_write(&b, c);
	return buf_text(&b);
}

static void
test_compose(void)
{
	static const char *const people[] = {"11", "12"};

	same(composed(&(struct compose){.content = "hi @everyone <@1>"}),
	    "{\"content\":\"hi @everyone <@1>\","
	    "\"allowed_mentions\":{\"parse\":[]}}",
	    "nobody is mentioned");
	same(composed(&(struct compose){.content = "a",
		 .nonce = "n",
		 .reply = "5",
		 .people = people,
		 .people_count = 2}),
	    "{\"content\":\"a\",\"allowed_mentions\":{\"parse\":[],\"users\":["
	    "\"11\",\"12\"]},\"nonce\":\"n\",\"enforce_nonce\":true,"
	    "\"message_reference\":{\"message_id\":\"5\","
	    "\"fail_if_not_exists\":false}}",
	    "but whose ids are given; a nonce is enforced, a reply is sent "
	    "whatever becomes of what it replies to");
	ok(strstr(composed(&(struct compose){.content = "http://a https://b"}),
	       "\"flags\":4") != NULL,
	    "a text with many links shows no previews");
	ok(strstr(composed(&(struct compose){.content = "see http://a"}),
	       "flags") == NULL,
	    "one with one link does");
	same(composed(&(struct compose){.content = "x",
		 .file = "answer.md",
		 .ephemeral = true,
		 .buttons = true}),
	    "{\"content\":\"x\",\"allowed_mentions\":{\"parse\":[]},"
	    "\"flags\":64,\"attachments\":[{\"id\":0,\"filename\":"
	    "\"answer.md\"}],\"components\":[]}",
	    "a file is named, and buttons are taken away");
}

static void
test_buttons(void)
{
	char id[BUTTONS_ID];

	same(composed(&(struct compose){.buttons = true,
		 .which = BUTTON_STOP | BUTTON_DETAILS,
		 .task = task}),
	    "{\"allowed_mentions\":{\"parse\":[]},\"components\":[{\"type\":1,"
	    "\"components\":[{\"type\":2,\"style\":4,\"label\":\"Stop\","
	    "\"custom_id\":\"stop:0123456789abcdefghjk\"},{\"type\":2,"
	    "\"style\":2,\"label\":\"Details\","
	    "\"custom_id\":\"details:0123456789abcdefghjk\"}]}]}",
	    "buttons stand in a row");
	buttons_id(id, BUTTON_DETAILS, task);
	same(id, "details:0123456789abcdefghjk", "their ids name the task");
}

static const char *
escaped(const char *text, size_t most)
{
	static struct buf b;

	buf_clear(&b);
	escape_line(&b, text, most);
	return buf_text(&b);
}

static void
test_escape(void)
{
	same(escaped(" two\n\n words\t", 0), "two words", "one line, trimmed");
	same(escaped("**b** `c` ||s||", 0),
	    "\\*\\*b\\*\\* \\`c\\` \\|\\|s\\|\\|", "markup is text");
	same(escaped("@here <@1>", 0),
	    "\\@\xe2\x80\x8bhere \\<\\@\xe2\x80\x8b"
	    "1\\>",
	    "a mention is text");
	same(escaped("https://x.y", 0), "h\xe2\x80\x8bttps\\://x.y",
	    "so is a link");
	same(escaped("caf\xc3\xa9", 4), "caf...", "no character is cut");
	same(escaped("a\x1b[0m", 0), "a\\[0m", "no control gets through");
	same(escaped("```\n# x", 0), "\\`\\`\\` \\# x", "nor a fence");
}

static void
test_nonce(void)
{
	char nonce[NONCE_LEN + 1], other[NONCE_LEN + 1];

	nonce_make(nonce, "0123456789abcdefghjk.1.1");
	same(nonce, "uzpn2gu4ie9ii7ik0vv6n3h45",
	    "a nonce is 25 digits of base 36 of a SHA-256");
	nonce_make(other, "0123456789abcdefghjk.1.2");
	ok(strcmp(nonce, other) != 0, "another message has another");
}

int
main(void)
{
	test_compose();
	test_buttons();
	test_escape();
	test_nonce();
	return tap_done();
}
