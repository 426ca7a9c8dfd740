#include "ext/jsonw.h"

#include <inttypes.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/utf8.h"
#include "ext/json.h"

/* What can't stand in a JSON string as it is. */
static void
escape(struct buf *b, uint32_t cp)
{
	if (cp == UTF8_BAD)
		buf_str(b, "\xef\xbf\xbd");
	else if (cp == '"' || cp == '\\')
		buf_fmt(b, "\\%c", (int)cp);
	else if (cp == '\n')
		buf_str(b, "\\n");
	else
		buf_fmt(b, "\\u%04x", (unsigned)cp);
}

static void
quote(struct buf *b, const char *text, size_t len)
{
	size_t from = 0, i = 0;

	buf_char(b, '"');
	while (i < len) {
		unsigned char c = (unsigned char)text[i];
		uint32_t cp = c;
		size_t n = 1;

		if (c >= 0x80)
			n = utf8_next(text + i, len - i, &cp);
		if (utf8_shown(cp) && cp != '"' && cp != '\\') {
			i += n;
			continue;
		}
		buf_add(b, text + from, i - from);
		i += n;
		from = i;
		escape(b, cp);
	}
	buf_add(b, text + from, len - from);
	buf_char(b, '"');
}

/*
 * What stands before a value. The last byte tells whether it is the first in
 * its container, since no value ends in an opening bracket or a colon.
 */
static void
before(struct buf *b, const char *key)
{
	char last = '\n';

	if (b->len)
		last = b->data[b->len - 1];
	if (last != '{' && last != '[' && last != ':' && last != '\n')
		buf_char(b, ',');
	if (key) {
		quote(b, key, strlen(key));
		buf_char(b, ':');
	}
}

void
jsonw_object(struct buf *b, const char *key)
{
	before(b, key);
	buf_char(b, '{');
}

void
jsonw_end_object(struct buf *b)
{
	buf_char(b, '}');
}

void
jsonw_array(struct buf *b, const char *key)
{
	before(b, key);
	buf_char(b, '[');
}

void
jsonw_end_array(struct buf *b)
{
	buf_char(b, ']');
}

void
jsonw_line(struct buf *b)
{
	buf_str(b, "}\n");
}

void
jsonw_strn(struct buf *b, const char *key, const char *text, size_t len)
{
	before(b, key);
	quote(b, text, len);
}

void
jsonw_str(struct buf *b, const char *key, const char *text)
{
	if (text)
		jsonw_strn(b, key, text, strlen(text));
	else
		jsonw_null(b, key);
}

void
jsonw_opt(struct buf *b, const char *key, const char *text)
{
	if (text)
		jsonw_str(b, key, text);
}

void
jsonw_int(struct buf *b, const char *key, int64_t n)
{
	before(b, key);
	buf_fmt(b, "%" PRId64, n);
}

void
jsonw_id(struct buf *b, const char *key, uint64_t id)
{
	before(b, key);
	buf_fmt(b, "\"%" PRIu64 "\"", id);
}

void
jsonw_time(struct buf *b, const char *key, int64_t at_ms)
{
	char text[CLOCK_TEXT];

	clock_text(text, at_ms);
	jsonw_str(b, key, text);
}

void
jsonw_bool(struct buf *b, const char *key, bool value)
{
	before(b, key);
	buf_str(b, value ? "true" : "false");
}

void
jsonw_null(struct buf *b, const char *key)
{
	before(b, key);
	buf_str(b, "null");
}

void
jsonw_raw(struct buf *b, const char *key, const char *text, size_t len)
{
	before(b, key);
	buf_add(b, text, len);
}

/* A tree is at most JSON_DEPTH deep, so this recursion is bounded. */
void /* NOLINTNEXTLINE(misc-no-recursion) */
jsonw_value(struct buf *b, const char *key, const struct json *v)
{
	bool object = json_kind(v) == JSON_OBJECT;

	switch (json_kind(v)) {
	case JSON_NONE:
	case JSON_NULL: jsonw_null(b, key); break;
	case JSON_BOOL: jsonw_bool(b, key, json_true(v)); break;
	case JSON_NUMBER:
		jsonw_raw(b, key, json_text(v), strlen(json_text(v)));
		break;
	case JSON_STRING: jsonw_str(b, key, json_text(v)); break;
	case JSON_ARRAY:
	case JSON_OBJECT:
		before(b, key);
		buf_char(b, object ? '{' : '[');
		for (v = json_first(v); v; v = json_next(v))
			jsonw_value(b, json_key(v), v);
		buf_char(b, object ? '}' : ']');
	}
}
