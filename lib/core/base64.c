#include "core/base64.h"

#include <stdint.h>

#include "core/buf.h"

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
			       "abcdefghijklmnopqrstuvwxyz0123456789+/";

/* The last group, of one byte or two. */
static void
end(char *to, const uint8_t *from, size_t left)
{
	uint32_t group = (uint32_t)from[0] << 16;

	if (left > 1)
		group |= (uint32_t)from[1] << 8;
	to[0] = alphabet[group >> 18];
	to[1] = alphabet[group >> 12 & 63];
	to[2] = left > 1 ? alphabet[group >> 6 & 63] : '=';
	to[3] = '=';
}

void
base64_add(struct buf *b, const void *bytes, size_t len)
{
	const uint8_t *from = bytes;
	const size_t all = (len + 2) / 3 * 4;
	char *to = buf_room(b, all);

	if (!to)
		return;
	for (; len >= 3; len -= 3, from += 3, to += 4) {
		const uint32_t group = (uint32_t)from[0] << 16 |
				       (uint32_t)from[1] << 8 | from[2];

		to[0] = alphabet[group >> 18];
		to[1] = alphabet[group >> 12 & 63];
		to[2] = alphabet[group >> 6 & 63];
		to[3] = alphabet[group & 63];
	}
	if (len)
		end(to, from, len);
	buf_wrote(b, all);
}
