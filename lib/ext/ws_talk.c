#include "ext/ws_talk.h"

#include <stdlib.h>
#include <string.h>

#include "core/err.h"
#include "core/id.h"
#include "core/mem.h"
#include "ext/ws_address.h"

enum {
	PLAIN_SIZE = 32 << 10,
	PONGS_MAX = 4 << 10, /* bytes that may wait, for a ping's answer */
	REASON_MAX = 120,    /* of a close frame: 125 with its code */
};

/* As a URL has it. */
static void
add_host(struct buf *b, const struct ws_address *to)
{
	const bool six = strchr(to->host, ':');

	buf_fmt(b, "%s%s%s", six ? "[" : "", to->host, six ? "]" : "");
	if (to->port != (to->tls ? 443 : 80))
		buf_fmt(b, ":%d", to->port);
}

int
ws_talk_start(struct ws_talk *t, const struct ws_address *to,
    struct ssl_ctx_st *tls, struct err *e)
{
	struct buf host = {0};

	if (to->tls) {
		if (tls_link_open(&t->tls, tls, to->host, e) < 0)
			return -1;
		t->plain = mem_new(PLAIN_SIZE);
	}
	add_host(&host, to);
	ws_hello_ask(&t->hello, &t->out, host.data, host.len, to->path);
	buf_release(&host);
	return 0;
}

void
ws_talk_end(struct ws_talk *t)
{
	ws_hello_release(&t->hello);
	tls_link_close(&t->tls);
	buf_release(&t->out);
	buf_release(&t->wire);
	free(t->plain);
	t->plain = NULL;
}

static void
add_frame(struct ws_talk *t, int opcode, const char *bytes, size_t len)
{
	ws_frame_write(&t->out, opcode, bytes, len, (uint32_t)id_random());
}

static bool
on_data(void *ctx, const char *bytes, size_t len, bool last)
{
	struct ws_talk *t = ctx;

	t->data(t->ctx, bytes, len, last);
	return true;
}

/* A close is answered with the same code, unless it is the answer to ours. */
static bool
on_control(void *ctx, int opcode, const char *bytes, size_t len)
{
	const unsigned char *code = (const unsigned char *)bytes;
	struct ws_talk *t = ctx;

	if (opcode == WS_PING && t->out.len < PONGS_MAX)
		add_frame(t, WS_PONG, bytes, len);
	if (opcode != WS_CLOSE)
		return true;
	if (len >= 2)
		t->code = code[0] << 8 | code[1];
	if (!t->bye)
		add_frame(t, WS_CLOSE, bytes, len < 2 ? 0 : 2);
	t->over = true;
	return false;
}

static int
read_frames(struct ws_talk *t, const char *bytes, size_t len, struct err *e)
{
	const struct ws_frame_to to = {on_data, on_control, t};

	if (t->over)
		return 0;
	return ws_frame_feed(&t->frame, bytes, len, &to, e) < 0 ? -1 : 0;
}

/* The server's answer, and what follows it. */
static int
read_hello(struct ws_talk *t, const char *bytes, size_t len, struct err *e)
{
	size_t used = 0;
	int agreed = ws_hello_read(&t->hello, bytes, len, &used, e);

	if (agreed <= 0)
		return agreed;
	ws_hello_release(&t->hello);
	t->open = true;
	t->opened(t->ctx);
	return read_frames(t, bytes + used, len - used, e);
}

static int
read_plain(struct ws_talk *t, const char *bytes, size_t len, struct err *e)
{
	return t->open ? read_frames(t, bytes, len, e)
		       : read_hello(t, bytes, len, e);
}

int
ws_talk_read(struct ws_talk *t, const char *bytes, size_t len, struct err *e)
{
	int n;

	if (!t->tls.ssl)
		return read_plain(t, bytes, len, e);
	n = tls_feed(&t->tls, bytes, len, e);
	while (n >= 0 && (n = tls_read(&t->tls, t->plain, PLAIN_SIZE, e)) > 0)
		if (read_plain(t, t->plain, (size_t)n, e) < 0)
			return -1;
	return n;
}

struct buf *
ws_talk_write(struct ws_talk *t, struct err *e)
{
	if (!t->tls.ssl)
		return &t->out;
	if (t->out.len && tls_agreed(&t->tls)) {
		if (tls_write(&t->tls, t->out.data, t->out.len, e) < 0)
			return NULL;
		buf_clear(&t->out);
	}
	tls_take(&t->tls, &t->wire);
	return &t->wire;
}

void
ws_talk_say(struct ws_talk *t, const char *text, size_t len)
{
	if (t->open && !t->bye && !t->over)
		add_frame(t, WS_TEXT, text, len);
}

size_t
ws_talk_waiting(const struct ws_talk *t)
{
	return t->out.len;
}

void
ws_talk_bye(struct ws_talk *t, int code, const char *why)
{
	char text[2 + REASON_MAX] = {(char)(code >> 8), (char)code};
	const size_t len = why ? strnlen(why, REASON_MAX) : 0;

	if (!t->open || t->bye || t->over)
		return;
	memcpy(text + 2, why ? why : "", len);
	add_frame(t, WS_CLOSE, text, 2 + len);
	t->bye = true;
}
