#define _GNU_SOURCE /* memmem */
#include "store/wipe.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ext/json.h"
#include "store/tombstone.h"

/* An object that is open: where it began, and what is known of it. */
struct open {
	size_t at; /* behind its brace */
	bool array, buried, spoken;
};

struct scan {
	const char *text;
	size_t len, at;
	const struct graves *graves;
	struct open open[JSON_DEPTH + 1];
	size_t depth;
	const char *key; /* of the value that follows, in an object */
	size_t key_len;
	struct wipe_span *spans;
	size_t count;
	bool bad;
};

static bool
is(const struct scan *s, const char *key)
{
	return s->key && s->key_len == strlen(key) &&
	       memcmp(s->key, key, s->key_len) == 0;
}

/* Move behind a text; its bytes without the quotes. */
static const char *
take_text(struct scan *s, size_t *len)
{
	const char *from = s->text + ++s->at;

	while (s->at < s->len && s->text[s->at] != '"')
		s->at += s->text[s->at] == '\\' ? 2 : 1;
	if (s->at >= s->len) {
		s->bad = true;
		return NULL;
	}
	*len = (size_t)(s->text + s->at++ - from);
	return from;
}

static bool
is_grave(const struct scan *s, enum grave_kind kind, const char *text,
    size_t len)
{
	char id[24];

	if (!len || len >= sizeof(id))
		return false;
	memcpy(id, text, len);
	id[len] = '\0';
	return strspn(id, "0123456789") == len &&
	       graves_hold(s->graves, kind, strtoull(id, NULL, 10));
}

static void
take_value(struct scan *s, const char *text, size_t len)
{
	struct open *o = &s->open[s->depth - 1];

	if ((is(s, "id") && is_grave(s, GRAVE_MESSAGE, text, len)) ||
	    (is(s, "channel_id") && is_grave(s, GRAVE_CHANNEL, text, len)))
		o->buried = true;
	if (is(s, "content"))
		o->spoken = true;
}

/* A text is a key if a colon follows. */
static void
on_text(struct scan *s)
{
	size_t len = 0, at;
	const char *text = take_text(s, &len);

	if (!text || !s->depth || s->open[s->depth - 1].array)
		return;
	for (at = s->at; at < s->len && strchr(" \t\r\n", s->text[at]); at++)
		;
	if (!s->key && at < s->len && s->text[at] == ':') {
		s->key = text;
		s->key_len = len;
		s->at = at + 1;
		return;
	}
	take_value(s, text, len);
	s->key = NULL;
}

static void
on_open(struct scan *s, bool array)
{
	if (s->depth && is(s, "author"))
		s->open[s->depth - 1].spoken = true;
	s->key = NULL;
	if (s->depth > JSON_DEPTH) {
		s->bad = true;
		return;
	}
	s->open[s->depth++] = (struct open){.at = ++s->at, .array = array};
}

static void
on_close(struct scan *s)
{
	const struct open *o;

	s->key = NULL;
	if (!s->depth) {
		s->bad = true;
		return;
	}
	o = &s->open[--s->depth];
	if (o->buried && o->spoken) {
		while (s->count && s->spans[s->count - 1].at >= o->at)
			s->count--; /* all of it lies within */
		if (s->count == WIPE_SPANS)
			s->bad = true;
		else
			s->spans[s->count++] = (struct wipe_span){.at = o->at,
			    .len = s->at - o->at};
	}
	s->at++;
}

/* The number after a key, or 0. */
static uint64_t
number_at(const char *at, const char *end)
{
	while (at < end && strchr(" :\"", *at))
		at++;
	return at < end ? strtoull(at, NULL, 10) : 0;
}

/* Cheaper than to look at every byte: is an id in it at all? */
static bool
may_hold(const char *text, size_t len, const struct graves *g)
{
	static const char *const keys[GRAVE_KINDS] = {"\"id\"",
	    "\"channel_id\""};
	const char *const end = text + len;

	for (int kind = 0; kind < GRAVE_KINDS; kind++) {
		const size_t n = strlen(keys[kind]);
		const char *at = text;

		while ((at = memmem(at, (size_t)(end - at), keys[kind], n))) {
			at += n;
			if (graves_hold(g, (enum grave_kind)kind,
				number_at(at, end)))
				return true;
		}
	}
	return false;
}

size_t
wipe_find(struct wipe_span spans[WIPE_SPANS], const char *text, size_t len,
    const struct graves *g)
{
	struct scan s = {.text = text, .len = len, .graves = g, .spans = spans};

	if (!may_hold(text, len, g))
		return 0;
	while (s.at < len && !s.bad) {
		switch (text[s.at]) {
		case '"': on_text(&s); break;
		case '{': on_open(&s, false); break;
		case '[': on_open(&s, true); break;
		case '}':
		case ']': on_close(&s); break;
		case ',':
			s.key = NULL;
			s.at++;
			break;
		default: s.at++;
		}
	}
	return s.bad || s.depth ? 0 : s.count;
}
