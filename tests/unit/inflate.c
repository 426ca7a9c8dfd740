/*
 * zlib-stream: two messages of one stream, cut at every byte; and what must be
 * refused. The bytes were made with zlib's own compressor, flushed after each
 * message.
 */
#include "ext/inflate.h"

#include <string.h>

#include "tap.h"

static const unsigned char first[] = {0x78, 0x9c, 0xaa, 0x56, 0xca, 0x2f, 0x50,
    0xb2, 0x32, 0x34, 0xa8, 0x05, 0x00, 0x00, 0x00, 0xff, 0xff};
static const unsigned char second[] = {0xaa, 0x86, 0x30, 0x0c, 0x6b, 0x01, 0x00,
    0x00, 0x00, 0xff, 0xff};

static bool
cut_at(size_t cut)
{
	struct inflate z = {0};
	struct buf out = {0};
	struct err e = {0};
	bool good;

	good = inflate_feed(&z, &out, first, cut, &e) == 0 &&
	       inflate_whole(&z) == (cut == sizeof(first)) &&
	       inflate_feed(&z, &out, first + cut, sizeof(first) - cut, &e) ==
		   0 &&
	       inflate_whole(&z) && strcmp(buf_text(&out), "{\"op\":10}") == 0;
	buf_release(&out);
	inflate_release(&z);
	return good;
}

static void
streams(void)
{
	struct inflate z = {0};
	struct buf out = {0};
	struct err e = {0};
	bool good = true;

	for (size_t cut = 0; cut <= sizeof(first); cut++)
		good &= cut_at(cut);
	ok(good, "a message is the same, wherever it is cut");
	inflate_feed(&z, &out, first, sizeof(first), &e);
	buf_clear(&out);
	ok(inflate_feed(&z, &out, second, sizeof(second), &e) == 0 &&
		inflate_whole(&z) && strcmp(buf_text(&out), "{\"op\":11}") == 0,
	    "the next message builds on the one before");
	buf_release(&out);
	inflate_release(&z);
	inflate_release(&z);
}

static void
refusals(void)
{
	struct inflate z = {0}, small = {0};
	struct buf out = {0}, tight = {.limit = 4};
	struct err e = {0};

	ok(!inflate_whole(&z), "nothing is no message");
	ok(inflate_feed(&z, &out, "plain text", 10, &e) < 0 &&
		e.kind == ERR_INPUT,
	    "what is no zlib stream is refused");
	ok(inflate_feed(&small, &tight, first, sizeof(first), &e) < 0 &&
		e.kind == ERR_REFUSED && tight.len <= 4,
	    "nothing grows past the limit");
	buf_release(&out);
	buf_release(&tight);
	inflate_release(&z);
	inflate_release(&small);
}

int
main(void)
{
	streams();
	refusals();
	return tap_done();
}
