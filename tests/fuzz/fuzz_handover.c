/* What code asks while it runs: any bytes, cut anywhere, on two connections. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/buf.h"
#include "core/err.h"
#include "workspace/attic.h"
#include "workspace/door.h"
#include "workspace/handover.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct attic attic;
static struct door door = {&attic_keeper, &attic};
static struct handover h;

static void
hear(const char *bytes, size_t len, size_t cut)
{
	struct buf said = {0};
	struct err e = {0};

	h = (struct handover){.answer = door_answer, .ctx = &door};
	for (uint64_t i = 0; i < 2; i++)
		if (handover_hear(&h, i, NULL, 0, &said, &e) < 0)
			abort();
	if (cut)
		handover_hear(&h, 1, bytes, cut, &said, &e);
	if (cut)
		handover_hear(&h, 0, bytes, cut, &said, &e);
	if (cut < len)
		handover_hear(&h, 0, bytes + cut, len - cut, &said, &e);
	handover_hang(&h, 1);
	if (attic.count > MINT_MOST || attic.bytes > MINT_BYTES)
		abort();
	handover_release(&h);
	attic_release(&attic);
	buf_release(&said);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hear((const char *)data, size, 0);
	hear((const char *)data, size, size ? data[0] % size : 0);
	return 0;
}
