#include "ext/words.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include <unicode/uchar.h>

#include "core/utf8.h"
#include "ext/compound.h"
#include "ext/scan.h"

#define QUERY_LONGEST 32 /* bytes of a word after the ? of a URL: no hashes */

static bool
is_hex(char c)
{
	return scan_is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Append the words from at up to end, where nothing else is looked for. */
static void
add_all(const struct scan *s, size_t at, size_t end, bool url)
{
	struct scan in = *s;
	bool query = false;
	size_t len;

	in.len = end;
	while (at < end) {
		query |= url && in.text[at] == '?';
		len = scan_word(&in, at);
		if (url && in.text[at] == '%' &&
		    is_hex(scan_peek(&in, at + 1)) &&
		    is_hex(scan_peek(&in, at + 2)))
			at += 3;
		else if (len && !(query && len > QUERY_LONGEST))
			at = compound_find(&in, at, url);
		else
			at += len ? len : 1;
	}
}

/* "https://...", up to a space or a bracket: returns its end, 0 if none. */
static size_t
address(const struct scan *s, size_t at)
{
	size_t start = scan_starts(s, at, "https://")  ? at + 8
		       : scan_starts(s, at, "http://") ? at + 7
						       : 0;
	size_t end = start;

	if (!start)
		return 0;
	while (end < s->len && (unsigned char)s->text[end] > ' ' &&
	       s->text[end] != '<' && s->text[end] != '>')
		end++;
	add_all(s, start, end, true);
	return end;
}

/* "<@1>" and its like: returns its end, 0 if it is none. */
static size_t
mention(const struct scan *s, size_t at)
{
	size_t len;

	at++;
	if (scan_peek(s, at) == '@') {
		at++;
		if (scan_peek(s, at) == '!' || scan_peek(s, at) == '&')
			at++;
	} else if (scan_peek(s, at) == '#') {
		at++;
	} else {
		return 0;
	}
	len = scan_digits(s, at);
	if (!len || scan_peek(s, at + len) != '>')
		return 0;
	scan_add(s, at, len);
	return at + len + 1;
}

/* "<:name:1>", "<a:name:1>", "</name:1>": returns its end, 0 if it is none. */
static size_t
named(const struct scan *s, size_t at)
{
	size_t name, end, len = 0;

	if (!scan_starts(s, at, "<:") && !scan_starts(s, at, "<a:") &&
	    !scan_starts(s, at, "</"))
		return 0;
	name = at + (scan_starts(s, at, "<a:") ? 3 : 2);
	end = name;
	do {
		end += len;
		len = scan_word(s, end);
		if (!len && scan_peek(s, end) &&
		    strchr("_- ", scan_peek(s, end)))
			len = 1;
	} while (len);
	len = scan_peek(s, end) == ':' ? scan_digits(s, end + 1) : 0;
	if (!len || scan_peek(s, end + 1 + len) != '>')
		return 0;
	add_all(s, name, end, false);
	return end + len + 2;
}

/* "<t:1:R>", a time that Discord shows in words: its end, 0 if it is none. */
static size_t
timestamp(const struct scan *s, size_t at)
{
	size_t end = at + 3;

	if (!scan_starts(s, at, "<t:"))
		return 0;
	if (scan_peek(s, end) == '-')
		end++;
	if (!scan_digits(s, end))
		return 0;
	end += scan_digits(s, end);
	if (scan_peek(s, end) == ':' && scan_is_letter(scan_peek(s, end + 1)))
		end += 2;
	return scan_peek(s, end) == '>' ? end + 1 : 0;
}

static size_t
markup(const struct scan *s, size_t at)
{
	size_t end = mention(s, at);

	if (!end)
		end = named(s, at);
	if (!end)
		end = timestamp(s, at);
	return end ? end : at + 1;
}

/* "#123": append it with its sign; the number itself comes next. */
static size_t
number(const struct scan *s, size_t at)
{
	size_t len = scan_digits(s, at + 1);

	if (len && len == scan_word(s, at + 1))
		scan_add(s, at, len + 1);
	return at + 1;
}

/* An emoji, or any other character that is no word: returns its end. */
static size_t
symbol(const struct scan *s, size_t at)
{
	const char *p = s->text + at;
	uint32_t cp, second;
	size_t len = utf8_next(p, s->len - at, &cp);
	UChar32 c = (UChar32)cp;

	if (cp == UTF8_BAD)
		return at + len;
	if (u_hasBinaryProperty(c, UCHAR_REGIONAL_INDICATOR)) {
		if (at + len < s->len) {
			size_t more = utf8_next(p + len, s->len - at - len,
			    &second);

			if (second != UTF8_BAD &&
			    u_hasBinaryProperty((UChar32)second,
				UCHAR_REGIONAL_INDICATOR))
				len += more;
		}
	} else if (!u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC)) {
		return at + len;
	}
	if (at < len || memcmp(p - len, p, len) != 0) /* a row counts once */
		scan_add(s, at, len);
	return at + len;
}

void
words_find(const char *text, size_t len, struct tokens *to)
{
	const struct scan scan = {text, len, to}, *s = &scan;
	size_t at = 0, end;

	while (at < s->len) {
		char c = s->text[at];

		if (c == '<')
			at = markup(s, at);
		else if (c == '#')
			at = number(s, at);
		else if (c == 'h' && (end = address(s, at)))
			at = end;
		else if (scan_is_letter(c) || scan_is_digit(c) ||
			 (scan_is_high(c) && scan_word(s, at)))
			at = compound_find(s, at, false);
		else if (scan_is_high(c))
			at = symbol(s, at);
		else
			at++;
	}
}
