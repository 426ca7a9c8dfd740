/* What a container says is a picture: only a whole and plain one is taken. */
#include "workspace/shape.h"

#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "core/mem.h"
#include "tap.h"

/* Each 3 pixels wide and 2 high, as a plain encoder writes them. */
static const char png[] =
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\3\0\0\0\2\x08\0\0\0\0\xb8\x1f\x39"
    "\xc6\0\0\0\x10IDAT\x78\x9c\x63\x3c\xc1\xc0\xc0\xc4\xc0\xc0\0\0\5\x90\0"
    "\xcc\x9d\xb3\xc4\x0d\0\0\0\0IEND\xae\x42\x60\x82";
static const char jpeg[] =
    "\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xdb\0\x43\0\x10\x0b"
    "\x0c\x0e\x0c\x0a\x10\x0e\x0d\x0e\x12\x11\x10\x13\x18\x28\x1a\x18\x16\x16"
    "\x18\x31\x23\x25\x1d\x28\x3a\x33\x3d\x3c\x39\x33\x38\x37\x40\x48\x5c\x4e"
    "\x40\x44\x57\x45\x37\x38\x50\x6d\x51\x57\x5f\x62\x67\x68\x67\x3e\x4d\x71"
    "\x79\x70\x64\x78\x5c\x65\x67\x63\xff\xc0\0\x0b\x08\0\2\0\3\1\1\x11\0\xff"
    "\xc4\0\x14\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\6\xff\xc4\0\x14\x10\1\0\0\0\0"
    "\0\0\0\0\0\0\0\0\0\0\0\0\xff\xda\0\x08\1\1\0\0\x3f\0\x48\xff\xd9";

enum { PNG = sizeof(png) - 1, JPEG = sizeof(jpeg) - 1 };

/* In memory of exactly that size, so that reading past it is noticed. */
static int
read_copy(struct shape *s, const char *bytes, size_t len)
{
	char *copy = mem_new(len ? len : 1);
	struct err e = {0};
	int result;

	memcpy(copy, bytes, len);
	result = shape_read(s, copy, len, &e);
	free(copy);
	return result;
}

/* With one byte changed. */
static int
read_with(const char *bytes, size_t len, size_t at, char byte)
{
	struct buf b = {0};
	struct shape s;
	int result;

	buf_add(&b, bytes, len);
	b.data[at] = byte;
	result = read_copy(&s, b.data, b.len);
	buf_release(&b);
	return result;
}

static bool
every_cut_refused(const char *bytes, size_t len)
{
	struct shape s;

	for (size_t cut = 0; cut < len; cut++)
		if (read_copy(&s, bytes, cut) == 0)
			return false;
	return true;
}

/* With something behind it. */
static bool
more_refused(const char *bytes, size_t len)
{
	struct buf b = {0};
	struct shape s;
	int result;

	buf_add(&b, bytes, len);
	buf_add(&b, bytes, len);
	result = read_copy(&s, b.data, b.len);
	if (read_copy(&s, b.data, len + 1) == 0)
		result = 0;
	buf_release(&b);
	return result < 0;
}

static void
good_ones(void)
{
	struct shape s = {0};

	ok(read_copy(&s, png, PNG) == 0 && s.width == 3 && s.height == 2,
	    "a PNG has its size in its head");
	same(s.type, "image/png", "and is one");
	ok(read_copy(&s, jpeg, JPEG) == 0 && s.width == 3 && s.height == 2,
	    "a JPEG has it in its frame");
	same(s.type, "image/jpeg", "and is one");
}

static void
bad_ones(void)
{
	struct shape s;

	ok(every_cut_refused(png, PNG), "a PNG cut anywhere is refused");
	ok(every_cut_refused(jpeg, JPEG), "a JPEG cut anywhere is refused");
	ok(more_refused(png, PNG), "and one with bytes behind its end");
	ok(more_refused(jpeg, JPEG), "of either kind");
	ok(read_with(png, PNG, 19, 0) < 0, "and one without a width");
	ok(read_with(png, PNG, 23, 0) < 0, "or a height");
	ok(read_with(png, PNG, 37, 'J') < 0, "and one with nothing drawn");
	ok(read_with(png, PNG, 33, '\xff') < 0,
	    "and one with a part longer than all of it");
	ok(read_with(jpeg, JPEG, 3, '\1') < 0, "and one with an odd marker");
	ok(read_with(jpeg, JPEG, 4, '\xff') < 0, "or a part that never ends");
	ok(read_copy(&s, "GIF89a", 6) < 0, "other kinds are refused");
}

int
main(void)
{
	good_ones();
	bad_ones();
	return tap_done();
}
