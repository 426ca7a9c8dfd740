#ifndef EXT_STOP_H
#define EXT_STOP_H
/*
 * stop - the words that hold a sentence together but say nothing of its
 * subject.
 *
 * Short lists of our own, folded as by ext/fold: one for each language that has
 * a stemmer, one for Japanese, Chinese, Korean and Thai together (they can't be
 * taken for each other's content words, nor for words of the rest). They are
 * dropped from queries, never from the index, and are how a language is
 * recognised: nobody writes twenty words without them.
 *
 * Memory   all-zero is empty; the table (64 kB) is built at the first
 *          question, and stop_release() frees it.
 */

#include <stddef.h>

#include "ext/stem.h"

#define STOP_OTHER LANG_COUNT /* the bit of languages without a stemmer */

struct stop {
	struct stop_word *table;
};

/* The languages in which a folded word is a stop word, as bits 1 << lang. */
unsigned stop_langs(struct stop *s, const char *word, size_t len);

void stop_release(struct stop *s);

#endif
