#include <stdbool.h>
#include <string.h>

#include "core/swar.h"
#include "core/utf8.h"
#include "ext/json_tree.h"

struct fast {
	struct json_doc *doc;
	const char *at, *end;
	struct json *open[JSON_DEPTH]; /* the containers we are inside */
	struct json **tail[JSON_DEPTH];
	int depth;
};

static const unsigned char blank[256] = {
    [' '] = 1,
    ['\n'] = 1,
    ['\r'] = 1,
    ['\t'] = 1,
};

static void
skip_blank(struct fast *f)
{
	const char *p = f->at, *end = f->end;

	while (p < end && blank[(unsigned char)*p])
		if (*p++ == '\n' && end - p >= 8) /* a deep indent */
			p += swar_before(swar_other(swar_load(p), ' '));
	f->at = p;
}

/* Bytes from p on that stand for themselves in a string, and are ASCII. */
static const char *
skip_plain(const char *p, const char *end)
{
	while (end - p >= 8) {
		uint64_t x = swar_load(p);

		x = swar_equal(x, '"') | swar_equal(x, '\\') |
		    swar_below(x, 0x20) | swar_high(x);
		p += swar_before(x);
		if (x)
			break;
	}
	while (p < end && *p != '"' && *p != '\\' &&
	       (unsigned char)(*p - 0x20) < 0x60)
		p++;
	return p;
}

/* The four hex digits at p, or -1. */
static int
hex4(const char *p, const char *end)
{
	int n = 0;

	if (end - p < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		char c = p[i];

		n <<= 4;
		if (c >= '0' && c <= '9')
			n += c - '0';
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			n += (c | 32) - 'a' + 10;
		else
			return -1;
	}
	return n;
}

/*
 * The character that \uXXXX at p, and the other half of a pair after it, stand
 * for; *len is how long that is, 0 if it is none. Half a pair is U+FFFD.
 */
static uint32_t
escaped(const char *p, const char *end, size_t *len)
{
	int high = hex4(p + 2, end), low;

	*len = high < 0 ? 0 : 6;
	if (high <= 0 || (high >= 0xdc00 && high <= 0xdfff))
		return 0xfffd;
	if (high < 0xd800 || high > 0xdfff)
		return (uint32_t)high;
	if (end - p < 12 || p[6] != '\\' || p[7] != 'u')
		return 0xfffd;
	low = hex4(p + 8, end);
	if (low < 0xdc00 || low > 0xdfff)
		return 0xfffd;
	*len = 12;
	return 0x10000U + (((uint32_t)high - 0xd800) << 10) +
	       ((uint32_t)low - 0xdc00);
}

/* Copy a string's bytes with its escapes undone; false if one is wrong. */
static bool
decode(char *to, const char *p, const char *end)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	size_t len;

	while (p < end) {
		const char *simple;

		if (*p != '\\') {
			*to++ = *p++;
			continue;
		}
		if (p[1] == 'u') {
			uint32_t c = escaped(p, end, &len);

			if (!len)
				return false;
			to += utf8_put(to, c);
			p += len;
			continue;
		}
		simple = memchr(from, p[1], sizeof(from) - 1);
		if (!simple)
			return false;
		*to++ = into[simple - from];
		p += 2;
	}
	*to = '\0';
	return true;
}

/* The string whose first quote is at `at`; NULL if it is not a plain one. */
static const char *
string(struct fast *f)
{
	const char *start = f->at + 1, *p = start;
	bool escapes = false;
	uint32_t c;
	size_t len;
	char *text;

	while ((p = skip_plain(p, f->end)) < f->end && *p != '"') {
		if (*p == '\\') {
			escapes = true;
			p += 2;
			continue;
		}
		if ((unsigned char)*p < 0x20)
			return NULL;
		p += utf8_next(p, (size_t)(f->end - p), &c);
		if (c == UTF8_BAD)
			return NULL;
	}
	if (p >= f->end)
		return NULL;
	f->at = p + 1;
	len = (size_t)(p - start);
	text = json_doc_new(f->doc, len + 1);
	if (escapes)
		return decode(text, start, p) ? text : NULL;
	memcpy(text, start, len);
	text[len] = '\0';
	return text;
}

static const char *
digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* The end of the number at p; p itself if it is none. */
static const char *
number_end(const char *p, const char *end)
{
	const char *start = p, *q;

	if (p < end && *p == '-')
		p++;
	q = digits(p, end);
	if (q == p || (*p == '0' && q - p > 1))
		return start;
	if (q < end && *q == '.') {
		p = q + 1;
		if ((q = digits(p, end)) == p)
			return start;
	}
	if (q < end && (*q == 'e' || *q == 'E')) {
		p = q + 1;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if ((q = digits(p, end)) == p)
			return start;
	}
	return q;
}

static bool
number(struct fast *f, struct json *v)
{
	const char *end = number_end(f->at, f->end);
	size_t len = (size_t)(end - f->at);
	char *text;

	if (!len)
		return false;
	text = json_doc_new(f->doc, len + 1);
	memcpy(text, f->at, len);
	text[len] = '\0';
	v->kind = JSON_NUMBER;
	v->u.text = text;
	f->at = end;
	return true;
}

static bool
word(struct fast *f, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(f->end - f->at) < len || memcmp(f->at, text, len) != 0)
		return false;
	f->at += len;
	return true;
}

static bool
container(struct fast *f, struct json *v, enum json_kind kind)
{
	if (f->depth == JSON_DEPTH)
		return false;
	v->kind = kind;
	v->u.first = NULL;
	f->open[f->depth] = v;
	f->tail[f->depth++] = &v->u.first;
	f->at++;
	return true;
}

/* The value at `at`, or only the beginning of a container. */
static bool
value(struct fast *f, struct json *v)
{
	if (f->at == f->end)
		return false;
	switch (*f->at) {
	case '{': return container(f, v, JSON_OBJECT);
	case '[': return container(f, v, JSON_ARRAY);
	case '"':
		v->kind = JSON_STRING;
		v->u.text = string(f);
		return v->u.text != NULL;
	case 't':
		v->kind = JSON_BOOL;
		v->count = 1;
		return word(f, "true");
	case 'f': v->kind = JSON_BOOL; return word(f, "false");
	case 'n': v->kind = JSON_NULL; return word(f, "null");
	default: return number(f, v);
	}
}

/* The key of a member, up to its value. */
static const char *
key(struct fast *f)
{
	const char *text;

	if (f->at == f->end || *f->at != '"' || !(text = string(f)))
		return NULL;
	skip_blank(f);
	if (f->at == f->end || *f->at++ != ':')
		return NULL;
	skip_blank(f);
	return text;
}

/* The next item or member of the innermost container, or its end. */
static bool
step(struct fast *f)
{
	struct json *in = f->open[f->depth - 1], *v;
	bool object = in->kind == JSON_OBJECT;
	const char *name = NULL;

	skip_blank(f);
	if (f->at == f->end)
		return false;
	if (*f->at == (object ? '}' : ']')) {
		f->at++;
		f->depth--;
		return true;
	}
	if (in->count) {
		if (*f->at++ != ',')
			return false;
		skip_blank(f);
	}
	if (object && !(name = key(f)))
		return false;
	v = json_doc_new(f->doc, sizeof(*v));
	*v = (struct json){.key = name};
	*f->tail[f->depth - 1] = v;
	f->tail[f->depth - 1] = &v->next;
	in->count++;
	return value(f, v);
}

int
json_fast(struct json_doc *d, const char *text, size_t len)
{
	struct fast f;

	f.doc = d; /* the rest is set as it is needed */
	f.at = text;
	f.end = text + len;
	f.depth = 0;
	skip_blank(&f);
	if (!value(&f, &d->root))
		return -1;
	while (f.depth)
		if (!step(&f))
			return -1;
	skip_blank(&f);
	return f.at == f.end ? 0 : -1;
}
