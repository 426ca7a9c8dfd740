#include "discord/splitter.h"

#include <stdbool.h>

#include "core/err.h"
#include "core/utf8.h"

enum { CLOSING = 4 }; /* "\n```" */

/* What one part could hold, from its first shown byte on. */
struct reach {
	size_t from;  /* that byte */
	size_t units; /* up to the last one that is not blank */
	size_t last[BREAK_PARAGRAPH + 1]; /* place of this mark or a better */
	size_t full[BREAK_PARAGRAPH + 1]; /* the units it leaves in the part */
	bool all;                         /* the text ends in reach */
};

void
splitter_start(struct splitter *s, const char *text, size_t len, size_t most)
{
	s->text = text;
	s->len = len;
	s->at = 0;
	s->most = most < SPLITTER_LEAST ? SPLITTER_LEAST : most;
	breaks_find(&s->breaks, text, len, s->most);
	grapheme_start(&s->grapheme, text, len);
}

static bool
blank_at(const struct splitter *s, size_t at, size_t *n, uint32_t *cp)
{
	bool holds;

	*n = utf8_next(s->text + at, s->len - at, cp);
	return breaks_blank(*cp, &holds);
}

/* Where the part's shown text begins. */
static size_t
skip_blank(const struct splitter *s)
{
	size_t at = s->at, n;
	uint32_t cp;

	while (at < s->len && !breaks_code_at(&s->breaks, at) &&
	       blank_at(s, at, &n, &cp))
		at += n;
	return at;
}

static void
note(struct reach *r, int mark, size_t at, size_t units)
{
	for (int i = BREAK_NEVER; i <= mark; i++) {
		r->last[i] = at;
		r->full[i] = units;
	}
}

static size_t
opening(const struct breaks_code *c)
{
	return c ? 3 + c->language + 1 : 0;
}

/* Walk from the first byte until the part is full. */
static void
look(const struct splitter *s, struct reach *r)
{
	size_t at = r->from, n, units,
	       all = opening(breaks_code_at(&s->breaks, at));
	uint32_t cp;

	units = all;
	while (at < s->len) {
		bool blank = blank_at(s, at, &n, &cp);

		all += cp != UTF8_BAD && cp > 0xffff ? 2 : 1;
		at += n;
		if (!blank || breaks_code_at(&s->breaks, at))
			units = all;
		if (units > s->most)
			return;
		if (units + (breaks_code_at(&s->breaks, at) ? CLOSING : 0) >
		    s->most)
			continue;
		if (at < s->len)
			note(r, (unsigned char)s->breaks.marks.data[at], at,
			    units);
		else
			r->all = true;
	}
}

/* The last place that doesn't split what a reader takes for one letter. */
static int
between_letters(struct splitter *s, const struct reach *r, size_t *at,
    enum breaks_mark least, struct err *e)
{
	for (size_t i = r->last[least]; i > r->from; i--) {
		int edge;

		if (s->breaks.marks.data[i] < (char)least)
			continue;
		edge = grapheme_edge(&s->grapheme, i, e);
		if (edge < 0)
			return -1;
		if (edge) {
			*at = i;
			return 1;
		}
	}
	return 0;
}

static bool
good(const struct splitter *s, const struct reach *r, int mark)
{
	size_t least = s->most / (mark == BREAK_SENTENCE  ? 2
				     : mark == BREAK_WORD ? 8
							  : 3);

	return r->last[mark] > r->from && r->full[mark] >= least;
}

/* Where to end a part that the rest of the text doesn't fit in. */
static int
choose(struct splitter *s, const struct reach *r, size_t *at, struct err *e)
{
	int rc = 0;

	for (int i = BREAK_PARAGRAPH; i >= BREAK_WORD; i--) {
		if (!good(s, r, i))
			continue;
		*at = r->last[i];
		rc = grapheme_edge(&s->grapheme, *at, e);
		if (rc != 0)
			return rc;
	}
	rc = between_letters(s, r, at, BREAK_CHAR, e);
	if (rc == 0)
		rc = between_letters(s, r, at, BREAK_KEPT, e);
	if (rc == 0) { /* a letter that is longer than a message */
		*at = r->last[BREAK_KEPT];
		rc = 1;
	}
	return rc;
}

static void
build(struct splitter *s, size_t from, size_t to, struct splitter_part *p)
{
	const struct breaks_code *in = breaks_code_at(&s->breaks, from);
	const struct breaks_code *out = breaks_code_at(&s->breaks, to);
	size_t end = to, n;
	uint32_t cp;

	buf_clear(&s->out);
	if (in) {
		buf_str(&s->out, "```");
		buf_add(&s->out, s->text + in->open + 3, in->language);
		buf_char(&s->out, '\n');
	}
	p->opened = s->out.len;
	if (!out) {
		end = from;
		for (size_t i = from; i < to; i += n)
			if (!blank_at(s, i, &n, &cp) ||
			    breaks_code_at(&s->breaks, i))
				end = i + n;
	}
	buf_add(&s->out, s->text + from, end - from);
	p->closed = s->out.len;
	if (out)
		buf_str(&s->out, s->text[to - 1] == '\n' ? "```" : "\n```");
	p->closed = s->out.len - p->closed;
	p->text = buf_text(&s->out);
	p->len = s->out.len;
}

int
splitter_next(struct splitter *s, struct splitter_part *p, struct err *e)
{
	struct reach r = {.from = skip_blank(s)};
	size_t to = s->len;

	if (r.from >= s->len)
		return 0;
	look(s, &r);
	if (!r.all && choose(s, &r, &to, e) < 0)
		return -1;
	build(s, r.from, to, p);
	p->from = s->at;
	p->to = s->at = to;
	/* What is left may be blank: it belongs to this part. */
	if (skip_blank(s) >= s->len)
		p->to = s->at = s->len;
	return 1;
}

void
splitter_release(struct splitter *s)
{
	breaks_release(&s->breaks);
	grapheme_release(&s->grapheme);
	buf_release(&s->out);
	*s = (struct splitter){0};
}
