/* A cursor comes back as it was, and nothing else is taken for one. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "retrieve/cursor.h"
#include "tap.h"

static struct cursor
example(uint32_t words)
{
	struct cursor c = {.lane = CURSOR_RELEVANCE,
	    .scope = UINT64_C(0xfedcba9876543210),
	    .generation = 7,
	    .at_ms = 1700000000123,
	    .low = 5,
	    .high = UINT64_MAX,
	    .score = 12.25,
	    .ord = 4000000000,
	    .tail = 1,
	    .frozen = {.messages = 1000000,
		.tokens = 11000000,
		.high = 999999,
		.words = words}};

	for (uint32_t i = 0; i < words; i++)
		c.frozen.found[i] = i * 1000003;
	return c;
}

static bool
same_cursor(const struct cursor *a, const struct cursor *b)
{
	return a->lane == b->lane && a->scope == b->scope &&
	       a->generation == b->generation && a->at_ms == b->at_ms &&
	       a->low == b->low && a->high == b->high &&
	       fabs(a->score - b->score) < 1e-300 && a->ord == b->ord &&
	       a->tail == b->tail && a->frozen.messages == b->frozen.messages &&
	       a->frozen.tokens == b->frozen.tokens &&
	       a->frozen.high == b->frozen.high &&
	       a->frozen.words == b->frozen.words &&
	       memcmp(a->frozen.found, b->frozen.found,
		   sizeof(a->frozen.found)) == 0;
}

static bool
comes_back(uint32_t words)
{
	struct cursor in = example(words), out;
	struct buf text = {0};
	struct err e = {0};
	bool good;

	cursor_write(&text, &in);
	good = cursor_read(&out, buf_text(&text), &e) == 0 &&
	       same_cursor(&in, &out);
	buf_release(&text);
	return good;
}

static bool
refused(const char *text)
{
	struct cursor c;
	struct err e = {0};

	return cursor_read(&c, text, &e) < 0 && e.kind == ERR_INPUT &&
	       c.lane == 0;
}

/* Cut at every byte, and every byte changed. */
static void
damage(void)
{
	struct cursor c = example(3);
	struct buf text = {0};
	bool cut = true, changed = true;

	cursor_write(&text, &c);
	for (size_t i = 0; i < text.len; i++) {
		char *copy = strdup(text.data), old = copy[i];

		copy[i] = '\0';
		cut = refused(copy) && cut;
		copy[i] = old == 'A' ? 'B' : 'A';
		changed = refused(copy) && changed;
		free(copy);
	}
	ok(cut, "cut at any byte it is refused");
	ok(changed, "with any byte changed it is refused");
	buf_char(&text, 'A');
	ok(refused(text.data), "with something after it it is refused");
	buf_release(&text);
}

/*
 * The checksum of a forged one is right: what it holds must still make sense.
 */
static bool
forged(struct cursor c)
{
	struct buf text = {0};
	bool good;

	cursor_write(&text, &c);
	good = refused(text.data);
	buf_release(&text);
	return good;
}

int
main(void)
{
	struct cursor c = example(1);

	ok(comes_back(0) && comes_back(1) && comes_back(SCORE_WORDS),
	    "whatever the number of words, it comes back as it was");
	damage();
	c.score = NAN;
	ok(forged(c), "a score that is no number is refused");
	c.score = -1;
	ok(forged(c), "so is a negative one");
	c = example(1);
	c.frozen.messages = -5;
	ok(forged(c), "and a negative count");
	c = example(1);
	c.lane = (enum cursor_lane)9;
	ok(forged(c), "and a lane there is not");
	ok(refused("") && refused("sc1_") && refused("sc2_AAAA") &&
		refused("sc1_!!!!"),
	    "other text is refused");
	return tap_done();
}
