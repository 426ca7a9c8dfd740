#include "core/base64.h"

#include <stdint.h>
#include <string.h>

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
	to[2] = to[3] = '=';
	if (left > 1)
		to[2] = alphabet[group >> 6 & 63];
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

/* Four characters, of which the last `pad` are padding. */
static int
read_group(struct buf *b, const char *text, size_t pad)
{
	uint32_t group = 0;
	char bytes[3];

	for (size_t i = 0; i < 4; i++) {
		const char *at = i + pad < 4 && text[i]
				     ? strchr(alphabet, text[i])
				     : NULL;

		if (!at && i + pad < 4)
			return -1;
		group = group << 6 | (at ? (uint32_t)(at - alphabet) : 0);
	}
	for (int i = 0; i < 3; i++)
		bytes[i] = (char)(group >> (16 - 8 * i) & 255);
	if ((pad == 1 && bytes[2]) || (pad == 2 && bytes[1]))
		return -1; /* bits that mean nothing */
	buf_add(b, bytes, 3 - pad);
	return 0;
}

int
base64_read(struct buf *b, const char *text, size_t len)
{
	if (len % 4)
		return -1;
	for (size_t i = 0; i < len; i += 4) {
		const bool last = i + 4 == len;
		const size_t pad = !last || text[i + 3] != '=' ? 0
				   : text[i + 2] == '='        ? 2
							       : 1;

		if (read_group(b, text + i, pad) < 0)
			return -1;
	}
	return 0;
}
