/* Copies of pictures, on the real engine where there is one with our image. */
#define _GNU_SOURCE
#include "workspace/preview.h"

#include <stdlib.h>

#include "core/err.h"
#include "core/poll.h"
#include "scratch.h"
#include "tap.h"

/* 3 pixels wide and 2 high. */
static const char png[] =
    "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\3\0\0\0\2\x08\0\0\0\0\xb8\x1f\x39"
    "\xc6\0\0\0\x10IDAT\x78\x9c\x63\x3c\xc1\xc0\xc0\xc4\xc0\xc0\0\0\5\x90\0"
    "\xcc\x9d\xb3\xc4\x0d\0\0\0\0IEND\xae\x42\x60\x82";

enum { PNG = sizeof(png) - 1 };

struct play {
	struct preview p;
	bool over;
	struct err why;
};

static void
on_ended(void *ctx, const struct err *why)
{
	struct play *x = ctx;

	x->over = true;
	if (why)
		x->why = *why;
}

static const char *
image(void)
{
	const char *named = getenv("SOPHIA_SANDBOX_IMAGE");

	return named ? named : "sophia-sandbox:1";
}

static void
wait_for(struct play *x, struct poll *poll)
{
	struct err e = {0};

	if (preview_start(&x->p, poll, &x->why) < 0)
		return;
	while (!x->over && poll_step(poll, POLL_NEVER, &e) == 0)
		;
}

static void
pictures(struct play *x, struct poll *poll)
{
	struct err e = {0};

	preview_picture(&x->p, png, PNG, &e);
	preview_picture(&x->p, png, PNG - 28, &e);
	preview_picture(&x->p, "hello", 5, &e);
	preview_picture(&x->p, png, PNG, &e);
	wait_for(x, poll);
	if (strstr(x->why.text, "docker") || strstr(x->why.text, "no image")) {
		tap_skip(x->why.text);
		return;
	}
	same(x->why.text, "", "nothing fails of the container");
	ok(x->over, "pictures go through the container");
	ok(!x->p.copies[0].why.kind && x->p.copies[0].shape.width == 3 &&
		x->p.copies[0].shape.height == 2,
	    "a picture has a copy");
	ok(x->p.copies[1].why.kind == ERR_INPUT && !x->p.copies[1].bytes.len,
	    "a cut one has none, and a reason");
	ok(x->p.copies[2].why.kind == ERR_INPUT, "nor has what is no picture");
	ok(!x->p.copies[3].why.kind, "and those behind them are there");
}

static void
limits(struct play *x)
{
	struct err e = {0};
	int taken = 0;

	while (preview_picture(&x->p, png, PNG, &e) == 0)
		taken++;
	ok(taken == PREVIEW_MOST && e.kind == ERR_REFUSED,
	    "eight pictures at once are the most");
	preview_release(&x->p);
	ok(preview_frame(&x->p, png, PNG, -1, &e) < 0 && e.kind == ERR_INPUT,
	    "there is no time before the beginning");
}

int
main(void)
{
	static struct play x;
	struct poll poll = {0};

	scratch_open();
	mkdir(in_scratch("home"), 0700);
	mkdir(in_scratch("home/run"), 0700);
	mkdir(in_scratch("home/run/sandbox"), 0700);
	x.p = (struct preview){.engine = "docker",
	    .image = image(),
	    .ended = on_ended,
	    .ctx = &x};
	pictures(&x, &poll);
	preview_release(&x.p);
	limits(&x);
	preview_release(&x.p);
	poll_release(&poll);
	scratch_close();
	return tap_done();
}
