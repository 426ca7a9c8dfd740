#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "history/split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What comes out when the input goes in, size bytes at a time. */
static void
split(struct buf *out, const uint8_t *data, size_t len, size_t size)
{
	struct split s = {0};
	struct split_item item;
	struct err e = {0};
	int got = 0;

	for (size_t at = 0; at < len && got >= 0; at += size) {
		size_t n = len - at < size ? len - at : size;

		memcpy(split_room(&s, n), data + at, n);
		split_wrote(&s, n);
		while ((got = split_next(&s, &item, &e)) > 0) {
			buf_fmt(out, "%d %zu %zu ", (int)item.kind, item.line,
			    (size_t)item.byte);
			buf_add(out, item.text, item.len);
		}
	}
	if (got == 0)
		split_end(&s, &e);
	buf_str(out, e.text);
	split_release(&s);
}

/* However the input is cut into pieces, the same comes out. */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = {0}, parts = {0};

	split(&whole, data, size, size ? size : 1);
	split(&parts, data, size, 1);
	if (strcmp(buf_text(&whole), buf_text(&parts)) != 0)
		abort();
	buf_clear(&parts);
	split(&parts, data, size, 13);
	if (strcmp(buf_text(&whole), buf_text(&parts)) != 0)
		abort();
	buf_release(&whole);
	buf_release(&parts);
	return 0;
}
