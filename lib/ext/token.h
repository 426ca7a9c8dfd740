#ifndef EXT_TOKEN_H
#define EXT_TOKEN_H
/*
 * token - the last step before the index: a word gets its stem, and its place.
 *
 * A token is at most TOKEN_LONGEST bytes (a longer one is cut between
 * characters) and as legal as the bytes it is made of: ext/words sees to it
 * that they hold no space, quote or control character and are not empty.
 *
 * Latin words of three letters and more have the stem of the language, Cyrillic
 * ones the Russian one; others, and all with a digit, are as they are.
 *
 * Memory   the caller's. When the buffer is full, what is added is lost and
 *          not counted.
 */

#include <stddef.h>

#include "ext/stem.h"

struct buf;
struct stop;

#define TOKEN_LONGEST 64 /* bytes */

struct tokens {
	struct buf *to; /* a space goes between any two */
	enum lang lang; /* of Latin words */
	struct stem *stem;
	struct stop *stop; /* not NULL: stop words are left out */
	size_t count;
};

void token_add(struct tokens *k, const char *token, size_t len); /* as it is */
void token_word(struct tokens *k, const char *word, size_t len); /* its stem */

#endif
