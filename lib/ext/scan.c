#include "ext/scan.h"

#include <stdint.h>
#include <string.h>

#include <unicode/uchar.h>

#include "core/utf8.h"
#include "ext/token.h"

bool
scan_starts(const struct scan *s, size_t at, const char *with)
{
	size_t len = strlen(with);

	return s->len - at >= len && !memcmp(s->text + at, with, len);
}

size_t
scan_word(const struct scan *s, size_t at)
{
	const char *text = s->text;
	uint32_t cp;
	size_t i = at, step;

	while (i < s->len) {
		if (scan_is_letter(text[i]) || scan_is_digit(text[i])) {
			i++;
			continue;
		}
		if (!scan_is_high(text[i]))
			break;
		step = utf8_next(text + i, s->len - i, &cp);
		if (cp == UTF8_BAD ||
		    !(U_MASK(u_charType((UChar32)cp)) &
			(U_GC_L_MASK | U_GC_M_MASK | U_GC_N_MASK)))
			break;
		i += step;
	}
	return i - at;
}

size_t
scan_digits(const struct scan *s, size_t at)
{
	size_t i = at;

	while (scan_is_digit(scan_peek(s, i)))
		i++;
	return i - at;
}

void
scan_add(const struct scan *s, size_t at, size_t len)
{
	token_add(s->to, s->text + at, len);
}
