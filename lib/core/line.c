#include "core/line.h"

#include <inttypes.h>
#include <string.h>

char *
line_room(struct line *l, size_t len)
{
	buf_drop(&l->bytes, l->from);
	l->seen -= l->from;
	l->from = 0;
	return buf_room(&l->bytes, len);
}

void
line_wrote(struct line *l, size_t len)
{
	buf_wrote(&l->bytes, len);
}

static size_t
limit_of(const struct line *l)
{
	return l->limit ? l->limit : LINE_CEILING;
}

static int
refuse(const struct line *l, const char *why, struct err *e)
{
	return err_set(e, ERR_INPUT, "line %" PRId64 ": %s", l->number, why);
}

static int
too_long(const struct line *l, struct err *e)
{
	return err_set(e, ERR_INPUT, "line %" PRId64 ": longer than %zu bytes",
	    l->number, limit_of(l));
}

/* No newline in what there is: wait for it, unless this is too much already. */
static int
wait_for_more(struct line *l, struct err *e)
{
	bool over = !l->skipping && l->bytes.len - l->from > limit_of(l);

	if (over) {
		l->number++;
		l->skipping = true;
	}
	if (l->skipping) {
		buf_clear(&l->bytes);
		l->from = 0;
	}
	l->seen = l->bytes.len;
	return over ? too_long(l, e) : 0;
}

/*
 * The newline of the next line, and where that line starts; NULL if there is
 * none. The rest of a refused line is passed over.
 */
static char *
find_end(struct line *l, char **start)
{
	while (l->seen < l->bytes.len) {
		char *data = l->bytes.data;
		char *newline = memchr(data + l->seen, '\n',
		    l->bytes.len - l->seen);

		if (!newline)
			return NULL;
		*start = data + l->from;
		l->from = l->seen = (size_t)(newline - data) + 1;
		if (!l->skipping)
			return newline;
		l->skipping = false;
	}
	return NULL;
}

int
line_next(struct line *l, const char **text, size_t *len, struct err *e)
{
	char *start = NULL;
	char *newline = find_end(l, &start);

	if (!newline)
		return wait_for_more(l, e);
	l->number++;
	*len = (size_t)(newline - start);
	*newline = '\0';
	*text = start;
	if (*len > limit_of(l))
		return too_long(l, e);
	return memchr(start, '\0', *len) ? refuse(l, "a NUL byte in it", e) : 1;
}

int
line_end(struct line *l, struct err *e)
{
	bool cut = !l->skipping && l->bytes.len > l->from;

	buf_clear(&l->bytes);
	l->from = l->seen = 0;
	l->skipping = false;
	if (!cut)
		return 0;
	l->number++;
	return refuse(l, "cut off before its newline", e);
}

void
line_release(struct line *l)
{
	buf_release(&l->bytes);
	*l = (struct line){.limit = l->limit};
}
