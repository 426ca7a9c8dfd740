#ifndef EXT_STEM_H
#define EXT_STEM_H
/*
 * stem - Snowball's stemmers, each opened when first needed, behind a cache.
 *
 * Words come folded (ext/fold), but the stemmers know suffixes by their
 * accents. So where people leave them out all the time (Portuguese, Spanish),
 * a suffix gets its accent back first, so that both spellings have one stem
 * (of 58 pairs of related Portuguese words, 38 then meet; 19 without).
 *
 * English is Porter's first algorithm, not its successor: see ext/text.
 *
 * Memory   all-zero is empty; stem_release() closes what was opened. The cache
 *          is 16384 words of 96 bytes, of which only what is met takes memory.
 */

#include <stddef.h>
#include <stdint.h>

struct sb_stemmer;
struct stem_word;

/* Languages with a stemmer; a message of any other is stemmed as LANG_EN. */
enum lang {
	LANG_EN,
	LANG_PT,
	LANG_ES,
	LANG_FR,
	LANG_DE,
	LANG_IT,
	LANG_NL,
	LANG_RU,
	LANG_COUNT
};

struct stem {
	struct sb_stemmer *by[LANG_COUNT];
	struct stem_word *cache;
};

void stem_release(struct stem *s);

/*
 * The stem of a folded word, *len bytes long on return too; borrowed until the
 * next call. Never longer than the word, nor empty. Over 46 bytes: itself.
 */
const char *stem_word(struct stem *s, enum lang lang, const char *word,
    size_t *len);

/*
 * A number that changes with what the stemmers answer (they have no version).
 */
uint32_t stem_print(void);

#endif
