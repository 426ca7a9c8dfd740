/* Frames, cut at every byte, and those that can't be. */
#include "core/frame.h"

#include "core/buf.h"
#include "core/err.h"
#include "tap.h"

/* Feed it in two pieces; what came, as text. */
static void
decode(struct buf *out, const struct buf *in, size_t cut)
{
	struct frames f = {0};
	struct err e = {0};
	struct frame x;
	int row = 0;

	for (int half = 0; half < 2 && row >= 0; half++) {
		frames_feed(&f, in->data + (half ? cut : 0),
		    half ? in->len - cut : cut);
		while ((row = frames_next(&f, &x, &e)) > 0)
			buf_fmt(out, "%c%zu:%.*s;", x.kind, x.len, (int)x.len,
			    x.data);
	}
	buf_fmt(out, "%s%s", frames_partial(&f) ? "partial" : "",
	    row < 0 ? e.text : "");
	frames_release(&f);
}

static void
test_cuts(void)
{
	struct buf in = {0}, out = {0};
	size_t good = 0;

	frame_add(&in, 'a', "hello", 5);
	frame_add(&in, 'b', NULL, 0);
	frame_add(&in, 'c', "x", 1);
	for (size_t cut = 0; cut <= in.len; cut++) {
		buf_clear(&out);
		decode(&out, &in, cut);
		good += strcmp(buf_text(&out), "a5:hello;b0:;c1:x;") == 0;
	}
	ok(good == in.len + 1, "frames are the same wherever they are cut");
	in.len--;
	buf_clear(&out);
	decode(&out, &in, 3);
	same(buf_text(&out), "a5:hello;b0:;partial",
	    "one that is not whole is not handed out");
	buf_release(&in);
	buf_release(&out);
}

static void
test_lengths(void)
{
	struct buf in = {0}, out = {0};
	struct frames f = {0};
	struct err e = {0};
	struct frame x;

	frame_add_number(&in, 0, 4);
	decode(&out, &in, 0);
	same(buf_text(&out), "a frame of 0 bytes", "without a kind it is none");
	buf_clear(&in);
	buf_clear(&out);
	frame_add_number(&in, FRAME_MOST + 2, 4);
	decode(&out, &in, 0);
	same(buf_text(&out), "a frame of 65538 bytes", "too long is refused");
	frames_feed(&f, in.data, in.len);
	ok(frames_next(&f, &x, &e) < 0, "at once, with its length alone");
	frames_feed(&f, "\0\0\0\1a", 5);
	ok(frames_next(&f, &x, &e) < 0 && e.kind == ERR_INPUT,
	    "and nothing after it is believed");
	frames_release(&f);
	frames_release(&f);
	buf_release(&in);
	buf_release(&out);
}

static void
test_numbers(void)
{
	struct buf b = {0};
	struct frame x;
	uint64_t n = 0;

	frame_add_number(&b, 0x0102030405060708, 8);
	frame_add_number(&b, 0xfffe, 2);
	x = (struct frame){.data = b.data, .len = b.len};
	ok(frame_take_number(&x, 8, &n) == 0 && n == 0x0102030405060708,
	    "a number of eight bytes comes back");
	ok(frame_take_number(&x, 4, &n) < 0, "none is made of too few bytes");
	ok(frame_take_number(&x, 2, &n) == 0 && n == 0xfffe && !x.len,
	    "and they are still there");
	buf_release(&b);
}

int
main(void)
{
	test_cuts();
	test_lengths();
	test_numbers();
	return tap_done();
}
