#include "core/utf8.h"

#include <string.h>

/*
 * What may follow a first byte: how many bytes, and the bounds of the first of
 * them, which alone rules out overlong forms, surrogates and the far end.
 */
struct lead {
	unsigned char more, low, high;
};

static struct lead
lead_of(unsigned char c)
{
	if (c >= 0xc2 && c <= 0xdf)
		return (struct lead){1, 0x80, 0xbf};
	if (c == 0xe0)
		return (struct lead){2, 0xa0, 0xbf};
	if (c == 0xed)
		return (struct lead){2, 0x80, 0x9f};
	if (c >= 0xe1 && c <= 0xef)
		return (struct lead){2, 0x80, 0xbf};
	if (c == 0xf0)
		return (struct lead){3, 0x90, 0xbf};
	if (c >= 0xf1 && c <= 0xf3)
		return (struct lead){3, 0x80, 0xbf};
	if (c == 0xf4)
		return (struct lead){3, 0x80, 0x8f};
	return (struct lead){0};
}

size_t
utf8_next(const char *text, size_t len, uint32_t *cp)
{
	const unsigned char *s = (const unsigned char *)text;
	struct lead lead = lead_of(s[0]);
	uint32_t c;
	size_t i;

	if (s[0] < 0x80) {
		*cp = s[0];
		return 1;
	}
	*cp = UTF8_BAD;
	if (!lead.more)
		return 1;
	c = s[0] & (0x3fU >> lead.more);
	for (i = 1; i <= lead.more; i++) {
		if (i == len || s[i] < lead.low || s[i] > lead.high)
			return i;
		c = c << 6 | (s[i] & 0x3fU);
		lead.low = 0x80;
		lead.high = 0xbf;
	}
	*cp = c;
	return i;
}

size_t
utf8_put(char *to, uint32_t cp)
{
	static const unsigned char mark[] = {0, 0xc0, 0xe0, 0xf0};
	size_t more, i;

	if (cp > 0x10ffff || (cp >= 0xd800 && cp <= 0xdfff))
		cp = 0xfffd;
	more = cp < 0x80 ? 0 : cp < 0x800 ? 1 : cp < 0x10000 ? 2 : 3;
	for (i = more; i > 0; i--) {
		to[i] = (char)(0x80 | (cp & 0x3f));
		cp >>= 6;
	}
	to[0] = (char)(mark[more] | cp);
	return more + 1;
}

size_t
utf8_cut(const char *text, size_t len, size_t max)
{
	uint32_t cp;
	size_t start = max;

	if (max >= len)
		return len;
	while (start > 0 && max - start < 3 && (text[start] & 0xc0) == 0x80)
		start--;
	if (start + utf8_next(text + start, len - start, &cp) > max)
		return start;
	return max;
}

enum { LEFT_TO_RIGHT = 0x202d, RIGHT_TO_LEFT = 0x202e }; /* overrides */

bool
utf8_shown(uint32_t cp)
{
	return cp >= 0x20 && (cp < 0x7f || cp > 0x9f) && cp != UTF8_BAD &&
	       cp != LEFT_TO_RIGHT && cp != RIGHT_TO_LEFT;
}

bool
utf8_plain(uint32_t cp)
{
	static const struct {
		uint32_t first, last;
	} hidden[] = {
	    {0x00ad, 0x00ad},
	    {0x034f, 0x034f},
	    {0x061c, 0x061c},
	    {0x115f, 0x1160},
	    {0x17b4, 0x17b5},
	    {0x180b, 0x180f},
	    {0x200b, 0x200f},
	    {0x2028, 0x202e},
	    {0x2060, 0x206f},
	    {0x3164, 0x3164},
	    {0xfe00, 0xfe0e},
	    {0xfeff, 0xfeff},
	    {0xffa0, 0xffa0},
	    {0xfff0, 0xfffb},
	    {0x1bca0, 0x1bca3},
	    {0x1d173, 0x1d17a},
	    {0xe0000, 0xe0fff},
	};

	if (!utf8_shown(cp))
		return false;
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++)
		if (cp >= hidden[i].first && cp <= hidden[i].last)
			return false;
	return true;
}

size_t
utf8_tame(char *to, size_t room, const char *text)
{
	size_t len = strlen(text), at = 0;

	while (len) {
		uint32_t cp;
		size_t n = utf8_next(text, len, &cp);
		size_t need = utf8_shown(cp) ? n : 1;

		if (at + need >= room)
			break;
		if (utf8_shown(cp))
			memcpy(to + at, text, n);
		else
			to[at] = '?';
		at += need;
		text += n;
		len -= n;
	}
	to[at] = '\0';
	return at;
}
