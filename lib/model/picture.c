#include "model/picture.h"

#include <stdbool.h>
#include <string.h>

static const uint8_t png_mark[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static uint32_t
big(const uint8_t *p, int bytes)
{
	uint32_t n = 0;

	for (int i = 0; i < bytes; i++)
		n = n << 8 | p[i];
	return n;
}

static uint32_t
little(const uint8_t *p, int bytes)
{
	uint32_t n = 0;

	for (int i = bytes; i-- > 0;)
		n = n << 8 | p[i];
	return n;
}

static bool
begins(const uint8_t *p, size_t len, const void *mark, size_t mark_len)
{
	return len >= mark_len && memcmp(p, mark, mark_len) == 0;
}

/* The chunk with the size is the first one. */
static int
read_png(struct picture *p, const uint8_t *b, size_t len)
{
	if (len < 24 || memcmp(b + 12, "IHDR", 4) != 0)
		return -1;
	p->type = "image/png";
	p->width = big(b + 16, 4);
	p->height = big(b + 20, 4);
	return 0;
}

static int
read_gif(struct picture *p, const uint8_t *b, size_t len)
{
	if (len < 10)
		return -1;
	p->type = "image/gif";
	p->width = little(b + 6, 2);
	p->height = little(b + 8, 2);
	return 0;
}

/* A frame's header: SOF0 to SOF15, but for the tables that lie among them. */
static bool
is_frame(uint8_t marker)
{
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 &&
	       marker != 0xc8 && marker != 0xcc;
}

/* A marker that stands alone, without a length: TEM, and restarts. */
static bool
is_alone(uint8_t marker)
{
	return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

/* From segment to segment until the frame; the picture's data come after it. */
static int
read_jpeg(struct picture *p, const uint8_t *b, size_t len)
{
	size_t at = 2;

	while (len - at >= 4 && b[at] == 0xff) {
		const uint8_t marker = b[at + 1];
		size_t size;

		if (marker == 0xff || is_alone(marker)) {
			at += marker == 0xff ? 1 : 2; /* 0xff fills */
			continue;
		}
		size = big(b + at + 2, 2);
		if (marker == 0xd9 || marker == 0xda || size < 2 ||
		    size > len - at - 2)
			return -1;
		if (is_frame(marker)) {
			if (size < 7)
				return -1;
			p->type = "image/jpeg";
			p->height = big(b + at + 5, 2);
			p->width = big(b + at + 7, 2);
			return 0;
		}
		at += 2 + size;
	}
	return -1;
}

/* Three ways to say the size: lossy, lossless, extended. */
static int
read_webp(struct picture *p, const uint8_t *b, size_t len)
{
	static const uint8_t key[] = {0x9d, 0x01, 0x2a};

	if (len < 30)
		return -1;
	if (memcmp(b + 12, "VP8 ", 4) == 0 && memcmp(b + 23, key, 3) == 0) {
		p->width = little(b + 26, 2) & 0x3fff;
		p->height = little(b + 28, 2) & 0x3fff;
	} else if (memcmp(b + 12, "VP8L", 4) == 0 && b[20] == 0x2f) {
		const uint32_t bits = little(b + 21, 4);

		p->width = (bits & 0x3fff) + 1;
		p->height = (bits >> 14 & 0x3fff) + 1;
	} else if (memcmp(b + 12, "VP8X", 4) == 0) {
		p->width = little(b + 24, 3) + 1;
		p->height = little(b + 27, 3) + 1;
	} else {
		return -1;
	}
	p->type = "image/webp";
	return 0;
}

static int
read_any(struct picture *p, const uint8_t *b, size_t len)
{
	if (begins(b, len, png_mark, sizeof(png_mark)))
		return read_png(p, b, len);
	if (begins(b, len, "\xff\xd8\xff", 3))
		return read_jpeg(p, b, len);
	if (begins(b, len, "GIF87a", 6) || begins(b, len, "GIF89a", 6))
		return read_gif(p, b, len);
	if (begins(b, len, "RIFF", 4) && len >= 12 &&
	    memcmp(b + 8, "WEBP", 4) == 0)
		return read_webp(p, b, len);
	return -1;
}

int
picture_read(struct picture *p, const char *bytes, size_t len)
{
	*p = (struct picture){0};
	if (read_any(p, (const uint8_t *)bytes, len) < 0 || !p->width ||
	    !p->height) {
		*p = (struct picture){0};
		return -1;
	}
	return 0;
}
