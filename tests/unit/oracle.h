#ifndef ORACLE_H
#define ORACLE_H
/* oracle - what a test asks of a text, in its own words. */

#include <stdbool.h>

#include "core/utf8.h"

/* Is every sequence of the text valid UTF-8? */
static inline bool
oracle_utf8(const char *text, size_t len)
{
	while (len) {
		uint32_t cp;
		size_t n = utf8_next(text, len, &cp);

		if (cp == UTF8_BAD)
			return false;
		text += n;
		len -= n;
	}
	return true;
}

#endif
