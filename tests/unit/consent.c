#include <string.h>

#include "adapter/consent.h"
#include "core/utf8.h"
#include "record/approval.h"

#include "tap.h"

static struct approval_item items[] = {
    {"t.1", 0, "create_role", TIER_WRITE, false, {0}, "create_role",
	"create the role blue"},
    {"t.2", 1, "delete_messages", TIER_DESTRUCTIVE, true, {0},
	"messages by ann", "delete \"one\""},
    {"t.2", 2, "delete_messages", TIER_DESTRUCTIVE, true, {0},
	"messages by ann", "delete \"two\""},
    {"t.2", 3, "delete_messages", TIER_DESTRUCTIVE, true, {0},
	"messages by bob", "delete \"three\""},
};
static const struct approval four = {
    .text = "four things",
    .confirm = true,
    .expires_ms = 600000,
    .items = items,
    .count = 4,
};
static const struct approval one = {
    .text = "create the role blue",
    .expires_ms = 600000,
    .items = items,
    .count = 1,
};

/* What was shown since the last time. */
static const char *
shown(struct consent *c)
{
	static char text[4096];

	snprintf(text, sizeof(text), "%s", buf_text(&c->out));
	buf_clear(&c->out);
	return text;
}

/* What a line comes to: "deny", "correct: text", "choose 1 3", "". */
static const char *
typed(struct consent *c, const char *line)
{
	static char text[256];
	enum consent_wish wish = consent_line(c, line);
	size_t n;

	text[0] = '\0';
	if (wish == CONSENT_DECIDE)
		snprintf(text, sizeof(text), "%s%s%s%s",
		    verdict_word(c->verdict), c->confirmed ? " sure" : "",
		    c->remark ? ": " : "", c->remark ? c->remark : "");
	if (wish != CONSENT_CHOOSE)
		return text;
	n = (size_t)snprintf(text, sizeof(text), "choose");
	for (size_t i = 0; i < c->place_count; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %d",
		    (int)c->places[i]);
	return text;
}

static void
test_shown(void)
{
	struct consent c = {0};

	consent_begin(&c, &four, 0);
	same(shown(&c),
	    "\nSophia asks whether to do this; it can be decided for 10 min:\n"
	    "  four things\n"
	    "   1. create the role blue\n"
	    "   2! delete \"one\"\n"
	    "   3! delete \"two\"\n"
	    "   4! delete \"three\"\n"
	    "  k1: create_role (1)\n"
	    "  k2: messages by ann (2)\n"
	    "  k3: messages by bob (1)\n"
	    "  ! can't be taken back\n"
	    "(a)pprove, (d)eny, (c)orrect, (s)top the task, or choose: "
	    "1 3-5, k1, all? ",
	    "every item is shown, and every kind");
	consent_release(&c);
	consent_release(&c);
	consent_begin(&c, &one, 599999);
	same(shown(&c),
	    "\nSophia asks whether to do this; it can be decided for 1 min:\n"
	    "  create the role blue\n"
	    "(a)pprove, (d)eny, (c)orrect, (s)top the task? ",
	    "a single thing is said once");
	consent_release(&c);
}

static void
test_words(void)
{
	struct consent c = {0};

	consent_begin(&c, &four, 0);
	same(typed(&c, "d"), "deny", "a letter denies");
	same(typed(&c, " Deny \n"), "deny", "and the word");
	same(typed(&c, "denied"), "", "not another one");
	same(typed(&c, "d now"), "", "nor with more");
	same(typed(&c, "s"), "stop", "a letter stops");
	same(typed(&c, "c rather green "), "correct: rather green",
	    "a correction has words");
	shown(&c);
	same(typed(&c, "correct"), "", "which are asked for");
	same(shown(&c), "What is to be done instead? ", "in words");
	same(typed(&c, "deny"), "correct: deny", "then all is such words");
	typed(&c, "c");
	same(typed(&c, ""), "", "but none of them");
	same(typed(&c, "d"), "deny", "leads back");
	shown(&c);
	same(typed(&c, ""), "", "an empty line");
	same(shown(&c),
	    "(a)pprove, (d)eny, (c)orrect, (s)top the task, or choose: "
	    "1 3-5, k1, all? ",
	    "asks again");
	same(typed(&c, "ja"), "", "what is none of these");
	ok(strncmp(shown(&c), "That is none of these.\n(a)pprove", 31) == 0,
	    "is said to be");
	consent_release(&c);
}

static void
test_sure(void)
{
	struct consent c = {0};

	consent_begin(&c, &four, 0);
	same(typed(&c, "do it"), "", "nothing is sure before it is asked");
	same(typed(&c, "a"), "approve", "a letter approves");
	shown(&c);
	consent_confirm(&c);
	same(shown(&c),
	    "It can't be taken back. Type \"do it\" in full to approve it: ",
	    "it is asked for a second word");
	same(typed(&c, "a"), "", "a letter is not enough");
	same(typed(&c, "do it"), "", "then the word comes too late");
	typed(&c, "approve");
	consent_confirm(&c);
	same(typed(&c, "do it"), "approve sure", "in full it is");
	same(typed(&c, "a"), "approve", "and the next one isn't");
	consent_release(&c);
}

static void
test_choice(void)
{
	static const char *const bad[] = {"0", "5", "1-", "-1", "3-2", "k0",
	    "k4", "k", "1k2", "1,,k", "99999999999999999999", "1 -3", "a1"};
	struct consent c = {0};

	consent_begin(&c, &four, 0);
	same(typed(&c, "1"), "choose 1", "an item is chosen");
	same(typed(&c, "4 2-3,1"), "choose 1 2 3 4", "and several");
	same(typed(&c, "K2, 4"), "choose 2 3 4", "and a kind");
	same(typed(&c, "ALL"), "choose", "and all");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		same(typed(&c, bad[i]), "", bad[i]);
	shown(&c);
	typed(&c, "2");
	ok(strncmp(shown(&c),
	       "Chosen: 2; the rest would not be done.\n(a)pprove", 48) == 0,
	    "what is chosen is said");
	consent_again(&c, "no\x1b[2J");
	ok(strncmp(shown(&c), "no\\u{1B}[2J\n(a)pprove", 21) == 0,
	    "and what went wrong");
	consent_release(&c);
}

static void
test_text(void)
{
	struct buf b = {0};

	consent_text(&b,
	    "a\x1b]0;x\a\r\nb\tc \xe2\x80\xae"
	    "dcb \xff"
	    "e",
	    "| ");
	same(buf_text(&b),
	    "a\\u{1B}]0;x\\u{7}\\u{D}\n| b\\u{9}c \\u{202E}dcb \\u{FFFD}e",
	    "what isn't seen for what it is is spelt out");
	buf_clear(&b);
	consent_text(&b,
	    "K\xc3\xb6nig \xf0\x9f\x91\x8d \xe2\x80\x8b\xe2\x81\xa6"
	    "\xc2\x85\xf3\xa0\x81\x81",
	    "");
	same(buf_text(&b),
	    "K\xc3\xb6nig \xf0\x9f\x91\x8d \\u{200B}\\u{2066}\\u{85}\\u{E0041}",
	    "and nothing else");
	buf_release(&b);
	ok(utf8_plain('a') && !utf8_plain(0x7f) && !utf8_plain(UTF8_BAD),
	    "a plain character is seen");
}

int
main(void)
{
	test_shown();
	test_words();
	test_sure();
	test_choice();
	test_text();
	return tap_done();
}
