/* Frames of a WebSocket: any bytes, cut anywhere, must mean the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "ext/ws_frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
	buf_fmt(ctx, "<%d:", opcode);
	buf_add(ctx, bytes, len);
	return opcode != WS_CLOSE;
}

static void
read_all(struct buf *out, const char *bytes, size_t len, size_t cut)
{
	struct ws_frame f = {0};
	struct err e = {0};
	const struct ws_frame_to to = {on_data, on_control, out};
	int rc = ws_frame_feed(&f, bytes, cut, &to, &e);

	if (rc > 0)
		rc = ws_frame_feed(&f, bytes + cut, len - cut, &to, &e);
	buf_fmt(out, "%d%s", rc, e.text);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = {0}, cut = {0};

	read_all(&whole, (const char *)data, size, 0);
	read_all(&cut, (const char *)data, size, size ? data[0] % size : 0);
	if (whole.len != cut.len ||
	    memcmp(whole.data, cut.data, whole.len) != 0)
		abort();
	buf_release(&whole);
	buf_release(&cut);
	return 0;
}
