/* The headers of pictures, and the text that their bytes are sent as. */
#include <stdlib.h>

#include "core/base64.h"
#include "core/buf.h"
#include "model/picture.h"
#include "tap.h"

struct sample {
	const char *name, *bytes;
	size_t len;
	const char *type;
	uint32_t width, height;
	size_t needs; /* bytes until its size is known */
};

#define BYTES(text) text, sizeof(text) - 1

static const struct sample samples[] = {
    {"a PNG",
	BYTES("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\2\0\0\0\3\x08\2\0\0\0"),
	"image/png", 258, 3, 24},
    {"a GIF", BYTES("GIF89a\2\1\3\0\xf0\0"), "image/gif", 258, 3, 10},
    {"a JPEG",
	BYTES("\xff\xd8\xff\xe0\0\4JF\xff\xff\xdb\0\3x\xff\xc0\0\x0b\x08\0\3\1"
	      "\2\1\1\x11\0\xff\xda"),
	"image/jpeg", 258, 3, 27},
    {"a progressive JPEG with a restart",
	BYTES("\xff\xd8\xff\x01\xff\xc4\0\2\xff\xc2\0\7\x08\0\3\1\2\xff\xd9"),
	"image/jpeg", 258, 3, 17},
    {"a lossy WebP",
	BYTES("RIFF\x1e\0\0\0WEBPVP8 \x12\0\0\0\1\2\3\x9d\1\x2a\2\1\3\x40zz"),
	"image/webp", 258, 3, 30},
    {"a lossless WebP",
	BYTES("RIFF\x1e\0\0\0WEBPVP8L\x12\0\0\0\x2f\1\x81\0\0zzzzzzz"),
	"image/webp", 258, 3, 30},
    {"an extended WebP",
	BYTES("RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0zzzz\1\1\0\2\0\0zz"),
	"image/webp", 258, 3, 30},
};

/* On a copy of just that length, so that a read past its end is seen. */
static int
read_copy(struct picture *p, const char *bytes, size_t len)
{
	char *copy = malloc(len ? len : 1);
	int rc;

	memcpy(copy, bytes, len);
	rc = picture_read(p, copy, len);
	free(copy);
	return rc;
}

static void
test_sample(const struct sample *s)
{
	struct picture p;
	bool cut = true;

	ok(read_copy(&p, s->bytes, s->len) == 0 &&
		strcmp(p.type, s->type) == 0 && p.width == s->width &&
		p.height == s->height,
	    s->name);
	for (size_t n = 0; n < s->len; n++)
		cut = cut &&
		      (read_copy(&p, s->bytes, n) == 0) == (n >= s->needs);
	ok(cut, "cut at every byte, it is one as soon as its size is there");
	ok(read_copy(&p, s->bytes, s->needs - 1) < 0 && !p.type,
	    "and none before");
}

static void
test_none(void)
{
	struct picture p;

#define NONE(bytes, name) ok(read_copy(&p, bytes, sizeof(bytes) - 1) < 0, name)
	NONE("", "nothing is none");
	NONE("\x89PNG\r\n\x1a\n\0\0\0\rIDATzzzzzzzzzz", "PNG without a header");
	NONE("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\3",
	    "PNG of no width");
	NONE("\xff\xd8\xff\xe0\0\1\xff\xc0\0\x0b\x08\0\3\1\2\1",
	    "JPEG with a length that leads back");
	NONE("\xff\xd8\xff\xe0\xff\xff\xff\xc0\0\x0b\x08\0\3\1\2\1",
	    "JPEG with a length past its end");
	NONE("\xff\xd8\xff\xda\0\2\xff\xc0\0\x0b\x08\0\3\1\2\1",
	    "JPEG whose data come first");
	NONE("\xff\xd8\xff\xc0\0\6\x08\0\3\1\2\1", "JPEG with half a frame");
	NONE("\xff\xd8\xff\xff\xff\xff\xff\xff\xff", "JPEG of filling alone");
	NONE("RIFF\x1e\0\0\0WEBPVP9 \x12\0\0\0\1\2\3\x9d\1\x2a\2\1\3\x40zz",
	    "WebP of another kind");
	NONE("RIFF\x1e\0\0\0WAVEVP8L\x12\0\0\0\x2f\1\x81\0\0zzzzzzz",
	    "what is no WebP");
	NONE("<svg width='3' height='3'></svg>          ", "a drawing");
}

static void
test_base64(void)
{
	static const char *const pairs[][2] = {{"f", "Zg=="}, {"fo", "Zm8="},
	    {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="},
	    {"foobar", "Zm9vYmFy"}, {"\xff\xef\xbe", "/+++"}};
	struct buf b = {0};

	base64_add(&b, "", 0);
	ok(b.len == 0, "no bytes are no text");
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		buf_clear(&b);
		base64_add(&b, pairs[i][0], strlen(pairs[i][0]));
		same(buf_text(&b), pairs[i][1], "base64 as the RFC has it");
	}
	buf_release(&b);
	b.limit = 7;
	base64_add(&b, "foobar", 6);
	ok(b.full && !b.len, "past the limit there is none of it");
	buf_release(&b);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++)
		test_sample(&samples[i]);
	test_none();
	test_base64();
	return tap_done();
}
