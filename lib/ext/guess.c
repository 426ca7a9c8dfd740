#include "ext/guess.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "core/utf8.h"
#include "ext/scan.h"
#include "ext/stem.h"
#include "ext/stop.h"

#define LEAST 30  /* words: fewer prove nothing */
#define SHARE 840 /* a stop word's weight: divides by 1 to 8 */

struct evidence {
	size_t han, kana, hangul, thai, latin, cyrillic; /* letters */
	size_t words, weight[LANG_COUNT], hits[LANG_COUNT];
	size_t russian, other; /* Cyrillic that Bulgarian, Russian lacks */
};

static const char codes[LANG_COUNT][3] = {"en", "pt", "es", "fr", "de", "it",
    "nl", "ru"};

int
guess_lang(const char *code)
{
	int i;

	for (i = 0; code && i < LANG_COUNT; i++)
		if (!strncmp(code, codes[i], 2) &&
		    (!code[2] || code[2] == '-' || code[2] == '_'))
			return i;
	return LANG_EN;
}

static void
count_letter(struct evidence *v, uint32_t c)
{
	v->latin += c >= 'a' && c <= 'z';
	v->cyrillic += c >= 0x400 && c < 0x530;
	v->thai += c >= 0xe00 && c < 0xe80;
	v->kana += c >= 0x3040 && c < 0x3100;
	v->han += c >= 0x3400 && c < 0xa000;
	v->hangul += c >= 0xac00 && c < 0xd7b0;
	v->russian += c == 0x44b || c == 0x44d;
	v->other += c >= 0x450 && c < 0x530;
}

static void
count_word(struct evidence *v, struct stop *s, const char *word, size_t len)
{
	unsigned langs = stop_langs(s, word, len) & ((1U << LANG_COUNT) - 1);
	size_t i, n = 0;

	v->words++;
	for (i = 0; i < LANG_COUNT; i++)
		n += langs >> i & 1;
	for (i = 0; i < LANG_COUNT; i++)
		if (langs >> i & 1) {
			v->weight[i] += SHARE / n;
			v->hits[i]++;
		}
}

static void
gather(struct evidence *v, struct stop *s, const char *text, size_t len)
{
	const struct scan scan = {.text = text, .len = len};
	size_t at, i, n;
	uint32_t cp;

	for (at = 0; at < len; at += n) {
		n = scan_word(&scan, at);
		if (!n) {
			n = utf8_next(text + at, len - at, &cp);
			continue;
		}
		for (i = at; i < at + n;) {
			i += utf8_next(text + i, len - i, &cp);
			count_letter(v, cp);
		}
		count_word(v, s, text + at, n);
	}
}

/* The language whose script two thirds of the letters are, or NULL. */
static const char *
by_script(const struct evidence *v)
{
	size_t all = v->han + v->kana + v->hangul + v->thai + v->latin +
		     v->cyrillic;
	size_t most = all - all / 3;

	if (all < 20)
		return NULL;
	if (v->hangul >= most)
		return "ko";
	if (v->thai >= most)
		return "th";
	if (v->han + v->kana >= most && v->kana >= all / 8)
		return "ja";
	if (v->han >= most && v->kana <= all / 50)
		return "zh";
	return NULL;
}

/* Not a neighbour that shares its stop words. */
static bool
is_russian(const struct evidence *v)
{
	return v->russian >= v->cyrillic / 200 && v->russian &&
	       v->other <= v->cyrillic / 100;
}

const char *
guess_language(struct stop *s, const char *text, size_t len)
{
	struct evidence v = {0};
	size_t i, best = 0, second = 0;
	const char *code;

	gather(&v, s, text, len);
	if ((code = by_script(&v)))
		return code;
	for (i = 1; i < LANG_COUNT; i++)
		if (v.weight[i] > v.weight[best])
			best = i;
	for (i = 0; i < LANG_COUNT; i++)
		if (i != best && v.weight[i] > second)
			second = v.weight[i];
	if (v.words < LEAST || v.hits[best] < v.words / 4 ||
	    v.weight[best] < second + second / 2 ||
	    (best == LANG_RU && !is_russian(&v)))
		return "";
	return codes[best];
}
