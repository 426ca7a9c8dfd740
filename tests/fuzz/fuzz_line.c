/*
 * fuzz_line - however its input is cut, the line splitter says the same.
 * The first byte chooses the ceiling, the second how long the pieces are.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* All that is said of the lines, added to out. */
static void
split(struct buf *out, const uint8_t *bytes, size_t len, size_t limit,
    size_t step)
{
	struct line l = {.limit = limit};
	struct err e = {0};
	const char *text;
	size_t n;
	int row;

	for (size_t at = 0; at < len; at += step) {
		size_t piece = len - at < step ? len - at : step;

		memcpy(line_room(&l, piece), bytes + at, piece);
		line_wrote(&l, piece);
		while ((row = line_next(&l, &text, &n, &e)) != 0) {
			if (row > 0 && (n > limit || strlen(text) != n))
				abort();
			buf_fmt(out, "%d:%s\n", row, row > 0 ? text : e.text);
		}
		if (l.bytes.len - l.from > limit)
			abort();
	}
	if (line_end(&l, &e) < 0)
		buf_fmt(out, "end:%s\n", e.text);
	line_release(&l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = {0}, pieces = {0};

	if (size < 3)
		return 0;
	split(&whole, data + 2, size - 2, 1 + data[0] % 32, size);
	split(&pieces, data + 2, size - 2, 1 + data[0] % 32, 1 + data[1] % 16);
	if (strcmp(buf_text(&whole), buf_text(&pieces)) != 0)
		abort();
	buf_release(&whole);
	buf_release(&pieces);
	return 0;
}
