#include "discord/breaks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "discord/span.h"

enum { FENCE = 3 };

/* One walk through a text. */
struct walk {
	const char *text;
	size_t len, most;
	unsigned char *marks;
	bool ended;  /* the last word ended a sentence */
	size_t line; /* where the line began */
};

bool
breaks_blank(uint32_t cp, bool *holds)
{
	*holds = cp == 0xa0 || cp == 0x2007 || cp == 0x202f;
	return cp == ' ' || (cp >= '\t' && cp <= '\r') ||
	       (cp >= 0x1c && cp <= 0x1f) || cp == 0x85 || cp == 0xa0 ||
	       cp == 0x1680 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x2028 ||
	       cp == 0x2029 || cp == 0x202f || cp == 0x205f || cp == 0x3000;
}

static const char *
find_fence(const char *text, const char *end)
{
	while (end - text >= FENCE) {
		text = memchr(text, '`', (size_t)(end - text));
		if (!text || end - text < FENCE)
			return NULL;
		if (text[1] == '`' && text[2] == '`')
			return text;
		text++;
	}
	return NULL;
}

/* Is there nothing but spaces before it in its line? */
static bool
begins_line(const char *text, size_t at)
{
	while (at && (text[at - 1] == ' ' || text[at - 1] == '\t'))
		at--;
	return at == 0 || text[at - 1] == '\n';
}

static size_t
language(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && n <= BREAKS_LANGUAGE &&
	       (isalnum((unsigned char)text[n]) || strchr("_+-.#", text[n])) &&
	       text[n])
		n++;
	return n <= BREAKS_LANGUAGE && n < len && text[n] == '\n' ? n : 0;
}

static bool
blank_lines(const char *text, size_t from, size_t to)
{
	while (from < to && text[from] == '\n')
		from++;
	return from >= to;
}

/* Note the block of code that the fence at open begins; false if none does. */
static bool
add_code(struct breaks *b, const char *text, size_t len, size_t open)
{
	size_t from = open + FENCE, first = from;
	const char *close;
	struct breaks_code c = {.open = open};

	while (first < len && text[first] == '\n')
		first++;
	close = first < len ? find_fence(text + first + 1, text + len) : NULL;
	if (!close && (!begins_line(text, open) || first >= len))
		return false;
	c.language = language(text + from, len - from);
	c.from = c.language ? from + c.language + 1 : from;
	c.to = close ? (size_t)(close - text) : len;
	c.end = close ? c.to + FENCE : len;
	if (blank_lines(text, c.from, c.to)) { /* of ```x\n```, x is the code */
		c.from = from;
		c.language = 0;
	}
	if (b->count == b->room) {
		b->room = b->room ? b->room * 2 : 8;
		b->code = mem_resize(b->code, b->room, sizeof(*b->code));
	}
	b->code[b->count++] = c;
	return true;
}

static size_t
backquotes(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && text[n] == '`')
		n++;
	return n;
}

static size_t
styled(const char *text, size_t len, size_t most)
{
	return span_styled(text, len < most / 2 ? len : most / 2);
}

static void
find_code(struct breaks *b, const char *text, size_t len, size_t most)
{
	size_t i = 0, n;

	while (i < len) {
		if (text[i] == '\\' && i + 1 < len && ispunct(text[i + 1])) {
			i += 2;
		} else if (text[i] != '`') {
			const char *next = memchr(text + i, '`', len - i);
			const char *mark = memchr(text + i, '\\', len - i);

			if (mark && (!next || mark < next))
				next = mark == text + i ? mark + 1 : mark;
			i = next ? (size_t)(next - text) : len;
		} else if ((n = backquotes(text + i, len - i)) < FENCE) {
			size_t whole = styled(text + i, len - i, most);

			i += whole ? whole : n;
		} else if (add_code(b, text, len, i)) {
			i = b->code[b->count - 1].end;
		} else {
			i += n;
		}
	}
}

static void
set(struct walk *w, size_t at, enum breaks_mark mark)
{
	if (at < w->len)
		w->marks[at] = (unsigned char)mark;
}

/* Nothing in (from, to) is to be broken. */
static void
keep(struct walk *w, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to && i < w->len; i++)
		if (w->marks[i] > BREAK_KEPT)
			w->marks[i] = BREAK_KEPT;
}

/* A mark in front of each character. */
static void
mark_letters(struct walk *w)
{
	uint32_t cp;

	memset(w->marks, BREAK_NEVER, w->len);
	for (size_t i = 0; i < w->len;
	     i += utf8_next(w->text + i, w->len - i, &cp))
		w->marks[i] = BREAK_CHAR;
}

static bool
heading(const char *line, size_t len)
{
	size_t n = 0;

	while (n < len && n < 4 && line[n] == '#')
		n++;
	return n && n < 4 && n < len && line[n] == ' ';
}

/* White space from `from` to `to`; the best place to break is after it. */
static void
mark_gap(struct walk *w, size_t from, size_t to, int lines, bool holds)
{
	enum breaks_mark mark = BREAK_WORD;
	bool announced = from > w->line &&
			 (w->text[from - 1] == ':' ||
			     heading(w->text + w->line, from - w->line));

	if (lines && !announced)
		mark = lines > 1 ? BREAK_PARAGRAPH : BREAK_LINE;
	else if (!lines && w->ended)
		mark = BREAK_SENTENCE;
	if (holds && !lines)
		mark = BREAK_CHAR;
	set(w, to, mark);
	if (lines)
		w->line = to;
	w->ended = false;
}

static bool
ends_sentence(uint32_t cp, bool *at_once)
{
	*at_once = cp == 0x3002 || cp == 0xff01 || cp == 0xff1f;
	return *at_once || cp == '.' || cp == '!' || cp == '?' || cp == 0x2026;
}

static bool
closes(uint32_t cp)
{
	return cp == ')' || cp == '"' || cp == '\'' || cp == ']' || cp == '*' ||
	       cp == '_' || cp == 0xbb || cp == 0x2019 || cp == 0x201d ||
	       cp == 0x300d;
}

/* The run of white space at `at`; returns where it ends. */
static size_t
gap(struct walk *w, size_t at, size_t end)
{
	bool hold, holds = true;
	size_t i = at, n;
	uint32_t cp;
	int lines = 0;

	for (; i < end; i += n) {
		n = utf8_next(w->text + i, end - i, &cp);
		if (!breaks_blank(cp, &hold))
			break;
		holds = holds && hold;
		lines += cp == '\n';
	}
	if (i > at)
		mark_gap(w, at, i, lines, holds);
	return i;
}

/* What belongs together from `at` on, in bytes; 0 for a letter as any other. */
static size_t
piece(const struct walk *w, size_t at, size_t to)
{
	size_t n = span_link(w->text + at, to - at);

	return n ? n : styled(w->text + at, to - at, w->most);
}

/* Text outside of code. */
static void
mark_text(struct walk *w, size_t from, size_t to)
{
	bool at_once = false;
	size_t i = from, n, kept;
	uint32_t cp;

	w->line = from;
	while (i < to) {
		if ((n = gap(w, i, to)) > i) {
			at_once = false;
			i = n;
			continue;
		}
		n = utf8_next(w->text + i, to - i, &cp);
		if (at_once && !closes(cp))
			set(w, i, BREAK_SENTENCE);
		if ((kept = piece(w, i, to)) > 0) {
			keep(w, i, i + kept);
			w->ended = at_once = false;
			n = kept;
		} else if (!closes(cp)) {
			w->ended = ends_sentence(cp, &at_once);
		}
		i += n;
	}
}

/* Code: best between its lines, never so that a block would be empty. */
static void
mark_code(struct walk *w, const struct breaks_code *c)
{
	const char *text = w->text;
	size_t first = c->from, last = c->to, n;

	for (size_t i = c->from; i < c->to; i += n) {
		n = span_link(text + i, c->to - i);
		if (n)
			keep(w, i, i + n);
		else if (text[i] == '\n')
			set(w, i + 1, BREAK_CODE_LINE);
		else if (text[i] == ' ' || text[i] == '\t')
			set(w, i + 1, BREAK_WORD);
		n = n ? n : 1;
	}
	while (first < c->to && text[first] == '\n')
		first++;
	while (last > first && text[last - 1] == '\n')
		last--;
	keep(w, c->open, first + 1);
	keep(w, last - (last > first), c->end);
}

void
breaks_find(struct breaks *b, const char *text, size_t len, size_t most)
{
	struct walk w = {.text = text, .len = len, .most = most};
	size_t from = 0;

	buf_clear(&b->marks);
	b->count = 0;
	w.marks = (unsigned char *)buf_room(&b->marks, len + 1);
	buf_wrote(&b->marks, len);
	mark_letters(&w);
	find_code(b, text, len, most);
	for (size_t i = 0; i < b->count; i++) {
		mark_text(&w, from, b->code[i].open);
		mark_code(&w, &b->code[i]);
		from = b->code[i].end;
	}
	mark_text(&w, from, len);
}

const struct breaks_code *
breaks_code_at(const struct breaks *b, size_t at)
{
	size_t low = 0, high = b->count;

	while (low < high) {
		size_t i = low + (high - low) / 2;

		if (at < b->code[i].from)
			high = i;
		else if (at > b->code[i].to)
			low = i + 1;
		else
			return &b->code[i];
	}
	return NULL;
}

void
breaks_release(struct breaks *b)
{
	buf_release(&b->marks);
	free(b->code);
	*b = (struct breaks){0};
}
