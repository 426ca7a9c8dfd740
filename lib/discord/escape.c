#include "discord/escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "discord/breaks.h"

enum { JOINER = 0x200b }; /* zero width: it ends what Discord reads as one */

static bool
starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static void
add(struct buf *b, const char *at, size_t n, uint32_t cp)
{
	static const char marks[] = "\\`*_~|<>[]()#-+:@";
	char joiner[4];

	if (cp != UTF8_BAD && cp < 0x80 && strchr(marks, (int)cp))
		buf_char(b, '\\');
	if (utf8_shown(cp))
		buf_add(b, at, n);
	/* A backslash stops neither of these. */
	if (starts(at, "http") || cp == '@')
		buf_add(b, joiner, utf8_put(joiner, JOINER));
}

void
escape_line(struct buf *b, const char *text, size_t most)
{
	size_t len = strlen(text), n, added = 0;
	size_t end = most && len > most ? utf8_cut(text, len, most) : len;
	bool gap = false, holds;
	uint32_t cp;

	for (size_t i = 0; i < end; i += n) {
		n = utf8_next(text + i, end - i, &cp);
		if (breaks_blank(cp, &holds)) {
			gap = true;
			continue;
		}
		if (gap && added++)
			buf_char(b, ' ');
		gap = false;
		add(b, text + i, n, cp);
		added++;
	}
	if (end < len)
		buf_str(b, "...");
}
