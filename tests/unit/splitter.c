/*
 * splitter - properties of the messages that a long text becomes, over many
 * texts that a seed makes; $SOPHIA_SEED replays one run, and a text that breaks
 * a rule is named by its number.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/utf8.h"
#include "discord/breaks.h"
#include "discord/splitter.h"
#include "ext/text.h"

#include "tap.h"

#ifdef __SANITIZE_ADDRESS__
enum { TEXTS = 12000 }; /* they take ten times as long */
#else
enum { TEXTS = 120000 };
#endif
enum { MEASURED = 8, THINGS = 4000 };

/* A stretch of the text that may not be broken, or a block of code. */
struct thing {
	size_t from, to; /* of code: of what stands between its fences */
	size_t open, end;
	const char *language; /* NULL: no code */
};

static struct {
	struct buf text;
	struct thing things[THINGS];
	size_t count;
	bool strange; /* no claim but for length and completeness */
} made;

static uint64_t state;

static unsigned
roll(unsigned n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (unsigned)(state >> 33) % n;
}

#define PICK(list) (list)[roll(sizeof(list) / sizeof(*(list)))]

static void
put_words(unsigned n)
{
	static const char *const words[] = {"a", "the", "rollback", "we",
	    "deploy", "it's", "caf\xc3\xa9", "na\xc3\xafve", "(maybe)",
	    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xe3\x80\x82",
	    "\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82",
	    "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "e\xcc\x81\xcc\xa3",
	    "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f"
	    "\x91\xa7",
	    "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa\xf0\x9f\x87\xab\xf0\x9f\x87\xb7",
	    "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd", "2.5", "~~~", "~~gone~~", "\\*",
	    "x_y_z", "\xcc\x81over a space", "\xf0\x9d\x95\x8f",
	    "\xe0\xb8\x81\xe0\xb8\xb3",
	    "unbelievablylongwordthatgoesonandonandon"};

	for (unsigned i = 0; i < n; i++) {
		if (i)
			buf_str(&made.text, roll(12) ? " " : "  ");
		buf_str(&made.text, PICK(words));
	}
}

static void
put_kept(void)
{
	static const char *const kept[] = {"<@123456789012345678>", "<@!1>",
	    "<@&42>", "<#99>", "<:party_parrot:123456>", "<a:wave:77>",
	    "<t:1700000000:R>", "</talk now:123>", "<id:customize>",
	    "https://example.org/a/b?c=d&e=f#g ", "<https://example.org/quiet>",
	    "http://x.y/\xc3\xa9 ",
	    "[the label](https://example.org/x_(y) \"t\")", "`code in a line`",
	    "``two ` quotes``", "**bold words here**", "||a secret it is||",
	    "https://discord.com/channels/1/2/3?aaaaaaaaaaaaaaaaaaaaaaaaaaa "};
	const char *what = PICK(kept);
	size_t len = strlen(what);

	if (made.count == THINGS)
		return;
	made.things[made.count++] = (struct thing){.from = made.text.len,
	    .to = made.text.len + len - (what[len - 1] == ' ')};
	buf_str(&made.text, what);
}

static void
put_code(void)
{
	static const char *const languages[] = {"", "c", "python", "c++",
	    "objective-c", "f#"};
	static const char *const lines[] = {"int main(void)\n", "\treturn 0;\n",
	    "\n", "# ~~~ `x` <@1>\n", "x = \"\xe6\x97\xa5\"\n",
	    "for (;;) { do_it(); and_it(); again(); } /* and so on, and on */\n",
	    "                                indented\n"};
	struct thing *t = &made.things[made.count];
	unsigned n = roll(30) ? 1 + roll(12) : 60;

	if (made.count == THINGS)
		return;
	made.count++;
	t->open = made.text.len;
	t->language = PICK(languages);
	buf_fmt(&made.text, "```%s\n", t->language);
	t->from = made.text.len;
	buf_str(&made.text, "begin\n");
	for (unsigned i = 0; i < n; i++)
		buf_str(&made.text, PICK(lines));
	buf_str(&made.text, "end\n");
	t->to = made.text.len;
	buf_str(&made.text, "```");
	t->end = made.text.len;
}

/* A script that writes no spaces. */
static void
put_dense(void)
{
	static const char *const letters[] = {"\xe6\x97\xa5", "\xe6\x9c\xac",
	    "\xe3\x82\xab\xe3\x82\x99", "\xe3\x80\x82",
	    "\xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd"};
	unsigned n = roll(150);

	for (unsigned i = 0; i < n; i++) {
		if (roll(40) == 0)
			put_kept();
		buf_str(&made.text, PICK(letters));
	}
}

/* Bytes that nobody would write, in any order. */
static void
put_strange(void)
{
	static const char *const bits[] = {"`", "``", "```", "````", "~~~",
	    "```c\n", "\n", "\n\n\n", " ", "\t", "\r\n", "\xff", "\xc3",
	    "\xe2\x80\x8d", "\xcc\x81", "\xf0\x9f\x91", "<@", "<@1", "<:", ">",
	    "](", "[", "[a](http://", ")", "||", "**", "\\", "\\`", "https://",
	    "\xe3\x80\x80", "\xc2\xa0", "\xe2\x80\x8b", "\xed\xa0\x80", "a",
	    "bc", "def.", "# h\n", "> q", ">>> ",
	    "https://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
	const char *bit = PICK(bits);
	unsigned n = roll(40) ? 1 : roll(400);

	made.strange = true;
	do {
		buf_str(&made.text, bit);
	} while (n-- > 1);
}

static void
make_text(void)
{
	static const char *const ends[] = {".", "!", "?", "", ":", ".)"};
	static const char *const gaps[] = {"\n", "\n\n", "\n\n\n", " \n",
	    "\n# A heading\n\n", "\n- ", "\n> "};
	unsigned pieces = 1 + roll(roll(20) ? 12 : 60);
	bool strange = roll(4) == 0;

	buf_clear(&made.text);
	made.count = 0;
	made.strange = false;
	for (unsigned i = 0; i < pieces; i++) {
		if (strange)
			put_strange();
		switch (roll(8)) {
		case 0:
		case 1: put_kept(); break;
		case 2:
			buf_str(&made.text, "\n");
			put_code();
			buf_str(&made.text, "\n");
			break;
		case 3: put_dense(); break;
		default: put_words(1 + roll(25)); break;
		}
		buf_str(&made.text, PICK(ends));
		buf_str(&made.text, roll(3) ? " " : PICK(gaps));
	}
}

static bool
blank(const char *text, size_t len)
{
	bool holds;
	uint32_t cp;

	for (size_t i = 0; i < len;) {
		i += utf8_next(text + i, len - i, &cp);
		if (!breaks_blank(cp, &holds))
			return false;
	}
	return true;
}

static size_t
units(const char *text, size_t len)
{
	size_t n = 0;
	uint32_t cp;

	for (size_t i = 0; i < len; n++) {
		i += utf8_next(text + i, len - i, &cp);
		n += cp != UTF8_BAD && cp > 0xffff;
	}
	return n;
}

static const char *broken; /* the rule that the text at work breaks */

static void
must(bool good, const char *rule)
{
	if (!good && !broken)
		broken = rule;
}

/* What was not put in is the range, but for white space at its ends. */
static void
check_range(const struct splitter_part *p)
{
	const char *range = made.text.data + p->from;
	const char *own = p->text + p->opened;
	size_t len = p->to - p->from, n = p->len - p->opened - p->closed;
	const char *at = n <= len ? memmem(range, len, own, n) : NULL;

	must(p->opened + p->closed <= p->len, "fences are part of a part");
	/* The first place may be a wrong one: look at all. */
	while (at && !(blank(range, (size_t)(at - range)) &&
			 blank(at + n, len - n - (size_t)(at - range))))
		at = at + 1 + n <= range + len
			 ? memmem(at + 1, (size_t)(range + len - at - 1), own,
			       n)
			 : NULL;
	must(at != NULL, "a part is its range without outer white space");
}

static void
check_edge(const struct splitter_part *a, const struct splitter_part *b,
    size_t most)
{
	char opening[64] = "";
	bool code = false;

	for (size_t i = 0; i < made.count; i++) {
		const struct thing *t = &made.things[i];
		size_t len = t->to - t->from;

		if (!t->language) {
			must(a->to <= t->from || a->to >= t->to ||
				 len > most / 2,
			    "a link or mention is whole");
			continue;
		}
		must(a->to <= t->open || a->to >= t->from,
		    "an opening fence is whole");
		must(a->to <= t->to || a->to >= t->end,
		    "a closing fence is whole");
		if (a->to <= t->from || a->to >= t->to)
			continue;
		code = true;
		snprintf(opening, sizeof(opening), "```%s\n", t->language);
	}
	must((a->closed > 0) == code && (b->opened > 0) == code,
	    "fences are put in where code is broken, and only there");
	must(b->opened == strlen(opening) &&
		 memcmp(b->text, opening, b->opened) == 0,
	    "code goes on in its language");
	must(!code || strcmp(a->text + a->len - 4, "\n```") == 0,
	    "code is closed in a line of its own");
}

static void
check_letters(struct text *t, const size_t *edges, size_t n)
{
	struct text_size whole, part;
	struct err e = {0};
	uint64_t sum = 0;

	text_measure(t, &whole, made.text.data, made.text.len, &e);
	for (size_t i = 0, from = 0; i < n; from = edges[i++]) {
		text_measure(t, &part, made.text.data + from, edges[i] - from,
		    &e);
		sum += part.graphemes;
	}
	must(sum == whole.graphemes, "no grapheme is broken");
}

static size_t
check_text(struct splitter *s, struct text *t, size_t most)
{
	static size_t edges[100000];
	struct splitter_part p, before = {0};
	struct buf last = {0};
	struct err e = {0};
	size_t n = 0, at = 0;
	int rc;

	splitter_start(s, made.text.data, made.text.len, most);
	while ((rc = splitter_next(s, &p, &e)) > 0 && n < 100000) {
		must(p.from == at && p.to > at, "ranges follow each other");
		at = p.to;
		must(!blank(p.text, p.len), "no part is empty");
		must(strlen(p.text) == p.len, "a part holds no NUL");
		must(units(p.text, p.len) <= most, "no part is too long");
		check_range(&p);
		if (n && !made.strange)
			check_edge(&before, &p, most);
		buf_clear(&last);
		buf_add(&last, p.text, p.len);
		before = p;
		before.text = buf_text(&last);
		edges[n++] = p.to;
		if (broken)
			break;
	}
	must(rc >= 0, "there is no error");
	must(broken || at == made.text.len ||
		 (n == 0 && blank(made.text.data, made.text.len)),
	    "the parts are the whole text");
	if (!broken && !made.strange && t && n)
		check_letters(t, edges, n);
	buf_release(&last);
	return n;
}

static void
test_properties(void)
{
	static const size_t limits[] = {128, 150, 200, 333, 500, 2000};
	const char *seed = getenv("SOPHIA_SEED");
	struct text *t = text_open();
	struct splitter s = {0};
	size_t parts = 0, bytes = 0, cut = 0, i;

	state = seed ? strtoull(seed, NULL, 10) * 2 + 1 : 2026;
	for (i = 0; i < TEXTS && !broken; i++) {
		size_t n;

		make_text();
		n = check_text(&s, i % MEASURED ? NULL : t, PICK(limits));
		parts += n;
		cut += n > 1;
		bytes += made.text.len;
	}
	ok(!broken, "every property holds for every text");
	if (broken)
		printf("# text %zu: not so: %s\n", i - 1, broken);
	ok(cut > TEXTS / 3, "and many a text was cut");
	printf("# %zu texts, %zu bytes, %zu parts, %zu cut\n", i, bytes, parts,
	    cut);
	splitter_release(&s);
	text_close(t);
}

/* The parts, each in [ ]. */
static const char *
split(const char *text, size_t most)
{
	static struct buf all;
	struct splitter s = {0};
	struct splitter_part p;
	struct err e = {0};

	buf_clear(&all);
	splitter_start(&s, text, strlen(text), most);
	while (splitter_next(&s, &p, &e) > 0)
		buf_fmt(&all, "[%s]", p.text);
	splitter_release(&s);
	return buf_text(&all);
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN
#define HUNDRED FIFTY FIFTY

static void
test_places(void)
{
	same(split("short", 2000), "[short]", "a short text is one part");
	same(split("", 2000), "", "no text is none");
	same(split(" \n\t\n \xc2\xa0", 2000), "", "nor is white space");
	same(split("\n a \n", 2000), "[a]", "white space around is not sent");
	same(split(FIFTY "\n\n" FIFTY "\n" FIFTY, 128),
	    "[" FIFTY "][" FIFTY "\n" FIFTY "]",
	    "a paragraph is a better place than a line");
	same(split("One two. Three " FIFTY ". " FIFTY " x " FIFTY, 128),
	    "[One two. Three " FIFTY ".][" FIFTY " x " FIFTY "]",
	    "a sentence is a better place than a word");
	same(split(FIFTY FIFTY "\xe3\x80\x8c"
			       "x\xe3\x80\x82\xe3\x80\x8d" FIFTY,
		 128),
	    "[" FIFTY FIFTY "\xe3\x80\x8cx\xe3\x80\x82\xe3\x80\x8d][" FIFTY "]",
	    "a sentence ends after what closes its quotation");
	same(split(HUNDRED HUNDRED, 128),
	    "[" HUNDRED TEN TEN "01234567][89" FIFTY TEN TEN "]",
	    "a word that is too long is cut");
	same(split(FIFTY " " FIFTY "\n# A heading\n\n" FIFTY, 128),
	    "[" FIFTY " " FIFTY "][# A heading\n\n" FIFTY "]",
	    "a heading stays with what it heads");
	same(split(HUNDRED " https://example.org/" FIFTY, 128),
	    "[" HUNDRED "][https://example.org/" FIFTY "]",
	    "a link is not cut");
}

static void
test_code(void)
{
	same(split("```c\n" FIFTY "\n" FIFTY "\n" FIFTY "\n```\nend", 128),
	    "[```c\n" FIFTY "\n" FIFTY "\n```][```c\n" FIFTY "\n```\nend]",
	    "code goes on in the next part");
	same(split(FIFTY "\n\n```c\n" FIFTY "\n" FIFTY "\n```", 128),
	    "[" FIFTY "][```c\n" FIFTY "\n" FIFTY "\n```]",
	    "code that fits into one part is not broken");
	same(split("```\n" HUNDRED HUNDRED "\n```", 128),
	    "[```\n" HUNDRED TEN TEN "\n```][```\n" FIFTY TEN TEN TEN "\n```]",
	    "a line of code that is too long is, within its budget");
	same(split("see ```" HUNDRED FIFTY "```", 128),
	    "[see ```" HUNDRED TEN "0123456\n```][```\n789" TEN TEN TEN "```]",
	    "code without a line of its own likewise");
	same(split("a\n```py\nx = 1\n", 2000), "[a\n```py\nx = 1\n```]",
	    "code that nothing ends is closed");
	same(split("what are ``` for?", 2000), "[what are ``` for?]",
	    "three backquotes in a line are text");
	same(split("~~~\n" HUNDRED "\n" FIFTY "\n~~~", 128),
	    "[~~~\n" HUNDRED "][" FIFTY "\n~~~]", "tildes are text");
	same(split("\\```c " HUNDRED " " FIFTY "```", 128),
	    "[\\```c " HUNDRED "][" FIFTY "```]", "so are escaped ones");
}

int
main(void)
{
	test_places();
	test_code();
	test_properties();
	buf_release(&made.text);
	return tap_done();
}
