#include "core/line.h"

#include <stdlib.h>

#include "core/clock.h"
#include "core/mem.h"
#include "tap.h"

/* Everything the splitter says of some bytes, as text. */
struct story {
	struct line lines;
	struct buf said;
};

static void
tell(struct story *s, const char *bytes, size_t len)
{
	struct err e = {0};
	const char *text;
	size_t n;
	int row;

	memcpy(line_room(&s->lines, len), bytes, len);
	line_wrote(&s->lines, len);
	while ((row = line_next(&s->lines, &text, &n, &e)) != 0)
		if (row < 0)
			buf_fmt(&s->said, "(%s)", e.text);
		else if (n == strlen(text))
			buf_fmt(&s->said, "[%s]", text);
		else
			buf_fmt(&s->said, "[length %zu?]", n);
}

static void
end(struct story *s)
{
	struct err e = {0};

	if (line_end(&s->lines, &e) < 0)
		buf_fmt(&s->said, "(%s)", e.text);
	buf_str(&s->said, ".");
}

/* The story of bytes with a ceiling of 8, fed in pieces of step bytes. */
static char *
story_of(const char *bytes, size_t len, size_t step)
{
	struct story s = {.lines = {.limit = 8}};
	char *said;

	for (size_t at = 0; at < len; at += step)
		tell(&s, bytes + at, len - at < step ? len - at : step);
	end(&s);
	line_release(&s.lines);
	said = buf_take(&s.said);
	return said;
}

/* However the input is cut, the story is the same. */
static void
check(const char *bytes, size_t len, const char *want, const char *name)
{
	char *said = story_of(bytes, len, len);
	bool alike = true;

	same(said, want, name);
	for (size_t step = 1; step < len; step++) {
		char *again = story_of(bytes, len, step);

		alike = alike && strcmp(again, want) == 0;
		free(again);
	}
	ok(alike, "the same in pieces of every length");
	free(said);
}

#define CHECK(bytes, want, name) check(bytes, sizeof(bytes) - 1, want, name)

static void
cuts_at_every_byte(void)
{
	static const char bytes[] = "{\"a\":1}\n\nlonger than that\n\0x\nend";
	static const char want[] = "[{\"a\":1}][](line 3: longer than 8 bytes)"
				   "(line 4: a NUL byte in it)"
				   "(line 5: cut off before its newline).";
	bool alike = true;

	for (size_t cut = 0; cut < sizeof(bytes) - 1; cut++) {
		struct story s = {.lines = {.limit = 8}};

		tell(&s, bytes, cut);
		tell(&s, bytes + cut, sizeof(bytes) - 1 - cut);
		end(&s);
		alike = alike && strcmp(buf_text(&s.said), want) == 0;
		line_release(&s.lines);
		buf_release(&s.said);
	}
	ok(alike, "an input cut in two anywhere reads the same");
}

/* Fed one byte at a time, a line of 1 MiB may not cost a square. */
static void
linear_time(void)
{
	struct line l = {0};
	struct err e = {0};
	const char *text;
	size_t len = 0;
	int64_t begin_ms = clock_boot_ms();
	bool quiet = true;

	for (size_t i = 0; i < LINE_CEILING; i++) {
		*line_room(&l, 1) = 'x';
		line_wrote(&l, 1);
		quiet = quiet && line_next(&l, &text, &len, &e) == 0;
	}
	ok(quiet, "a line of exactly the ceiling is waited for");
	*line_room(&l, 1) = '\n';
	line_wrote(&l, 1);
	ok(line_next(&l, &text, &len, &e) == 1 && len == LINE_CEILING,
	    "and handed out whole");
	ok(clock_boot_ms() - begin_ms < 2000,
	    "1 MiB byte by byte takes linear time");
	line_release(&l);
}

/* A flood without a newline is refused once and takes no memory. */
static void
flood(void)
{
	enum { PIECE = 64 << 10 };

	struct line l = {0};
	struct err e = {0};
	const char *text;
	size_t len, refused = 0;

	for (int i = 0; i < 1600; i++) {
		memset(line_room(&l, PIECE), 'x', PIECE);
		line_wrote(&l, PIECE);
		refused += line_next(&l, &text, &len, &e) < 0;
	}
	ok(refused == 1 && l.number == 1, "a flood is refused once");
	ok(l.bytes.room <= 4 * (size_t)LINE_CEILING,
	    "a flood of 100 MB takes no more than a few ceilings");
	line_release(&l);
	line_release(&l);
	ok(!l.bytes.data, "released twice, it is empty");
}

int
main(void)
{
	CHECK("a\nbc\n", "[a][bc].", "lines come out without their newline");
	CHECK("\n\n", "[][].", "an empty line is a line");
	CHECK("12345678\n", "[12345678].",
	    "a line as long as the ceiling fits");
	CHECK("123456789\nb\n", "(line 1: longer than 8 bytes)[b].",
	    "one byte more is refused, and the next line is good");
	CHECK("a\n123456789012345678901234567890",
	    "[a](line 2: longer than 8 bytes).",
	    "a long line without an end is refused once");
	CHECK("a\n1234567890123456789012\nb\nc",
	    "[a](line 2: longer than 8 bytes)[b]"
	    "(line 4: cut off before its newline).",
	    "refused lines count, and an unfinished one is refused");
	CHECK("a\0b\n\0\nc\n",
	    "(line 1: a NUL byte in it)(line 2: a NUL byte in it)[c].",
	    "a NUL byte spoils its line only");
	CHECK("a\r\n", "[a\r].", "a carriage return is the reader's to judge");
	cuts_at_every_byte();
	linear_time();
	flood();
	return tap_done();
}
