#include "ext/measure.h"

#include <stdbool.h>
#include <stdint.h>

#include <unicode/utext.h>

#include "core/err.h"
#include "core/utf8.h"
#include "ext/text.h"

/* Code points, code units, lines: what needs no iterator. */
static void
count(struct text_size *size, const char *text, size_t len)
{
	uint32_t cp, before = 0;
	size_t i = 0;

	while (i < len) {
		i += utf8_next(text + i, len - i, &cp);
		size->points++;
		size->units += cp != UTF8_BAD && cp > 0xffff ? 2 : 1;
		if (cp == '\r' || (cp == '\n' && before != '\r'))
			size->lines++;
		before = cp;
	}
	if (len && before != '\n' && before != '\r')
		size->lines++;
}

/* Count what lies between boundaries, of a kind (rule status) from least. */
static int
pieces(UBreakIterator **it, UBreakIteratorType type, UText *text, int32_t least,
    uint64_t *n, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;

	if (!*it)
		*it = ubrk_open(type, "", NULL, 0, &rc);
	if (U_SUCCESS(rc))
		ubrk_setUText(*it, text, &rc);
	if (U_FAILURE(rc))
		return err_set(e, ERR_INTERNAL, "ICU: boundaries: %s",
		    u_errorName(rc));
	while (ubrk_next(*it) != UBRK_DONE)
		*n += ubrk_getRuleStatus(*it) >= least;
	return 0;
}

int
measure_text(struct measure *m, struct text_size *size, const char *text,
    size_t len, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;
	UText source = UTEXT_INITIALIZER;
	int result = -1;

	*size = (struct text_size){.bytes = len};
	count(size, text, len);
	utext_openUTF8(&source, text, (int64_t)len, &rc);
	if (U_FAILURE(rc)) {
		err_set(e, ERR_INTERNAL, "ICU: %s", u_errorName(rc));
		goto out;
	}
	if (pieces(&m->graphemes, UBRK_CHARACTER, &source, 0, &size->graphemes,
		e) < 0 ||
	    pieces(&m->words, UBRK_WORD, &source, UBRK_WORD_NONE_LIMIT,
		&size->words, e) < 0)
		goto out;
	result = 0;
out:
	utext_close(&source);
	return result;
}

void
measure_release(struct measure *m)
{
	if (m->graphemes)
		ubrk_close(m->graphemes);
	if (m->words)
		ubrk_close(m->words);
	*m = (struct measure){0};
}
