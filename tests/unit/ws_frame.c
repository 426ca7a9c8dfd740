/*
 * Frames of a WebSocket: what a server may send, cut at every byte; what it may
 * not; and the start of a connection, with the example of RFC 6455, 1.3.
 */
#include "ext/ws_frame.h"

#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/ws_hello.h"
#include "tap.h"

static bool
on_data(void *ctx, const char *bytes, size_t len, bool last)
{
	buf_add(ctx, bytes, len);
	if (last)
		buf_char(ctx, '|');
	return true;
}

static bool
on_control(void *ctx, int opcode, const char *bytes, size_t len)
{
	buf_fmt(ctx, "<%d:%.*s>", opcode, (int)len, bytes);
	return opcode != WS_CLOSE;
}

/* What comes of the bytes when they are cut there, and a copy ends there. */
static char *
feed(const char *bytes, size_t len, size_t cut)
{
	struct ws_frame f = {0};
	struct buf out = {0};
	struct err e = {0};
	const struct ws_frame_to to = {on_data, on_control, &out};
	char *first = malloc(cut + 1), *rest = malloc(len - cut + 1);
	int rc;

	memcpy(first, bytes, cut);
	memcpy(rest, bytes + cut, len - cut);
	rc = ws_frame_feed(&f, first, cut, &to, &e);
	if (rc > 0)
		rc = ws_frame_feed(&f, rest, len - cut, &to, &e);
	if (rc < 0)
		buf_fmt(&out, "(%s)", e.text);
	free(first);
	free(rest);
	buf_str(&out, "");
	return buf_take(&out);
}

static void
check(const char *bytes, size_t len, const char *want, const char *name)
{
	char *whole = feed(bytes, len, 0);
	bool alike = true;

	same(whole ? whole : "", want, name);
	for (size_t cut = 1; cut <= len; cut++) {
		char *got = feed(bytes, len, cut);

		alike &= strcmp(got ? got : "", whole ? whole : "") == 0;
		free(got);
	}
	ok(alike, "and the same wherever it is cut");
	free(whole);
}

#define CHECK(text, want, name) check(text, sizeof(text) - 1, want, name)

static void
frames(void)
{
	CHECK("\x81\x02hi", "hi|", "a message of one frame");
	CHECK("\x01\x01h\x80\x01i", "hi|", "a message of two frames");
	CHECK("\x82\x00", "|", "an empty message");
	CHECK("\x01\x01h\x89\x01p\x80\x01i", "h<9:p>i|",
	    "a ping between the frames of a message");
	CHECK("\x88\x02\x0f\xa0\x81\x01x", "<8:\x0f\xa0>",
	    "after a close nothing is read");
	CHECK("\x81\x7e\x00\x03"
	      "abc",
	    "abc|", "a length of two bytes");
	CHECK("\x81\x7f\x00\x00\x00\x00\x00\x00\x00\x03"
	      "abc",
	    "abc|", "a length of eight bytes");
}

static void
bad(void)
{
	CHECK("\x81\x81\x00\x00\x00\x00x",
	    "(a bad frame: a server's is masked)", "a masked frame");
	CHECK("\xc1\x01x", "(a bad frame: a reserved bit is set)",
	    "a reserved bit");
	CHECK("\x83\x01x", "(a bad frame: its opcode is reserved)",
	    "a reserved opcode");
	CHECK("\x09\x01x", "(a bad frame: a control frame is too long)",
	    "a ping in parts");
	CHECK("\x80\x01x", "(a bad frame: a message is inside another)",
	    "the rest of nothing");
	CHECK("\x01\x01x\x81\x01y",
	    "x(a bad frame: a message is inside another)",
	    "a message inside a message");
	CHECK("\x81\x7f\xff\x00\x00\x00\x00\x00\x00\x00",
	    "(a bad frame: its length is negative)", "a negative length");
}

static void
writes(void)
{
	struct buf b = {0};
	const uint32_t mask = 0x01010101;

	ws_frame_write(&b, WS_TEXT, "abc", 3, mask);
	same(buf_text(&b), "\x81\x83\x01\x01\x01\x01`cb", "a frame is masked");
	buf_release(&b);
}

static int
hello(const char *answer, size_t cut, size_t *used)
{
	struct ws_hello h = {.key = "dGhlIHNhbXBsZSBub25jZQ=="};
	const size_t len = strlen(answer);
	struct err e = {0};
	int rc;

	h.answer.limit = WS_ANSWER_MAX;
	*used = 0;
	rc = ws_hello_read(&h, answer, cut, used, &e);
	if (rc == 0)
		rc = ws_hello_read(&h, answer + cut, len - cut, used, &e);
	ws_hello_release(&h);
	return rc;
}

static void
hellos(void)
{
	static const char good
	    [] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
		 "SEC-WEBSOCKET-ACCEPT: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\nxx";
	const size_t len = sizeof(good) - 3;
	bool alike = true;
	size_t used;

	for (size_t cut = 0; cut <= len; cut++)
		alike &= hello(good, cut, &used) == 1 &&
			 (cut == len ? used == len : used == len - cut);
	ok(alike, "the answer of the RFC's example, wherever it is cut");
	ok(hello("HTTP/1.1 101 X\r\nSec-WebSocket-Accept: "
		 "s3pPLMBiTxaQ9kYGzzhZRbK+xOx=\r\n\r\n",
	       0, &used) < 0,
	    "a wrong proof is refused");
	ok(hello("HTTP/1.1 403 Forbidden\r\n\r\n", 0, &used) < 0,
	    "and so is another answer");
	ok(hello("HTTP/1.1 101 X\r\nSec-WebSocket-Accept", 0, &used) == 0,
	    "half an answer is none yet");
}

static void
asks(void)
{
	struct ws_hello h = {0};
	struct buf b = {0};

	ws_hello_ask(&h, &b, "a:1", 3, "/x?y");
	ok(strncmp(buf_text(&b), "GET /x?y HTTP/1.1\r\nHost: a:1\r\n", 30) == 0,
	    "the request names path and host");
	ok(strlen(h.key) == WS_KEY && strstr(buf_text(&b), h.key),
	    "and a key of its own");
	buf_release(&b);
	ws_hello_release(&h);
}

int
main(void)
{
	frames();
	bad();
	writes();
	hellos();
	asks();
	return tap_done();
}
