#define _GNU_SOURCE /* memmem */
#include "model/quote.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/buf.h"
#include "core/utf8.h"
#include "ext/json.h"

enum { MINUTES_LEN = 16 }; /* of "2026-03-01T12:30" */

/* A mark, a variation or a joiner: it belongs to the character before it. */
static bool
is_tied(const char *text)
{
	uint32_t cp;

	if (!*text)
		return false;
	utf8_next(text, strlen(text), &cp);
	return (cp >= 0x300 && cp <= 0x36f) || cp == 0x200d ||
	       (cp >= 0xfe00 && cp <= 0xfe0f) ||
	       (cp >= 0x1f3fb && cp <= 0x1f3ff) ||
	       (cp >= 0x1f1e6 && cp <= 0x1f1ff) ||
	       (cp >= 0xe0020 && cp <= 0xe007f);
}

/* Where to cut text so that at most max bytes stay. */
static size_t
cut_at(const char *text, size_t len, size_t max)
{
	size_t cut = utf8_cut(text, len, max), space = cut;

	while (space > max * 2 / 3 && text[space] != ' ')
		space--;
	if (text[space] == ' ')
		return space;
	while (
	    cut > max / 2 &&
	    (is_tied(text + cut) ||
		(cut >= 3 && memcmp(text + cut - 3, "\xe2\x80\x8d", 3) == 0)))
		cut = utf8_cut(text, len, cut - 1);
	return cut;
}

static bool
is_message_link(const char *token, size_t len)
{
	static const char part[] = "/channels/";

	return len > strlen(part) && memmem(token, len, "discord", 7) &&
	       memmem(token, len, part, strlen(part));
}

/* On one line, one space between tokens, no link to a message. */
static void
flatten(struct buf *to, const char *text)
{
	static const char blanks[] = " \t\r\n\v\f";

	for (size_t len; *(text += strspn(text, blanks)); text += len) {
		len = strcspn(text, blanks);
		if (to->len)
			buf_char(to, ' ');
		if (is_message_link(text, len))
			buf_str(to, "(link)");
		else
			buf_add(to, text, len);
	}
}

void
quote_shorten(struct buf *to, const char *text, size_t max)
{
	struct buf flat = {0};

	flatten(&flat, text);
	if (flat.len <= max) {
		buf_add(to, buf_text(&flat), flat.len);
	} else {
		buf_add(to, flat.data, cut_at(flat.data, flat.len, max));
		buf_str(to, "\xe2\x80\xa6");
	}
	buf_release(&flat);
}

void
quote_write(struct buf *to, const struct json *source, size_t max)
{
	const char *author = json_string(json_get(source, "author"), "name");
	const char *channel = json_string(json_get(source, "channel"), "name");
	const char *at = json_string(source, "at");

	buf_str(to, "\n> ");
	quote_shorten(to, json_string(source, "text"), max);
	buf_str(to, "\n\xe2\x80\x94 ");
	quote_shorten(to, author ? author : "?", max);
	if (channel) {
		buf_str(to, ", #");
		quote_shorten(to, channel, max);
	}
	if (at && strlen(at) >= MINUTES_LEN)
		buf_fmt(to, ", %.10s %.5s UTC", at, at + 11);
	buf_fmt(to, ": %s\n", json_string(source, "url"));
}
