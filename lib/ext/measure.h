#ifndef EXT_MEASURE_H
#define EXT_MEASURE_H
/*
 * measure - how long a text is, in each sense of the word.
 *
 * Memory   all-zero is empty; the ICU iterators are kept until
 *          measure_release(). A text is read where it is, never copied.
 */

#include <stddef.h>

#include <unicode/ubrk.h>

struct err;
struct text_size;

struct measure {
	UBreakIterator *graphemes, *words; /* opened when needed */
};

int measure_text(struct measure *m, struct text_size *size, const char *text,
    size_t len, struct err *e);
void measure_release(struct measure *m);

#endif
