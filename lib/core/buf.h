#ifndef CORE_BUF_H
#define CORE_BUF_H
/*
 * buf - bytes that grow, up to a ceiling.
 *
 * Memory   {0} is an empty buffer with no ceiling; set limit for one that
 *          grows from outside data. data is NULL while nothing was added,
 *          else NUL-terminated (the NUL is not counted in len).
 * Errors   Past the limit nothing is added and full is set, to be checked once
 *          at the end; what was there stays.
 */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/err.h"

struct buf {
	char *data;
	size_t len, room;
	size_t limit; /* bytes; 0 for none */
	bool full;
};

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_str(struct buf *b, const char *text); /* NULL adds nothing */
void buf_char(struct buf *b, char c);
void buf_fmt(struct buf *b, const char *fmt, ...) FORMAT(2, 3);
void buf_vfmt(struct buf *b, const char *fmt, va_list ap) FORMAT(2, 0);

/*
 * Make room for len more bytes and return where to write them, or NULL (full).
 */
char *buf_room(struct buf *b, size_t len);
void buf_wrote(struct buf *b, size_t len); /* that many of them were written */

void buf_drop(struct buf *b, size_t len); /* forget the first len bytes */
void buf_clear(struct buf *b);            /* empty; keeps room and limit */
void buf_release(struct buf *b);          /* harmless on {0}, or twice */

/* The text, "" if empty; borrowed until the next change. */
const char *buf_text(const struct buf *b);
char *buf_take(struct buf *b); /* the bytes, yours to free; b is empty */

#endif
