#include "core/frame.h"

static size_t
number_at(const char *at, int bytes)
{
	size_t n = 0;

	for (int i = 0; i < bytes; i++)
		n = n << 8 | (unsigned char)at[i];
	return n;
}

void
frames_feed(struct frames *f, const char *bytes, size_t len)
{
	if (f->broken)
		return;
	buf_drop(&f->waiting, f->taken);
	f->taken = 0;
	buf_add(&f->waiting, bytes, len);
}

int
frames_next(struct frames *f, struct frame *x, struct err *e)
{
	const char *at = buf_text(&f->waiting) + f->taken;
	size_t left = f->waiting.len - f->taken, len;

	if (f->broken)
		return err_set(e, ERR_INPUT, "the frames are out of step");
	if (left < 4)
		return 0;
	len = number_at(at, 4);
	if (len == 0 || len > FRAME_MOST + 1) {
		f->broken = true;
		buf_clear(&f->waiting);
		f->taken = 0;
		return err_set(e, ERR_INPUT, "a frame of %zu bytes", len);
	}
	if (left - 4 < len)
		return 0;
	*x = (struct frame){.kind = (unsigned char)at[4],
	    .data = at + FRAME_HEAD,
	    .len = len - 1};
	f->taken += len + 4;
	return 1;
}

bool
frames_partial(const struct frames *f)
{
	return f->waiting.len > f->taken;
}

void
frames_release(struct frames *f)
{
	buf_release(&f->waiting);
	*f = (struct frames){0};
}

void
frame_add_number(struct buf *b, uint64_t n, int bytes)
{
	while (bytes-- > 0)
		buf_char(b, (char)(n >> (8 * bytes) & 0xff));
}

void
frame_add(struct buf *b, unsigned char kind, const void *data, size_t len)
{
	frame_add_number(b, len + 1, 4);
	buf_char(b, (char)kind);
	buf_add(b, data, len);
}

int
frame_take_number(struct frame *x, int bytes, uint64_t *n)
{
	if (x->len < (size_t)bytes)
		return -1;
	*n = number_at(x->data, bytes);
	x->data += bytes;
	x->len -= (size_t)bytes;
	return 0;
}
