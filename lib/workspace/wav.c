#include "workspace/wav.h"

#include <string.h>

#include "core/buf.h"

enum { BYTES_S = WAV_RATE * 2 };

static void
number(struct buf *b, uint64_t n, int bytes)
{
	for (; bytes > 0; bytes--, n >>= 8)
		buf_char(b, (char)(n & 255));
}

static void
write_head(struct buf *b, size_t len)
{
	buf_str(b, "RIFF");
	number(b, WAV_HEAD - 8 + len, 4);
	buf_str(b, "WAVEfmt ");
	number(b, 16, 4);
	number(b, 1, 2); /* plain samples */
	number(b, 1, 2); /* one channel */
	number(b, WAV_RATE, 4);
	number(b, BYTES_S, 4);
	number(b, 2, 2);
	number(b, 16, 2);
	buf_str(b, "data");
	number(b, len, 4);
}

void
wav_write(struct buf *b, const char *samples, size_t len)
{
	write_head(b, len);
	buf_add(b, samples, len);
}

int64_t
wav_length_ms(const char *bytes, size_t len)
{
	struct buf head = {0};
	int64_t ms = -1;

	if (len < WAV_HEAD)
		return -1;
	write_head(&head, len - WAV_HEAD);
	if (memcmp(bytes, head.data, WAV_HEAD) == 0)
		ms = (int64_t)(len - WAV_HEAD) / WAV_BYTES_MS;
	buf_release(&head);
	return ms;
}
