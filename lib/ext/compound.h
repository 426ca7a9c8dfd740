#ifndef EXT_COMPOUND_H
#define EXT_COMPOUND_H
/*
 * compound - words that signs hold together, as ext/words describes.
 */

#include <stdbool.h>
#include <stddef.h>

struct scan;

/*
 * Append the tokens of the compound, or the lone word, that begins at; returns
 * where it ends. In a URL fewer signs join.
 */
size_t compound_find(const struct scan *s, size_t at, bool url);

#endif
