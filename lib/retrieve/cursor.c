#include "retrieve/cursor.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/hash.h"

/*
 * The bytes: lane 1, tail 1, words 2, then 8 each of scope, generation, at_ms,
 * low, high, score, messages, tokens; 4 each of ord, high ordinal and the
 * words' counts; 8 of checksum. All little-endian.
 */
enum {
	FIXED = 4 + 8 * 8 + 4 * 2,
	SUM = 8,
	BYTES_MAX = FIXED + 4 * SCORE_WORDS + SUM,
};

static const char prefix[] = "sc1_";
static const char alphabet
    [] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct bytes {
	unsigned char at[BYTES_MAX + 2];
	size_t len;
};

static void
put(struct bytes *b, uint64_t n, size_t size)
{
	while (size--) {
		b->at[b->len++] = (unsigned char)n;
		n >>= 8;
	}
}

static uint64_t
get(struct bytes *b, size_t size)
{
	uint64_t n = 0;

	for (size_t i = 0; i < size; i++)
		n |= (uint64_t)b->at[b->len++] << 8 * i;
	return n;
}

static void
encode(struct buf *to, const struct bytes *b)
{
	for (size_t i = 0; i < b->len; i += 3) {
		size_t left = b->len - i;
		uint32_t n = (uint32_t)b->at[i] << 16;

		n |= left > 1 ? (uint32_t)b->at[i + 1] << 8 : 0;
		n |= left > 2 ? b->at[i + 2] : 0;
		for (size_t k = 0; k < (left > 2 ? 4 : left + 1); k++)
			buf_char(to, alphabet[n >> (18 - 6 * k) & 63]);
	}
}

/* Returns -1 if text is not what encode() makes. */
static int
decode(struct bytes *b, const char *text)
{
	uint32_t n = 0;
	unsigned bits = 0;

	for (; *text; text++) {
		const char *digit = strchr(alphabet, *text);

		if (!digit || b->len >= BYTES_MAX)
			return -1;
		n = (n << 6 | (uint32_t)(digit - alphabet)) & 0xffff;
		bits += 6;
		if (bits >= 8) {
			bits -= 8;
			b->at[b->len++] = (unsigned char)(n >> bits);
		}
	}
	return bits >= 6 || n & ((1U << bits) - 1) ? -1 : 0;
}

void
cursor_write(struct buf *to, const struct cursor *c)
{
	struct bytes b = {0};
	uint64_t score;

	memcpy(&score, &c->score, sizeof(score));
	put(&b, (uint64_t)c->lane, 1);
	put(&b, c->tail, 1);
	put(&b, c->frozen.words, 2);
	put(&b, c->scope, 8);
	put(&b, c->generation, 8);
	put(&b, (uint64_t)c->at_ms, 8);
	put(&b, c->low, 8);
	put(&b, c->high, 8);
	put(&b, score, 8);
	put(&b, (uint64_t)c->frozen.messages, 8);
	put(&b, (uint64_t)c->frozen.tokens, 8);
	put(&b, c->ord, 4);
	put(&b, c->frozen.high, 4);
	for (size_t i = 0; i < c->frozen.words; i++)
		put(&b, c->frozen.found[i], 4);
	put(&b, hash_bytes(HASH_START, b.at, b.len), SUM);
	buf_str(to, prefix);
	encode(to, &b);
}

/* Take the fields of bytes whose length and checksum are right. */
static void
unpack(struct cursor *c, struct bytes *b)
{
	uint64_t score;

	b->len = 4;
	c->scope = get(b, 8);
	c->generation = get(b, 8);
	c->at_ms = (int64_t)get(b, 8);
	c->low = get(b, 8);
	c->high = get(b, 8);
	score = get(b, 8);
	memcpy(&c->score, &score, sizeof(score));
	c->frozen.messages = (int64_t)get(b, 8);
	c->frozen.tokens = (int64_t)get(b, 8);
	c->ord = (uint32_t)get(b, 4);
	c->frozen.high = (uint32_t)get(b, 4);
	for (size_t i = 0; i < c->frozen.words; i++)
		c->frozen.found[i] = (uint32_t)get(b, 4);
}

static int
check(struct cursor *c, struct bytes *b)
{
	size_t len = b->len;
	uint64_t sum;

	b->len = 0;
	c->lane = (enum cursor_lane)get(b, 1);
	c->tail = (uint32_t)get(b, 1);
	c->frozen.words = (uint32_t)get(b, 2);
	if (c->frozen.words > SCORE_WORDS || c->tail > 1 ||
	    len != FIXED + 4 * c->frozen.words + SUM ||
	    (c->lane != CURSOR_CHRONOLOGICAL && c->lane != CURSOR_RELEVANCE))
		return -1;
	b->len = len - SUM;
	sum = get(b, SUM);
	return sum == hash_bytes(HASH_START, b->at, len - SUM) ? 0 : -1;
}

int
cursor_read(struct cursor *c, const char *text, struct err *e)
{
	struct bytes b = {0};
	size_t skip = sizeof(prefix) - 1;

	*c = (struct cursor){0};
	if (strncmp(text, prefix, skip) != 0 || decode(&b, text + skip) < 0 ||
	    b.len < FIXED + SUM || check(c, &b) < 0)
		goto bad;
	unpack(c, &b);
	/* NaN and infinity are no scores, and nothing is counted below 0. */
	if (!(c->score >= 0 && c->score < 1e12) || c->frozen.messages < 0 ||
	    c->frozen.tokens < 0)
		goto bad;
	return 0;
bad:
	*c = (struct cursor){0};
	return err_set(e, ERR_INPUT,
	    "this is no cursor, or a part of it is missing");
}
