#include "record/event.h"

#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "core/buf.h"
#include "core/clock.h"
#include "core/err.h"

/* Where we are in a line, and what is wrong with it. */
struct head {
	const char *at, *end;
	const char *wrong; /* the first fault */
};

enum {
	HAS_TYPE = 1,
	HAS_SHARD = 2,
	HAS_NUMBER = 4,
	HAS_NAME = 8,
	HAS_AT = 16,
	HAS_ALL = 31, /* the sequence may be missing */
};

/* A text of ours: it needs no escapes. */
struct slice {
	const char *text;
	size_t len;
};

static int
fail(struct head *h, const char *why)
{
	if (!h->wrong)
		h->wrong = why;
	return -1;
}

static void
skip_blank(struct head *h)
{
	while (h->at < h->end && (*h->at == ' ' || *h->at == '\t'))
		h->at++;
}

static bool
take(struct head *h, char c)
{
	skip_blank(h);
	if (h->at == h->end || *h->at != c)
		return false;
	h->at++;
	return true;
}

static int
take_text(struct head *h, struct slice *s)
{
	const char *quote;

	*s = (struct slice){"", 0};
	if (!take(h, '"'))
		return fail(h, "a text is missing");
	quote = memchr(h->at, '"', (size_t)(h->end - h->at));
	if (!quote)
		return fail(h, "a text has no end");
	*s = (struct slice){h->at, (size_t)(quote - h->at)};
	if (memchr(s->text, '\\', s->len))
		return fail(h, "an escape before the data");
	h->at = quote + 1;
	return 0;
}

static int
take_number(struct head *h, int64_t most, int64_t *n)
{
	const char *from;

	skip_blank(h);
	from = h->at;
	for (*n = 0; h->at < h->end && *h->at >= '0' && *h->at <= '9'; h->at++)
		if (*n > (most - (*h->at - '0')) / 10)
			return fail(h, "a number is too large");
		else
			*n = *n * 10 + (*h->at - '0');
	return h->at > from ? 0 : fail(h, "a number is missing");
}

static bool
is(const struct slice *s, const char *word)
{
	return strlen(word) == s->len && memcmp(s->text, word, s->len) == 0;
}

static bool
is_name(const char *text, size_t len)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
				      "abcdefghijklmnopqrstuvwxyz";

	return len && len <= EVENT_NAME_MAX && strspn(text, letters) >= len;
}

static int
take_name(struct head *h, struct event *x)
{
	struct slice s;

	if (take_text(h, &s) < 0)
		return -1;
	if (!is_name(s.text, s.len))
		return fail(h, "its name is none");
	memcpy(x->name, s.text, s.len);
	x->name[s.len] = '\0';
	return 0;
}

static int
take_time(struct head *h, struct event *x)
{
	char text[CLOCK_TEXT + 16];
	struct slice s;

	if (take_text(h, &s) < 0)
		return -1;
	if (s.len >= sizeof(text))
		return fail(h, "its time is none");
	memcpy(text, s.text, s.len);
	text[s.len] = '\0';
	return clock_parse(&x->at_ms, text) < 0 ? fail(h, "its time is none")
						: 0;
}

static int
take_type(struct head *h)
{
	struct slice s;

	if (take_text(h, &s) < 0)
		return -1;
	return is(&s, "event") ? 0 : fail(h, "its type is another");
}

static int
take_shard(struct head *h, struct event *x)
{
	int64_t n;

	if (take_number(h, INT_MAX, &n) < 0)
		return -1;
	x->shard = (int)n;
	return 0;
}

/* A field that nobody knows: a text, a number or a word. */
static int
pass_over(struct head *h)
{
	struct slice s;

	skip_blank(h);
	if (h->at < h->end && *h->at == '"')
		return take_text(h, &s);
	while (h->at < h->end && *h->at != ',' && *h->at != '}' &&
	       *h->at != '{' && *h->at != '[')
		h->at++;
	return 0;
}

/* The value of a key: the bit of what it was, 0 if nobody knows it, or -1. */
static int
take_value(struct head *h, const struct slice *key, struct event *x)
{
	if (is(key, "type"))
		return take_type(h) < 0 ? -1 : HAS_TYPE;
	if (is(key, "shard"))
		return take_shard(h, x) < 0 ? -1 : HAS_SHARD;
	if (is(key, "number"))
		return take_number(h, INT64_MAX, &x->number) < 0 ? -1
								 : HAS_NUMBER;
	if (is(key, "name"))
		return take_name(h, x) < 0 ? -1 : HAS_NAME;
	if (is(key, "at"))
		return take_time(h, x) < 0 ? -1 : HAS_AT;
	if (is(key, "sequence"))
		return take_number(h, INT64_MAX, &x->sequence);
	return pass_over(h);
}

/* What is left is the data and the record's last brace. */
static int
take_data(struct head *h, struct event *x)
{
	const char *end = h->end;

	skip_blank(h);
	while (end > h->at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	if (end - h->at < 2 || end[-1] != '}')
		return fail(h, "it is cut off");
	x->data = h->at;
	x->data_len = (size_t)(end - 1 - h->at);
	return 0;
}

static int
take_all(struct head *h, struct event *x)
{
	struct slice key;
	int has = 0, got;

	if (!take(h, '{'))
		return fail(h, "it is no object");
	for (;;) {
		if (take_text(h, &key) < 0)
			return -1;
		if (!take(h, ':'))
			return fail(h, "a colon is missing");
		if (is(&key, "data"))
			break;
		if ((got = take_value(h, &key, x)) < 0)
			return -1;
		has |= got;
		if (!take(h, ','))
			return fail(h, "there is no data");
	}
	if (has != HAS_ALL)
		return fail(h, "a field before the data is missing");
	return take_data(h, x);
}

int
event_read(struct event *x, const char *line, size_t len, struct err *e)
{
	struct head h = {.at = line, .end = line + len};

	*x = (struct event){0};
	if (take_all(&h, x) == 0)
		return 0;
	return err_set(e, ERR_INPUT, "no event: %s", h.wrong);
}

int
event_head(struct buf *b, const struct event *x, struct err *e)
{
	char at[CLOCK_TEXT];

	if (!is_name(x->name, strlen(x->name)))
		return err_set(e, ERR_INPUT, "an event can't be called '%.64s'",
		    x->name);
	clock_text(at, x->at_ms);
	buf_fmt(b,
	    "{\"type\":\"event\",\"shard\":%d,\"number\":%" PRId64
	    ",\"name\":\"%s\",\"sequence\":%" PRId64 ",\"at\":\"%s\",\"data\":",
	    x->shard, x->number, x->name, x->sequence, at);
	return 0;
}

void
event_write(struct buf *b, const struct event *x)
{
	const char *at = x->data, *end = x->data + x->data_len;
	struct err never;

	if (event_head(b, x, &never) < 0)
		return;
	while (at < end) {
		size_t n = 0;

		while (at + n < end && at[n] != '\n' && at[n] != '\r')
			n++;
		buf_add(b, at, n);
		at += n + 1;
	}
	buf_str(b, "}\n");
}
