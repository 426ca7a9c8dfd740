#ifndef EXT_FOLD_H
#define EXT_FOLD_H
/*
 * fold - one spelling for what people write in many.
 *
 * Folded text is lower case, without accents, width or font ("Café", "CAFE",
 * full-width and mathematical letters are all "cafe"), by ICU's NFKC_Casefold
 * and then:
 * - the accents of Latin and Greek letters go, and the letters Unicode does not
 *   decompose (ø, ł, æ) become their usual ASCII spelling;
 * - Cyrillic keeps its own letters (й is not и), except ё, written е by most;
 * - Arabic and Hebrew lose vowel points, alef its hamza; ى is ي and ة is ه;
 * - every other script keeps its marks: in Thai or Hindi they are the vowels;
 * - emoji lose skin tones, variation selectors and joiners;
 * - typographic apostrophes and hyphens become ASCII.
 * For ASCII text all this amounts to lower case, and ICU is not asked.
 *
 * Memory   a struct fold keeps its scratch space and, once a text needed it,
 *          the ICU word iterator; fold_release() gives both back.
 * Errors   ERR_INTERNAL: ICU has no data, or memory.
 */

#include <stdbool.h>
#include <stddef.h>

#include <unicode/ubrk.h>
#include <unicode/unorm2.h>
#include <unicode/utypes.h>

struct buf;
struct err;

struct fold {
	const UNormalizer2 *casefold, *decompose; /* ICU's own */
	UBreakIterator *words;                    /* opened when needed */
	UChar *from, *to;                         /* scratch */
	int32_t from_room, to_room;
};

void fold_release(struct fold *f);

/*
 * Append text, folded. With split, a space goes between the words of scripts
 * that write none (Chinese, Japanese, Thai, Lao, Khmer, Burmese). len < 2^30.
 */
int fold_text(struct fold *f, struct buf *to, const char *text, size_t len,
    bool split, struct err *e);

#endif
