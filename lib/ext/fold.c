#include "ext/fold.h"

#include <stdlib.h>

#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "core/utf8.h"

/* What Unicode does not decompose, but readers take for the same. */
static const struct {
	UChar32 from;
	const char *to;
} spelled[] = {{0x00e6, "ae"}, {0x00f0, "d"}, {0x00f8, "o"}, {0x00fe, "th"},
    {0x0111, "d"}, {0x0127, "h"}, {0x0131, "i"}, {0x0142, "l"}, {0x014b, "n"},
    {0x0153, "oe"}, {0x0167, "t"}, {0x02bc, "'"}, {0x0451, "\xd0\xb5"},
    {0x0622, "\xd8\xa7"}, {0x0623, "\xd8\xa7"}, {0x0625, "\xd8\xa7"},
    {0x0629, "\xd9\x87"}, {0x0640, ""}, {0x0649, "\xd9\x8a"},
    {0x0671, "\xd8\xa7"}, {0x2010, "-"}, {0x2018, "'"}, {0x2019, "'"}};

static bool
is_ascii(const char *text, size_t len)
{
	unsigned char all = 0;
	size_t i;

	for (i = 0; i < len; i++)
		all |= (unsigned char)text[i];
	return all < 0x80;
}

static void
add_lower(struct buf *to, const char *text, size_t len)
{
	char *at = buf_room(to, len);
	size_t i;

	if (!at)
		return;
	for (i = 0; i < len; i++)
		at[i] = (char)(text[i] | (text[i] >= 'A' && text[i] <= 'Z')
					     << 5);
	buf_wrote(to, len);
}

static int
icu_error(struct err *e, const char *what, UErrorCode rc)
{
	return err_set(e, ERR_INTERNAL, "ICU: %s: %s", what, u_errorName(rc));
}

static void
need(UChar **p, int32_t *room, int32_t want)
{
	if (*room >= want)
		return;
	*p = mem_resize(*p, (size_t)want, sizeof **p);
	*room = want;
}

static int
open_folder(struct fold *f, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;

	if (f->decompose)
		return 0;
	f->casefold = unorm2_getNFKCCasefoldInstance(&rc);
	f->decompose = unorm2_getNFDInstance(&rc);
	if (U_SUCCESS(rc))
		return 0;
	f->decompose = NULL;
	return icu_error(e, "normalization", rc);
}

/* Leave the text, case-folded by ICU, in f->to; returns its length in units. */
static int32_t
casefold(struct fold *f, const char *text, size_t len, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;
	int32_t n = 0, i, out;

	need(&f->from, &f->from_room, (int32_t)len + 1);
	need(&f->to, &f->to_room, (int32_t)len + 64);
	u_strFromUTF8WithSub(f->from, f->from_room, &n, text, (int32_t)len,
	    0xfffd, NULL, &rc);
	for (i = 0; i < n; i++)
		if (f->from[i] == 0x200b) /* a word ends here: not ignorable */
			f->from[i] = ' ';
	out = unorm2_normalize(f->casefold, f->from, n, f->to, f->to_room, &rc);
	if (rc == U_BUFFER_OVERFLOW_ERROR) {
		rc = U_ZERO_ERROR;
		need(&f->to, &f->to_room, out + 1);
		out = unorm2_normalize(f->casefold, f->from, n, f->to,
		    f->to_room, &rc);
	}
	return U_FAILURE(rc) ? icu_error(e, "case folding", rc) : out;
}

/* The code point at *i, which moves past it (ICU's macros mix signs). */
static UChar32
next_point(const UChar *text, int32_t n, int32_t *i)
{
	UChar32 c = text[(*i)++];

	if (c < 0xd800 || c > 0xdbff || *i == n || text[*i] < 0xdc00 ||
	    text[*i] > 0xdfff)
		return c;
	return 0x10000 + ((c - 0xd800) << 10) + (text[(*i)++] - 0xdc00);
}

/* Combining marks of no script or of Hebrew and Arabic, and skin tones. */
static bool
is_dropped(UChar32 c)
{
	return (c >= 0x300 && c <= 0x36f) || (c >= 0x20d0 && c <= 0x20ff) ||
	       (c >= 0x1ab0 && c <= 0x1aff) || (c >= 0x1dc0 && c <= 0x1dff) ||
	       (c >= 0xfe20 && c <= 0xfe2f) ||
	       (c >= 0x591 && c <= 0x6ed &&
		   u_charType(c) == U_NON_SPACING_MARK) ||
	       (c >= 0x1f3fb && c <= 0x1f3ff);
}

static bool
may_have_accent(UChar32 c)
{
	return (c >= 0xc0 && c < 0x250) || (c >= 0x370 && c < 0x400) ||
	       (c >= 0x1e00 && c < 0x2000);
}

static const char *
spelling(UChar32 c)
{
	size_t i;

	for (i = 0; c < 0x2020 && i < sizeof spelled / sizeof *spelled; i++)
		if (c == spelled[i].from)
			return spelled[i].to;
	return is_dropped(c) ? "" : NULL;
}

/* Append one case-folded character, without what a reader would not miss. */
static void
add_plain(const struct fold *f, struct buf *to, UChar32 c)
{
	UErrorCode rc = U_ZERO_ERROR;
	const char *other = c < 0x80 ? NULL : spelling(c);
	UChar parts[32];
	int32_t n, i = 0;
	char *at;

	if (other) {
		buf_str(to, other);
		return;
	}
	if (may_have_accent(c)) {
		n = unorm2_getDecomposition(f->decompose, c, parts, 32, &rc);
		if (U_SUCCESS(rc) && n > 0)
			c = next_point(parts, n, &i);
	}
	if ((at = buf_room(to, 4)))
		buf_wrote(to, utf8_put(at, (uint32_t)c));
}

/* Scripts that write no space between words: ICU has dictionaries of these. */
static bool
runs_on(UChar32 c)
{
	return c >= 0xe00 &&
	       ((c < 0xf00) || (c >= 0x1000 && c < 0x10a0) ||
		   (c >= 0x1780 && c < 0x1800) || (c >= 0x3005 && c < 0x3008) ||
		   (c >= 0x3040 && c < 0x3100) || (c >= 0x31f0 && c < 0x3200) ||
		   (c >= 0x3400 && c < 0xa000) || (c >= 0xa9e0 && c < 0xaa00) ||
		   (c >= 0xaa60 && c < 0xaa80) || (c >= 0xf900 && c < 0xfb00) ||
		   (c >= 0x20000 && c < 0x40000));
}

static bool
any_runs_on(const UChar *text, int32_t n)
{
	int32_t i = 0;

	while (i < n)
		if (runs_on(next_point(text, n, &i)))
			return true;
	return false;
}

/* Let the iterator stand at the end of the first word of f->to. */
static int
start_words(struct fold *f, int32_t n, int32_t *edge, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;

	if (!f->words)
		f->words = ubrk_open(UBRK_WORD, "", NULL, 0, &rc);
	if (U_SUCCESS(rc))
		ubrk_setText(f->words, f->to, n, &rc);
	if (U_FAILURE(rc))
		return icu_error(e, "word boundaries", rc);
	*edge = ubrk_next(f->words);
	return 0;
}

void
fold_release(struct fold *f)
{
	if (f->words)
		ubrk_close(f->words);
	free(f->from);
	free(f->to);
	*f = (struct fold){0};
}

int
fold_text(struct fold *f, struct buf *to, const char *text, size_t len,
    bool split, struct err *e)
{
	int32_t n, i, next, edge = -1;
	UChar32 c, before = 0;

	if (is_ascii(text, len)) {
		add_lower(to, text, len);
		return 0;
	}
	if (open_folder(f, e) < 0 || (n = casefold(f, text, len, e)) < 0)
		return -1;
	if (split && any_runs_on(f->to, n) && start_words(f, n, &edge, e) < 0)
		return -1;
	for (i = next = 0; i < n; i = next) {
		c = next_point(f->to, n, &next);
		if (i == edge) {
			if (runs_on(c) || runs_on(before))
				buf_char(to, ' ');
			edge = ubrk_next(f->words);
		}
		add_plain(f, to, c);
		before = c;
	}
	return 0;
}
