/*
 * A payload of the gateway: whatever the bytes, d stays inside them, is a line
 * and reads as the same again.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/buf.h"
#include "core/err.h"
#include "discord/payload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
again(const struct payload *p)
{
	struct buf b = {0};
	struct payload q;
	struct err e = {0};

	buf_fmt(&b, "{\"op\":%d,\"d\":", p->op);
	buf_add(&b, p->data, p->len);
	if (p->name[0])
		buf_fmt(&b, ",\"t\":\"%s\"", p->name);
	buf_char(&b, '}');
	if (payload_read(&q, b.data, b.len, &e) < 0 || q.len != p->len ||
	    strcmp(q.name, p->name) != 0 ||
	    memcmp(q.data, p->data, p->len) != 0)
		abort();
	buf_release(&b);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct payload p;
	struct err e = {0};
	size_t len;

	memcpy(text, data, size);
	len = payload_flatten(text, size);
	if (payload_read(&p, text, len, &e) == 0) {
		if (memchr(p.data, '\n', p.len) || memchr(p.data, '\0', p.len))
			abort();
		again(&p);
	}
	free(text);
	return 0;
}
