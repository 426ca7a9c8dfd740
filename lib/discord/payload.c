#include "discord/payload.h"

#include <string.h>

#include "core/err.h"
#include "core/swar.h"

enum { DEPTH = 64, DIGITS = 15 };

/* What ends a number or a word. */
enum { SPACE = 1, MARK };

static const unsigned char kinds[256] = {
    [' '] = SPACE,
    ['\t'] = SPACE,
    ['\r'] = SPACE,
    ['\n'] = SPACE,
    [','] = MARK,
    [':'] = MARK,
    ['['] = MARK,
    [']'] = MARK,
    ['{'] = MARK,
    ['}'] = MARK,
    ['"'] = MARK,
};

struct scan {
	const char *from, *at, *end;
	const char *why; /* it failed there, or NULL */
};

static bool
fail(struct scan *s, const char *why)
{
	if (!s->why)
		s->why = why;
	return false;
}

static void
skip_space(struct scan *s)
{
	while (s->at < s->end && kinds[(unsigned char)*s->at] == SPACE)
		s->at++;
}

/* Whether the next byte, past any space, is c; then it is passed. */
static bool
take(struct scan *s, char c)
{
	skip_space(s);
	if (s->at == s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

/* To the next quote, backslash or control character of a string. */
static void
skip_plain(struct scan *s)
{
	while (s->end - s->at >= 8) {
		uint64_t x = swar_load(s->at);
		uint64_t found = swar_equal(x, '"') | swar_equal(x, '\\') |
				 swar_below(x, ' ');

		s->at += swar_before(found);
		if (found)
			return;
	}
}

/* The rest of a string whose quote was passed. */
static bool
skip_string(struct scan *s)
{
	while (s->at < s->end) {
		skip_plain(s);
		if (s->at == s->end)
			break;
		if ((unsigned char)*s->at < ' ')
			return fail(s, "a control character in a string");
		if (*s->at == '"') {
			s->at++;
			return true;
		}
		s->at += *s->at == '\\' && s->end - s->at > 1 ? 2 : 1;
	}
	return fail(s, "a string without an end");
}

/* A number or a word. */
static bool
skip_word(struct scan *s)
{
	const char *from = s->at;

	while (s->at < s->end && !kinds[(unsigned char)*s->at]) {
		if ((unsigned char)*s->at <= ' ')
			return fail(s, "no JSON");
		s->at++;
	}
	return s->at > from || fail(s, "a value is missing");
}

/* What is inside brackets: a bit a level says whether it is an array. */
struct depth {
	uint64_t arrays;
	int levels;
};

static bool
step(struct scan *s, struct depth *d)
{
	const char c = *s->at;

	switch (c) {
	case '{':
	case '[':
		if (d->levels++ == DEPTH)
			return fail(s, "nested too deeply");
		d->arrays = d->arrays << 1 | (c == '[');
		s->at++;
		return true;
	case '}':
	case ']':
		if (!d->levels-- || (d->arrays & 1) != (c == ']'))
			return fail(s, "brackets don't match");
		d->arrays >>= 1;
		s->at++;
		return true;
	case '"': s->at++; return skip_string(s);
	case ',':
	case ':':
		if (!d->levels)
			return fail(s, "a value is missing");
		s->at++;
		return true;
	default: return skip_word(s);
	}
}

static bool
skip_value(struct scan *s)
{
	struct depth d = {0};

	do {
		skip_space(s);
		if (s->at == s->end)
			return fail(s, "it ends too soon");
		if (!step(s, &d))
			return false;
	} while (d.levels);
	return true;
}

/* A whole number; false for anything else. */
static bool
whole(const char *text, size_t len, int64_t *n)
{
	if (!len || len > DIGITS)
		return false;
	*n = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*n = *n * 10 + (text[i] - '0');
	}
	return true;
}

static bool
is_null(const char *text, size_t len)
{
	return len == 4 && memcmp(text, "null", 4) == 0;
}

static bool
read_name(struct payload *p, const char *text, size_t len)
{
	p->name[0] = '\0';
	if (is_null(text, len))
		return true;
	if (len < 2 || *text != '"' || len - 2 >= PAYLOAD_NAME)
		return false;
	len -= 2;
	memcpy(p->name, text + 1, len);
	p->name[len] = '\0';
	return strspn(p->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == len;
}

static bool
read_op(struct payload *p, const char *text, size_t len)
{
	int64_t op;

	if (!whole(text, len, &op) || op > 1000)
		return false;
	p->op = (int)op;
	return true;
}

static bool
read_sequence(struct payload *p, const char *text, size_t len)
{
	p->numbered = !is_null(text, len);
	return !p->numbered || whole(text, len, &p->sequence);
}

static bool
read_data(struct payload *p, const char *text, size_t len)
{
	p->data = text;
	p->len = len;
	return true;
}

/* The member whose key is the one given; others are passed over. */
static bool
keep(struct payload *p, const char *key, size_t key_len, const char *text,
    size_t len)
{
	static const struct {
		const char *key;
		bool (*read)(struct payload *p, const char *text, size_t len);
	} members[] = {
	    {"d", read_data},
	    {"op", read_op},
	    {"s", read_sequence},
	    {"t", read_name},
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (key_len == strlen(members[i].key) &&
		    memcmp(key, members[i].key, key_len) == 0)
			return members[i].read(p, text, len);
	return true;
}

static bool
read_member(struct scan *s, struct payload *p)
{
	const char *key, *value;
	size_t key_len;

	if (!take(s, '"'))
		return fail(s, "a key is missing");
	key = s->at;
	if (!skip_string(s))
		return false;
	key_len = (size_t)(s->at - key) - 1;
	if (!take(s, ':'))
		return fail(s, "a colon is missing");
	skip_space(s);
	value = s->at;
	if (!skip_value(s))
		return false;
	if (keep(p, key, key_len, value, (size_t)(s->at - value)))
		return true;
	s->at = value;
	return fail(s, "op, s or t is not what it should be");
}

static bool
read_members(struct scan *s, struct payload *p)
{
	if (!take(s, '{'))
		return fail(s, "it is no object");
	if (!take(s, '}')) {
		do {
			if (!read_member(s, p))
				return false;
		} while (take(s, ','));
		if (!take(s, '}'))
			return fail(s, "a bracket is missing");
	}
	skip_space(s);
	return s->at == s->end || fail(s, "more follows it");
}

int
payload_read(struct payload *p, const char *text, size_t len, struct err *e)
{
	struct scan s = {text, text, text + len, NULL};

	*p = (struct payload){.op = -1, .data = "null", .len = 4};
	if (read_members(&s, p)) {
		if (p->op < 0)
			fail(&s, "op is missing");
		else if (p->op == OP_DISPATCH && !p->name[0])
			fail(&s, "an event without a name");
	}
	return s.why ? err_set(e, ERR_INPUT, "a bad payload, byte %zu: %s",
			   (size_t)(s.at - s.from), s.why)
		     : 0;
}

size_t
payload_flatten(char *text, size_t len)
{
	size_t kept;

	if (!memchr(text, '\n', len) && !memchr(text, '\r', len))
		return len;
	kept = 0;
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n' && text[i] != '\r')
			text[kept++] = text[i];
	return kept;
}
