#include "workspace/excerpt.h"

#include <inttypes.h>

#include "core/utf8.h"
#include "ext/jsonw.h"

void
excerpt_add(struct excerpt *x, const char *bytes, size_t len)
{
	const size_t room = EXCERPT_HEAD - x->head.len;
	const size_t first = len < room ? len : room;

	x->bytes += len;
	buf_add(&x->head, bytes, first);
	bytes += first;
	len -= first;
	if (len > EXCERPT_TAIL) {
		bytes += len - EXCERPT_TAIL;
		len = EXCERPT_TAIL;
	}
	buf_add(&x->tail, bytes, len);
	if (x->tail.len >= (size_t)2 * EXCERPT_TAIL)
		buf_drop(&x->tail, x->tail.len - EXCERPT_TAIL);
}

/* The last len bytes of it, or fewer, which begin with a whole character. */
static size_t
end_of(const struct buf *b, size_t len)
{
	const char *text = buf_text(b);
	size_t from = b->len > len ? b->len - len : 0;

	while (
	    from && from < b->len && ((unsigned char)text[from] & 0xc0) == 0x80)
		from++;
	return b->len - from;
}

/* A text with len bytes of each end, if that isn't all. */
static bool
compose(struct buf *b, const struct excerpt *x, size_t len)
{
	struct buf rest = {0};
	size_t head, tail;

	buf_add(&rest, x->head.data, x->head.len);
	buf_add(&rest, x->tail.data, x->tail.len);
	if (x->bytes <= 2 * len && x->bytes == rest.len) {
		buf_add(b, rest.data, rest.len);
		buf_release(&rest);
		return true;
	}
	head = utf8_cut(buf_text(&x->head), x->head.len, len);
	tail = end_of(&rest, len < EXCERPT_TAIL ? len : EXCERPT_TAIL);
	buf_add(b, x->head.data, head);
	buf_fmt(b, "\n[... %" PRIu64 " bytes left out ...]\n",
	    x->bytes - head - tail);
	buf_add(b, rest.data + rest.len - tail, tail);
	buf_release(&rest);
	return false;
}

bool
excerpt_write(struct buf *b, const char *key, const struct excerpt *x,
    size_t most)
{
	struct buf text = {0}, quoted = {0};
	size_t len = most / 2;
	bool all;

	for (;;) {
		all = compose(&text, x, len);
		jsonw_strn(&quoted, NULL, buf_text(&text), text.len);
		if (quoted.len <= most || !len)
			break;
		len = len * 3 / 4;
		buf_clear(&text);
		buf_clear(&quoted);
	}
	jsonw_strn(b, key, buf_text(&text), text.len);
	buf_release(&text);
	buf_release(&quoted);
	return all;
}

void
excerpt_release(struct excerpt *x)
{
	buf_release(&x->head);
	buf_release(&x->tail);
	x->bytes = 0;
}
