#include "ext/grapheme.h"

#include <stdint.h>

#include <unicode/ubrk.h>
#include <unicode/utext.h>

#include "core/err.h"

void
grapheme_start(struct grapheme *g, const char *text, size_t len)
{
	g->text = text;
	g->len = len;
	g->ready = false;
}

static int
icu_error(struct err *e, UErrorCode rc)
{
	return err_set(e, ERR_INTERNAL, "ICU: graphemes: %s", u_errorName(rc));
}

/* Hand the text to ICU, which keeps a copy of the UText. */
static int
wake(struct grapheme *g, struct err *e)
{
	UErrorCode rc = U_ZERO_ERROR;
	UText source = UTEXT_INITIALIZER;

	if (!g->iterator)
		g->iterator = ubrk_open(UBRK_CHARACTER, "", NULL, 0, &rc);
	utext_openUTF8(&source, g->text, (int64_t)g->len, &rc);
	if (U_SUCCESS(rc))
		ubrk_setUText(g->iterator, &source, &rc);
	utext_close(&source);
	if (U_FAILURE(rc))
		return icu_error(e, rc);
	g->ready = true;
	return 0;
}

int
grapheme_edge(struct grapheme *g, size_t at, struct err *e)
{
	unsigned char before, after;

	if (at == 0 || at >= g->len)
		return 1;
	before = (unsigned char)g->text[at - 1];
	after = (unsigned char)g->text[at];
	if (before < 0x80 && after < 0x80)
		return before != '\r' || after != '\n';
	if (at > INT32_MAX)
		return err_set(e, ERR_INTERNAL, "the text is too long for ICU");
	if (!g->ready && wake(g, e) < 0)
		return -1;
	return ubrk_isBoundary(g->iterator, (int32_t)at) ? 1 : 0;
}

void
grapheme_release(struct grapheme *g)
{
	if (g->iterator)
		ubrk_close(g->iterator);
	*g = (struct grapheme){0};
}
