#ifndef EXT_SCAN_H
#define EXT_SCAN_H
/*
 * scan - look around in folded text: what ext/words and ext/compound share.
 *
 * at is a byte offset, at most len. ASCII letters are lower case already.
 */

#include <stdbool.h>
#include <stddef.h>

struct tokens;

struct scan {
	const char *text; /* folded, valid UTF-8 */
	size_t len;
	struct tokens *to;
};

static inline bool
scan_is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool
scan_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
scan_is_high(char c) /* of a character that is not ASCII */
{
	return (unsigned char)c >= 0x80;
}

/* The character at, NUL past the end. */
static inline char
scan_peek(const struct scan *s, size_t at)
{
	if (at >= s->len)
		return 0;
	return s->text[at];
}

bool scan_starts(const struct scan *s, size_t at, const char *with);

/* The length of the word, or of the decimal digits, at; 0 if there is none. */
size_t scan_word(const struct scan *s, size_t at);
size_t scan_digits(const struct scan *s, size_t at);

void scan_add(const struct scan *s, size_t at, size_t len); /* as a token */

#endif
