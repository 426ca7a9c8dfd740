#include "model/sse.h"

#include <string.h>

#include "core/err.h"

static int
dispatch(struct sse *s, sse_fn *each, void *ctx, struct err *e)
{
	int result = 0;

	if (s->has_data)
		result = each(ctx, buf_text(&s->name), buf_text(&s->data),
		    s->data.len, e);
	buf_clear(&s->name);
	buf_clear(&s->data);
	s->has_data = false;
	return result;
}

static void
add_data(struct sse *s, const char *value, size_t len)
{
	if (len && value[0] == ':') /* a comment, wrapped by a gateway */
		return;
	if (s->has_data)
		buf_char(&s->data, '\n');
	buf_add(&s->data, value, len);
	s->has_data = true;
}

static bool
field_is(const char *line, size_t len, const char *name)
{
	return len == strlen(name) && memcmp(line, name, len) == 0;
}

/* Take one line, which has no end of line; an empty one ends an event. */
static int
take_line(struct sse *s, sse_fn *each, void *ctx, struct err *e)
{
	const char *line = buf_text(&s->line), *colon;
	size_t len = s->line.len, name, from;

	if (len == 0)
		return dispatch(s, each, ctx, e);
	colon = memchr(line, ':', len);
	name = colon ? (size_t)(colon - line) : len;
	from = colon ? name + 1 : len;
	if (from < len && line[from] == ' ')
		from++;
	if (field_is(line, name, "data"))
		add_data(s, line + from, len - from);
	else if (field_is(line, name, "event")) {
		buf_clear(&s->name);
		buf_add(&s->name, line + from, len - from);
	}
	buf_clear(&s->line);
	return 0;
}

/* The mark is three bytes, and they may come one by one. */
static void
skip_mark(struct sse *s)
{
	if (!s->started && s->line.len >= 3 &&
	    memcmp(s->line.data, "\xef\xbb\xbf", 3) == 0)
		buf_drop(&s->line, 3);
	s->started = true;
}

static int
check_room(const struct sse *s, struct err *e)
{
	if (!s->line.full && !s->data.full && !s->name.full)
		return 0;
	return err_set(e, ERR_INPUT,
	    "an event of the stream is longer than %d bytes", SSE_EVENT_MAX);
}

int
sse_feed(struct sse *s, const char *bytes, size_t len, sse_fn *each, void *ctx,
    struct err *e)
{
	s->line.limit = s->name.limit = s->data.limit = SSE_EVENT_MAX;
	while (len) {
		size_t n = 0;

		if (s->after_cr && *bytes == '\n') {
			bytes++;
			len--;
		}
		s->after_cr = false;
		while (n < len && bytes[n] != '\n' && bytes[n] != '\r')
			n++;
		buf_add(&s->line, bytes, n);
		if (n == len)
			return check_room(s, e);
		s->after_cr = bytes[n] == '\r';
		bytes += n + 1;
		len -= n + 1;
		skip_mark(s);
		if (take_line(s, each, ctx, e) < 0 || check_room(s, e) < 0)
			return -1;
	}
	return 0;
}

int
sse_end(struct sse *s, sse_fn *each, void *ctx, struct err *e)
{
	skip_mark(s);
	if (s->line.len && take_line(s, each, ctx, e) < 0)
		return -1;
	return dispatch(s, each, ctx, e);
}

void
sse_release(struct sse *s)
{
	buf_release(&s->line);
	buf_release(&s->name);
	buf_release(&s->data);
	*s = (struct sse){0};
}
