/* Server-sent events: any bytes, cut anywhere, must give the same events. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "model/sse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int
note(void *ctx, const char *name, const char *data, size_t len, struct err *e)
{
	(void)e;
	buf_fmt(ctx, "%s<%zu:%s>", name, len, data);
	return 0;
}

static void
decode(struct buf *out, const char *bytes, size_t len, size_t cut)
{
	struct sse s = {0};
	struct err e = {0};

	if (sse_feed(&s, bytes, cut, note, out, &e) == 0 &&
	    sse_feed(&s, bytes + cut, len - cut, note, out, &e) == 0)
		(void)sse_end(&s, note, out, &e);
	sse_release(&s);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf whole = {0}, cut = {0};

	decode(&whole, (const char *)data, size, 0);
	decode(&cut, (const char *)data, size, size ? data[0] % size : 0);
	if (strcmp(buf_text(&whole), buf_text(&cut)) != 0)
		abort();
	buf_release(&whole);
	buf_release(&cut);
	return 0;
}
