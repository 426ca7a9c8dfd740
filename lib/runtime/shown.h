#ifndef RUNTIME_SHOWN_H
#define RUNTIME_SHOWN_H
/*
 * shown - what a model is shown of a result: as much as is useful at once.
 *
 * The whole record is in the store. Sources that don't fit are left out from
 * the end, and then the data; `more` is never shown. The model is told how to
 * read them.
 */

#include <stddef.h>

struct buf;
struct json;

enum { SHOWN_MAX = 24 << 10 }; /* bytes */

/* Write a result or error record, kept under that call id, as JSON. */
void shown_write(struct buf *b, const struct json *record, const char *call);

#endif
