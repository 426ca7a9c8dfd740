/* utf8: the table of RFC 3629, and every text cut at every byte. */

#include <stdint.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "oracle.h"
#include "tap.h"

static const struct {
	const char *name, *text, *clean; /* clean NULL: it is valid */
	size_t count;                    /* characters, bad ones included */
} cases[] = {
    {"nothing", "", NULL, 0},
    {"ASCII", "a~", NULL, 2},
    {"two bytes", "\xc2\x80\xdf\xbf", NULL, 2},
    {"three bytes", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf", NULL,
	4},
    {"four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", NULL, 2},
    {"a real U+FFFD", "\xef\xbf\xbd", NULL, 1},
    {"a lone continuation", "a\x80z", "a\xef\xbf\xbdz", 3},
    {"an overlong slash", "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd", 2},
    {"an overlong slash in three", "\xe0\x80\xaf",
	"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3},
    {"a surrogate", "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3},
    {"past U+10FFFF", "\xf4\x90\x80\x80",
	"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 4},
    {"bytes that never occur", "\xf5\xfe\xff",
	"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3},
    {"a cut sequence is one", "\xf0\x9f\x98z", "\xef\xbf\xbdz", 2},
    {"a cut sequence at the end", "z\xe6\x9d", "z\xef\xbf\xbd", 2},
    {"two cut sequences", "\xe6\x9d\xf0\x9f", "\xef\xbf\xbd\xef\xbf\xbd", 2},
};

static size_t
count(const char *text, size_t len)
{
	uint32_t cp;
	size_t i, n = 0;

	for (i = 0; i < len; n++)
		i += utf8_next(text + i, len - i, &cp);
	return n;
}

/* The text with U+FFFD for each wrong sequence. */
static void
clean_up(struct buf *to, const char *text, size_t len)
{
	char bytes[4];
	uint32_t cp;
	size_t i = 0;

	while (i < len) {
		i += utf8_next(text + i, len - i, &cp);
		buf_add(to, bytes, utf8_put(bytes, cp));
	}
}

static void
known_answers(void)
{
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *text = cases[i].text;
		size_t len = strlen(text);
		struct buf clean = {0};

		clean_up(&clean, text, len);
		ok(oracle_utf8(text, len) == !cases[i].clean, cases[i].name);
		same(buf_text(&clean), cases[i].clean ? cases[i].clean : text,
		    "wrong sequences become U+FFFD, the rest stays");
		ok(count(text, len) == cases[i].count,
		    "every program counts the same characters");
		ok(oracle_utf8(buf_text(&clean), clean.len),
		    "what was cleaned is valid");
		buf_release(&clean);
	}
}

static void
every_character(void)
{
	bool round = true;
	uint32_t cp, back;
	char text[4];
	size_t len;

	for (cp = 0; cp <= 0x10ffff; cp++) {
		if (cp == 0xd800)
			cp = 0xe000;
		len = utf8_put(text, cp);
		round &= utf8_next(text, len, &back) == len && back == cp;
		round &= len == 1 ||
			 (utf8_next(text, len - 1, &back) == len - 1 &&
			     back == UTF8_BAD);
	}
	ok(round, "every character comes back, and none of them cut short");
	ok(utf8_put(text, 0xd800) == 3 && !memcmp(text, "\xef\xbf\xbd", 3),
	    "a surrogate is written as U+FFFD");
	ok(utf8_put(text, UTF8_BAD) == 3 && !memcmp(text, "\xef\xbf\xbd", 3),
	    "no character is written as U+FFFD");
}

static void
cuts(void)
{
	static const char text[] = "a\xc3\xa9\xe6\x9d\xb1\xf0\x9f\x98\x80z";
	static const size_t want[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
	bool right = true, valid = true;
	size_t max, n;

	for (max = 0; max < sizeof want / sizeof *want; max++) {
		n = utf8_cut(text, sizeof text - 1, max);
		right &= n == want[max];
		valid &= oracle_utf8(text, n);
	}
	ok(right, "a cut goes back to where a character ends");
	ok(valid, "what is left of a valid text is valid");
	ok(utf8_cut("\x80\x80\x80\x80\x80\x80", 6, 4) == 4,
	    "bytes that are not UTF-8 are cut where they are");
}

/* What a text from outside may do to a terminal: nothing. */
static void
tame(void)
{
	char to[64];

	utf8_tame(to, sizeof to,
	    "a\x1b[2J\n\x7f\xc2\x9b"
	    "31m\xff\xc3\xa9");
	same(to, "a?[2J???31m?\xc3\xa9",
	    "C0, DEL, C1 and bad bytes are question marks");
	ok(utf8_tame(to, 4, "ab\xc3\xa9") == 2, "no character is cut in two");
	same(to, "ab", "and the rest is left out");
	ok(!utf8_shown(0x202d) && !utf8_shown(0x202e) && utf8_shown(0x202c) &&
		utf8_shown(0x200f),
	    "no override of the direction is shown; marks are");
	ok(!utf8_shown(0x80) && !utf8_shown(0x9f) && utf8_shown(0xa0),
	    "C1 ends before U+00A0");
}

int
main(void)
{
	known_answers();
	tame();
	every_character();
	cuts();
	return tap_done();
}
