#include "ext/text.h"

#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include "core/buf.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "ext/fold.h"
#include "ext/guess.h"
#include "ext/measure.h"
#include "ext/stem.h"
#include "ext/stop.h"
#include "ext/token.h"
#include "ext/words.h"

#define RULES 2 /* count up when the tokens of any text or message change */

struct text {
	struct fold fold;
	struct stem stem;
	struct stop stop;
	struct measure measure;
	struct buf folded; /* the text in work */
};

struct text *
text_open(void)
{
	return mem_new(sizeof(struct text));
}

void
text_close(struct text *t)
{
	if (!t)
		return;
	fold_release(&t->fold);
	stem_release(&t->stem);
	stop_release(&t->stop);
	measure_release(&t->measure);
	buf_release(&t->folded);
	free(t);
}

static int
fold(struct text *t, const char *text, size_t len, bool split, struct err *e)
{
	buf_clear(&t->folded);
	len = utf8_cut(text, len, TEXT_LONGEST);
	return fold_text(&t->fold, &t->folded, text, len, split, e);
}

/* Which stemmer Latin words get. */
static enum lang
latin(const char *code)
{
	int lang = guess_lang(code);

	return lang == LANG_RU ? LANG_EN : (enum lang)lang;
}

static int
tokens(struct text *t, struct buf *to, const char *text, size_t len,
    const char *lang, bool query, struct err *e)
{
	struct tokens k = {.to = to,
	    .lang = latin(lang),
	    .stem = &t->stem,
	    .stop = query ? &t->stop : NULL};

	if (fold(t, text, len, true, e) < 0)
		return -1;
	words_find(buf_text(&t->folded), t->folded.len, &k);
	return (int)k.count;
}

int
text_tokens(struct text *t, struct buf *to, const char *text, size_t len,
    const char *lang, struct err *e)
{
	return tokens(t, to, text, len, lang, false, e);
}

int
text_query(struct text *t, struct buf *to, const char *text, size_t len,
    const char *lang, struct err *e)
{
	return tokens(t, to, text, len, lang, true, e);
}

bool
text_is_stop(struct text *t, const char *word, size_t len, const char *lang)
{
	return stop_langs(&t->stop, word, len) &
	       (1U << latin(lang) | 1U << LANG_RU | 1U << STOP_OTHER);
}

int
text_fold(struct text *t, struct buf *to, const char *text, size_t len,
    struct err *e)
{
	const char *s, *end;
	size_t start = to->len;

	if (fold(t, text, len, false, e) < 0)
		return -1;
	s = buf_text(&t->folded);
	end = s + t->folded.len;
	while (s < end) {
		const char *word = s;

		while (s < end && (unsigned char)*s > ' ')
			s++;
		if (s > word && to->len > start)
			buf_char(to, ' ');
		buf_add(to, word, (size_t)(s - word));
		while (s < end && (unsigned char)*s <= ' ')
			s++;
	}
	return 0;
}

int
text_language(struct text *t, const char *text, size_t len, const char **lang,
    struct err *e)
{
	if (fold(t, text, len, false, e) < 0)
		return -1;
	*lang = guess_language(&t->stop, buf_text(&t->folded), t->folded.len);
	return 0;
}

int
text_measure(struct text *t, struct text_size *size, const char *text,
    size_t len, struct err *e)
{
	return measure_text(&t->measure, size, text, len, e);
}

int
text_version(void)
{
	UVersionInfo icu, unicode;
	uint32_t h = stem_print() ^ RULES * 2654435761U;
	size_t i;

	u_getVersion(icu);
	u_getUnicodeVersion(unicode);
	for (i = 0; i < sizeof icu; i++)
		h = ((h ^ icu[i]) * 16777619U ^ unicode[i]) * 16777619U;
	return (int)(h & 0x7fffffff) | 1;
}
