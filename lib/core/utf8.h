#ifndef CORE_UTF8_H
#define CORE_UTF8_H
/* utf8 - the shape of UTF-8 (RFC 3629): no surrogates, nothing overlong. */

#include <stddef.h>

/* Length of the sequence at text (1 to 4), or 0 if there is no valid one. */
size_t utf8_len(const char *text, size_t len);

#endif
