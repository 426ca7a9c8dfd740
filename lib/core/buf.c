#include "core/buf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

char *
buf_room(struct buf *b, size_t len)
{
	size_t want;

	if (b->full || len > SIZE_MAX / 4 || b->len > SIZE_MAX / 4 ||
	    (b->limit && b->len + len > b->limit)) {
		b->full = true;
		return NULL;
	}
	want = b->len + len + 1;
	if (want > b->room) {
		size_t room = b->room < 64 ? 64 : b->room * 2;

		if (room < want)
			room = want;
		b->data = mem_resize(b->data, room, 1);
		b->data[b->len] = '\0'; /* though nothing may be written */
		b->room = room;
	}
	return b->data + b->len;
}

void
buf_wrote(struct buf *b, size_t len)
{
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_add(struct buf *b, const void *bytes, size_t len)
{
	char *to = buf_room(b, len);

	if (!to)
		return;
	if (len)
		memcpy(to, bytes, len);
	buf_wrote(b, len);
}

void
buf_str(struct buf *b, const char *text)
{
	if (text)
		buf_add(b, text, strlen(text));
}

void
buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_vfmt(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	char *to;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (len < 0 || !(to = buf_room(b, (size_t)len)))
		return;
	vsnprintf(to, (size_t)len + 1, fmt, ap);
	buf_wrote(b, (size_t)len);
}

void
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vfmt(b, fmt, ap);
	va_end(ap);
}

void
buf_drop(struct buf *b, size_t len)
{
	if (!len)
		return;
	memmove(b->data, b->data + len, b->len - len + 1);
	b->len -= len;
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	b->full = false;
	if (b->data)
		b->data[0] = '\0';
}

void
buf_release(struct buf *b)
{
	free(b->data);
	*b = (struct buf){.limit = b->limit};
}

const char *
buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

char *
buf_take(struct buf *b)
{
	char *data = b->data ? b->data : mem_new(1);

	*b = (struct buf){.limit = b->limit};
	return data;
}
