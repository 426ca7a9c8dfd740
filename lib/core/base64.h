#ifndef CORE_BASE64_H
#define CORE_BASE64_H
/*
 * base64 - bytes as text: RFC 4648, section 4, with its padding.
 */

#include <stddef.h>

struct buf;

/* Add the text; as with any buf, past its limit nothing is. */
void base64_add(struct buf *b, const void *bytes, size_t len);

/* Add the bytes of a text. -1 if it is none; then some may have been added. */
int base64_read(struct buf *b, const char *text, size_t len);

#endif
