#include "ext/stem.h"

#include <stdlib.h>
#include <string.h>

#include <libstemmer.h>

#include "core/mem.h"

#define CACHE 16384 /* words; a power of 2 */
#define LONGEST 46  /* bytes; a longer word is no word, and has no stem */

struct stem_word {
	unsigned char lang, len, stem_len, unused;
	char word[LONGEST], stem[LONGEST];
};

static const char *const algorithms[LANG_COUNT] = {"porter", "portuguese",
    "spanish", "french", "german", "italian", "dutch", "russian"};

/* Suffixes as typed without accents, longest first, and what is meant. */
static const struct {
	enum lang lang;
	const char *plain, *meant;
} suffixes[] = {
    {LANG_PT, "aveis", "áveis"},
    {LANG_PT, "iveis", "íveis"},
    {LANG_PT, "encias", "ências"},
    {LANG_PT, "encia", "ência"},
    {LANG_PT, "ancias", "âncias"},
    {LANG_PT, "ancia", "ância"},
    {LANG_PT, "avel", "ável"},
    {LANG_PT, "ivel", "ível"},
    {LANG_PT, "coes", "ções"},
    {LANG_PT, "cao", "ção"},
    {LANG_PT, "oes", "ões"},
    {LANG_ES, "logia", "logía"},
    {LANG_ES, "cion", "ción"},
    {LANG_ES, "sion", "sión"},
    {LANG_FR, "ieres", "ières"},
    {LANG_FR, "iere", "ière"},
    {LANG_FR, "ees", "ées"},
    {LANG_FR, "ee", "ée"},
};

/* Copy word to typed (room for 2 bytes a letter), its suffix spelled out. */
static size_t
spell_out(enum lang lang, const char *word, size_t len, char *typed)
{
	size_t i, plain, meant;

	memcpy(typed, word, len);
	for (i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		plain = strlen(suffixes[i].plain);
		if (suffixes[i].lang != lang || len < plain ||
		    memcmp(word + len - plain, suffixes[i].plain, plain) != 0)
			continue;
		meant = strlen(suffixes[i].meant);
		memcpy(typed + len - plain, suffixes[i].meant, meant);
		return len - plain + meant;
	}
	return len;
}

/* Take the accents of U+00E0 to U+00FF off, in place; returns the length. */
static size_t
unaccent(char *text, size_t len)
{
	static const char plain[] = "aaaaaaaceeeeiiiidnooooo/ouuuuyty";
	size_t from, to = 0;

	for (from = 0; from < len; from++) {
		unsigned char c = (unsigned char)text[from];

		if (c == 0xc3 && from + 1 < len)
			text[to++] = plain[text[++from] & 0x1f];
		else
			text[to++] = (char)c;
	}
	return to;
}

/* Stem without the cache; to has room for TEXT bytes, enough for accents. */
#define TEXT (2 * LONGEST + 4)

static size_t
ask(struct stem *s, enum lang lang, const char *word, size_t len, char *to)
{
	const sb_symbol *answer;
	size_t n;

	if (!s->by[lang])
		s->by[lang] = sb_stemmer_new(algorithms[lang], NULL);
	mem_check(s->by[lang]);
	n = spell_out(lang, word, len, to);
	answer = sb_stemmer_stem(s->by[lang], (const sb_symbol *)to, (int)n);
	mem_check(answer);
	n = (size_t)sb_stemmer_length(s->by[lang]);
	if (n > 0 && n < TEXT) {
		memcpy(to, answer, n);
		n = lang == LANG_RU ? n : unaccent(to, n);
	}
	if (n == 0 || n > len) { /* no Snowball stemmer does that to a word */
		memcpy(to, word, len);
		return len;
	}
	return n;
}

static size_t
slot(enum lang lang, const char *word, size_t len)
{
	uint32_t h = 2166136261U + (uint32_t)lang; /* FNV-1a */
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)word[i]) * 16777619U;
	return (h ^ h >> 15) & (CACHE - 1);
}

const char *
stem_word(struct stem *s, enum lang lang, const char *word, size_t *len)
{
	struct stem_word *w;
	char to[TEXT];

	if (*len > LONGEST)
		return word;
	if (!s->cache)
		s->cache = mem_array(CACHE, sizeof *s->cache);
	w = &s->cache[slot(lang, word, *len)];
	if (w->len != *len || w->lang != lang ||
	    memcmp(w->word, word, *len) != 0) {
		w->stem_len = (unsigned char)ask(s, lang, word, *len, to);
		memcpy(w->stem, to, w->stem_len);
		memcpy(w->word, word, *len);
		w->len = (unsigned char)*len;
		w->lang = (unsigned char)lang;
	}
	*len = w->stem_len;
	return w->stem;
}

void
stem_release(struct stem *s)
{
	size_t i;

	for (i = 0; i < LANG_COUNT; i++)
		sb_stemmer_delete(s->by[i]);
	free(s->cache);
	*s = (struct stem){0};
}

uint32_t
stem_print(void)
{
	static const char *const words[] = {"generously", "relational", "dying",
	    "skies", "programacao", "falaram", "possivel", "canciones",
	    "hablando", "rapidamente", "continuellement", "chevaux",
	    "activites", "moglichkeiten", "aufeinander", "kinder", "propaganda",
	    "abbandonata", "lichamelijkheden", "opgetild", "важнейшие",
	    "вероятностью"};
	struct stem s = {0};
	uint32_t h = 2166136261U;
	char stem[TEXT];
	size_t i, k, len;

	for (i = 0; i < LANG_COUNT * sizeof words / sizeof *words; i++) {
		const char *word = words[i / LANG_COUNT];

		len = ask(&s, i % LANG_COUNT, word, strlen(word), stem);
		for (k = 0; k < len; k++)
			h = (h ^ (unsigned char)stem[k]) * 16777619U;
		h *= 16777619U;
	}
	stem_release(&s);
	return h;
}
