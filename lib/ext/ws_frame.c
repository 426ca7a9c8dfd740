#include "ext/ws_frame.h"

#include <string.h>

#include "core/buf.h"
#include "core/err.h"

enum { FIN = 0x80, RESERVED = 0x70, MASKED = 0x80, LENGTH_2 = 126 };

/* Bytes of the head, by its second one; the first two are always there. */
static unsigned
head_len(const struct ws_frame *f)
{
	switch (f->head[1] & 0x7f) {
	case LENGTH_2: return 4;
	case LENGTH_2 + 1: return 10;
	default: return 2;
	}
}

static uint64_t
payload_len(const struct ws_frame *f)
{
	uint64_t n = 0;

	if (f->need == 2)
		return f->head[1];
	for (unsigned i = 2; i < f->need; i++)
		n = n << 8 | f->head[i];
	return n;
}

static const char *
wrong_with(const struct ws_frame *f)
{
	const bool control = f->opcode >= WS_CLOSE;

	if (f->head[0] & RESERVED)
		return "a reserved bit is set";
	if ((f->opcode > WS_BINARY && f->opcode < WS_CLOSE) ||
	    f->opcode > WS_PONG)
		return "its opcode is reserved";
	if (control && (!f->fin || f->left > WS_CONTROL_MAX))
		return "a control frame is too long";
	if (!control && (f->opcode == WS_CONTINUATION) != f->open)
		return "a message is inside another";
	return f->left > INT64_MAX ? "its length is negative" : NULL;
}

/* The head is whole. */
static int
begin(struct ws_frame *f, struct err *e)
{
	const char *why;

	f->opcode = f->head[0] & 0x0f;
	f->fin = f->head[0] & FIN;
	f->left = payload_len(f);
	f->control_len = 0;
	why = wrong_with(f);
	if (why)
		return err_set(e, ERR_INPUT, "a bad frame: %s", why);
	f->inside = true;
	f->have = 0;
	if (f->opcode < WS_CLOSE)
		f->open = !f->fin;
	return 0;
}

/* Take a byte of the head. */
static int
take_head(struct ws_frame *f, unsigned char c, struct err *e)
{
	f->head[f->have++] = c;
	if (f->have == 2) {
		if (c & MASKED)
			return err_set(e, ERR_INPUT,
			    "a bad frame: a server's is masked");
		f->need = head_len(f);
	}
	return f->have < 2 || f->have < f->need ? 0 : begin(f, e);
}

/* Hand out bytes of the frame; with none left it is over. */
static bool
take_payload(struct ws_frame *f, const char *bytes, size_t len,
    const struct ws_frame_to *to)
{
	f->left -= len;
	f->inside = f->left;
	if (f->opcode < WS_CLOSE)
		return to->data(to->ctx, bytes, len, f->fin && !f->left);
	memcpy(f->control + f->control_len, bytes, len);
	f->control_len += len;
	return f->left ||
	       to->control(to->ctx, f->opcode, f->control, f->control_len);
}

int
ws_frame_feed(struct ws_frame *f, const char *bytes, size_t len,
    const struct ws_frame_to *to, struct err *e)
{
	size_t n;

	while (len || (f->inside && !f->left)) {
		if (!f->inside) {
			if (take_head(f, (unsigned char)*bytes, e) < 0)
				return -1;
			bytes++;
			len--;
			continue;
		}
		n = f->left < len ? (size_t)f->left : len;
		if (!take_payload(f, bytes, n, to))
			return 0;
		bytes += n;
		len -= n;
	}
	return 1;
}

void
ws_frame_write(struct buf *b, int opcode, const char *bytes, size_t len,
    uint32_t mask)
{
	unsigned char key[4], *to;
	char *room;

	memcpy(key, &mask, sizeof(key));
	buf_char(b, (char)(FIN | opcode));
	if (len < LENGTH_2) {
		buf_char(b, (char)(MASKED | len));
	} else {
		buf_char(b, (char)(MASKED | LENGTH_2));
		buf_char(b, (char)(len >> 8));
		buf_char(b, (char)len);
	}
	buf_add(b, key, sizeof(key));
	room = buf_room(b, len);
	if (!room)
		return;
	to = (unsigned char *)room;
	for (size_t i = 0; i < len; i++)
		to[i] = (unsigned char)bytes[i] ^ key[i & 3];
	buf_wrote(b, len);
}
