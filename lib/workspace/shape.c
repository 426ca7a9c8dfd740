#include "workspace/shape.h"

#include <stdbool.h>
#include <string.h>

enum {
	PNG_MARK = 8,
	PNG_AROUND = 12, /* length, name and checksum of a part */
	PNG_HEAD = 13,
};

struct rest {
	const unsigned char *at;
	size_t len;
};

static uint32_t
number(const unsigned char *at, size_t bytes)
{
	uint32_t n = 0;

	while (bytes--)
		n = n << 8 | *at++;
	return n;
}

static void
skip(struct rest *r, size_t len)
{
	r->at += len;
	r->len -= len;
}

static bool
is_named(const unsigned char *at, const char *name)
{
	return memcmp(at, name, 4) == 0;
}

static int
check_size(const struct shape *s, struct err *e)
{
	if (s->width && s->height)
		return 0;
	return err_set(e, ERR_REFUSED, "the picture has no size");
}

/* The head of a PNG, which comes first. */
static int
read_png_head(struct shape *s, struct rest *r, struct err *e)
{
	if (r->len < PNG_AROUND + PNG_HEAD || number(r->at, 4) != PNG_HEAD ||
	    !is_named(r->at + 4, "IHDR"))
		return err_set(e, ERR_REFUSED, "the picture has no head");
	s->type = "image/png";
	s->width = number(r->at + 8, 4);
	s->height = number(r->at + 12, 4);
	skip(r, PNG_AROUND + PNG_HEAD);
	return check_size(s, e);
}

static int
read_png(struct shape *s, struct rest r, struct err *e)
{
	bool drawn = false;

	if (read_png_head(s, &r, e) < 0)
		return -1;
	while (r.len >= PNG_AROUND) {
		const uint32_t len = number(r.at, 4);

		if (len > r.len - PNG_AROUND)
			break;
		if (is_named(r.at + 4, "IEND"))
			return drawn && r.len == PNG_AROUND && len == 0
				   ? 0
				   : err_set(e, ERR_REFUSED,
					 "the picture ends in another way");
		if (is_named(r.at + 4, "acTL") || is_named(r.at + 4, "IHDR"))
			return err_set(e, ERR_REFUSED,
			    "it is more than one picture");
		drawn = drawn || is_named(r.at + 4, "IDAT");
		skip(&r, PNG_AROUND + len);
	}
	return err_set(e, ERR_REFUSED, "the picture is cut");
}

/* Those that begin a frame: its kind of coding. */
static bool
is_frame(unsigned char marker)
{
	return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 &&
	       marker != 0xc8 && marker != 0xcc;
}

/* Past coded data, to the marker after it. */
static void
skip_scan(struct rest *r)
{
	while (r->len >= 2 &&
	       (r->at[0] != 0xff || r->at[1] == 0 || r->at[1] == 0xff ||
		   (r->at[1] >= 0xd0 && r->at[1] <= 0xd7)))
		skip(r, 1);
}

static int
read_jpeg_frame(struct shape *s, const unsigned char *at, size_t len,
    struct err *e)
{
	if (s->width)
		return err_set(e, ERR_REFUSED, "it is more than one picture");
	if (len < 8)
		return err_set(e, ERR_REFUSED, "the picture has no head");
	s->height = number(at + 3, 2);
	s->width = number(at + 5, 2);
	return check_size(s, e);
}

/* One part with a length, after the marker; coded data may follow it. */
static int
read_jpeg_part(struct shape *s, struct rest *r, unsigned char marker,
    struct err *e)
{
	const size_t len = r->len >= 2 ? number(r->at, 2) : 0;

	if (len < 2 || len > r->len)
		return err_set(e, ERR_REFUSED, "the picture is cut");
	if (is_frame(marker) && read_jpeg_frame(s, r->at, len, e) < 0)
		return -1;
	if (marker == 0xda && !s->width)
		return err_set(e, ERR_REFUSED, "the picture has no head");
	skip(r, len);
	if (marker == 0xda)
		skip_scan(r);
	return 0;
}

static int
read_jpeg(struct shape *s, struct rest r, struct err *e)
{
	bool drawn = false;

	s->type = "image/jpeg";
	while (r.len >= 2 && r.at[0] == 0xff) {
		const unsigned char marker = r.at[1];

		skip(&r, 2);
		if (marker == 0xd9)
			return drawn && r.len == 0
				   ? 0
				   : err_set(e, ERR_REFUSED,
					 "the picture ends in another way");
		if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8))
			return err_set(e, ERR_REFUSED,
			    "the picture has an unknown part");
		if (read_jpeg_part(s, &r, marker, e) < 0)
			return -1;
		drawn = drawn || marker == 0xda;
	}
	return err_set(e, ERR_REFUSED, "the picture is cut");
}

int
shape_read(struct shape *s, const char *bytes, size_t len, struct err *e)
{
	struct rest r = {(const unsigned char *)bytes, len};

	*s = (struct shape){0};
	if (len >= PNG_MARK && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0) {
		skip(&r, PNG_MARK);
		return read_png(s, r, e);
	}
	if (len >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0) {
		skip(&r, 2);
		return read_jpeg(s, r, e);
	}
	return err_set(e, ERR_REFUSED, "it is neither PNG nor JPEG");
}
