#include "ext/inflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST /* it only reads what it is fed */
#include <zlib.h>

#include "core/mem.h"

enum { PIECE_MIN = 16 << 10, PIECE_MAX = 256 << 10 };

static const unsigned char mark[4] = {0x00, 0x00, 0xff, 0xff};

static z_stream *
start(struct err *e)
{
	z_stream *s = mem_new(sizeof(*s));

	if (inflateInit(s) == Z_OK)
		return s;
	free(s);
	err_set(e, ERR_INTERNAL, "zlib doesn't start");
	return NULL;
}

/* Remember the last four bytes. */
static void
note_tail(struct inflate *z, const unsigned char *bytes, size_t len)
{
	enum { TAIL = sizeof(z->tail) };
	const size_t take = len < TAIL ? len : TAIL;

	memmove(z->tail, z->tail + take, TAIL - take);
	memcpy(z->tail + TAIL - take, bytes + len - take, take);
}

/* Room for what may come of it: some for little, more for much. */
static size_t
piece(const struct buf *out, const z_stream *s)
{
	size_t len = (size_t)s->avail_in * 8;

	len = len < PIECE_MIN ? PIECE_MIN : len > PIECE_MAX ? PIECE_MAX : len;
	if (out->limit && out->limit - out->len < len)
		len = out->limit - out->len;
	return len;
}

static int
run(z_stream *s, struct buf *out, struct err *e)
{
	size_t room;
	char *to;
	int rc;

	do {
		room = piece(out, s);
		to = room ? buf_room(out, room) : NULL;
		if (!to)
			return err_set(e, ERR_REFUSED,
			    "a message is longer than %zu bytes", out->limit);
		s->next_out = (unsigned char *)to;
		s->avail_out = (uInt)room;
		rc = inflate(s, Z_SYNC_FLUSH);
		buf_wrote(out, room - s->avail_out);
		if (rc != Z_OK && rc != Z_BUF_ERROR)
			return err_set(e, ERR_INPUT, "no zlib stream: %s",
			    s->msg ? s->msg : "it ended");
	} while (!s->avail_out);
	return 0;
}

int
inflate_feed(struct inflate *z, struct buf *out, const void *bytes, size_t len,
    struct err *e)
{
	z_stream *s;

	if (!len)
		return 0;
	if (len > UINT_MAX)
		return err_set(e, ERR_REFUSED, "too many bytes at once");
	s = z->stream ? z->stream : start(e);
	if (!s)
		return -1;
	z->stream = s;
	s->next_in = bytes;
	s->avail_in = (uInt)len;
	note_tail(z, bytes, len);
	return run(s, out, e);
}

bool
inflate_whole(const struct inflate *z)
{
	return z->stream && memcmp(z->tail, mark, sizeof(mark)) == 0;
}

void
inflate_release(struct inflate *z)
{
	if (z->stream)
		inflateEnd(z->stream);
	free(z->stream);
	*z = (struct inflate){0};
}
